//! What one person looks at in the tabs, one value a tab. It sees neither [`View`](crate::screen::view::View) nor the state,
//! because the view holds it.

use std::collections::BTreeMap;

use crate::model::{ChatId, Timestamp, WorkId};

use super::board::Board;
use super::todos::data::TodosView;

#[derive(Default)]
pub struct TabViews {
    pub todos: TodosView,
    pub board: Board,
    /// Of chats that this person left: the terminal beside the agent's that they saw there last.
    pub sides: BTreeMap<ChatId, WorkId>,
    /// When a sheet came along to another chat.
    pub came: Option<Timestamp>,
}
