//! Which chats stand beside each other.

use crate::model::ChatId;

pub struct Grid {
    pub chats: Vec<ChatId>,
}
