//! All chats that are known, and a number that says when any of them changed.

use std::collections::BTreeMap;
use std::ops::Deref;

use crate::model::{Chat, ChatId};

/// Read as the map it holds. Whoever changes a chat takes it from here, so that what is made of all of them is made
/// again only when [`Chats::revision`] is another.
#[derive(Default)]
pub struct Chats {
    all: BTreeMap<ChatId, Chat>,
    revision: u64,
}

impl Chats {
    /// Greater after every change. Two moments with the same number have the same chats.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    pub fn get_mut(&mut self, chat: &ChatId) -> Option<&mut Chat> {
        self.revision += 1;
        self.all.get_mut(chat)
    }

    pub fn insert(&mut self, id: ChatId, chat: Chat) -> Option<Chat> {
        self.revision += 1;
        self.all.insert(id, chat)
    }

    pub fn remove(&mut self, chat: &ChatId) -> Option<Chat> {
        self.revision += 1;
        self.all.remove(chat)
    }
}

impl Deref for Chats {
    type Target = BTreeMap<ChatId, Chat>;

    fn deref(&self) -> &BTreeMap<ChatId, Chat> {
        &self.all
    }
}

impl From<BTreeMap<ChatId, Chat>> for Chats {
    fn from(all: BTreeMap<ChatId, Chat>) -> Chats {
        Chats { all, revision: 1 }
    }
}
