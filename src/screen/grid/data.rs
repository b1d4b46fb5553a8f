//! Which chats stand beside each other.

use crate::model::ChatId;

pub struct Grid {
    pub chats: Vec<ChatId>,
}

impl Grid {
    /// Where a chat stands in it, and how many there are.
    pub fn place(&self, chat: Option<&ChatId>) -> Option<(usize, usize)> {
        let at = self.chats.iter().position(|one| Some(one) == chat)?;
        Some((at, self.chats.len()))
    }
}
