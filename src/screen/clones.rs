//! Whether the chat that is shown has clones.

use crate::model::{Chat, Kind};
use crate::screen::State;

use super::view::View;

/// There are clones in which something can change.
pub fn has_clones(state: &State, view: &View) -> bool {
    let chat = view.chat.as_ref().and_then(|chat| state.domain.disk.chats.get(chat));
    let is_clone = |chat: &Chat| chat.record.dirs.iter().any(|dir| dir.kind == Kind::Git);
    chat.is_some_and(is_clone)
}
