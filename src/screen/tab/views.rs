//! What one person looks at in the tabs, one value a tab. It sees neither [`View`](crate::screen::view::View) nor the state,
//! because the view holds it.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{ChatId, PaneId, Timestamp, WorkId};
use crate::screen::keymap::PaneSheet;
use crate::screen::reading::Reading;

use super::board::Board;
use super::todos::data::TodosView;
use super::transcript::item::ItemKey;

/// A terminal in which a person types: the agent's, or one beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedIn {
    pub chat: ChatId,
    pub beside: Option<WorkId>,
}

#[derive(Default)]
pub struct TabViews {
    pub todos: TodosView,
    pub board: Board,
    /// Of chats that this person left: the terminal beside the agent's that they saw there last.
    pub sides: BTreeMap<ChatId, WorkId>,
    /// Of chats that this person left with a sheet before them: that one.
    pub sheets: BTreeMap<ChatId, PaneSheet>,
    /// Of chats that this person left scrolled back or in copy mode: where they were, and in which terminal.
    pub read: BTreeMap<ChatId, (PaneId, Reading)>,
    /// Chats in whose terminal this person typed when they left.
    pub typed_in: BTreeSet<ChatId>,
    /// The sheet that was put aside for the terminal of a shell.
    pub aside: Option<PaneSheet>,
    /// The terminal from within which something was opened that has the keys now.
    pub within: Option<TypedIn>,
    /// The terminal from which somebody went to the list.
    pub to_list: Option<TypedIn>,
    /// The button is down on the selected item of the transcript: let go, it opens that.
    pub pressed: Option<ItemKey>,
    /// When a sheet came along to another chat.
    pub came: Option<Timestamp>,
}
