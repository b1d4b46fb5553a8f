//! Which chats stand beside each other.

use crate::model::{ChatId, WorkId};

pub struct Grid {
    pub chats: Vec<ChatId>,
    /// The terminal beside an agent from which it was opened.
    pub from: Option<GridFrom>,
}

/// Where somebody is again behind the grid.
pub struct GridFrom {
    pub chat: ChatId,
    pub side: WorkId,
    /// They typed there.
    pub typed: bool,
}

impl Grid {
    /// Where a chat stands in it, and how many there are.
    pub fn place(&self, chat: Option<&ChatId>) -> Option<(usize, usize)> {
        let at = self.chats.iter().position(|one| Some(one) == chat)?;
        Some((at, self.chats.len()))
    }
}
