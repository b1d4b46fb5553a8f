//! All chats that are known, and a number that says when any of them changed.

use std::collections::{BTreeMap, HashMap};
use std::ops::Deref;

use crate::model::{Chat, ChatId};

/// Read as the map it holds. Whoever changes a chat takes it from here, so that what is made of all of them is made
/// again only when [`Chats::revision`] is another.
#[derive(Default)]
pub struct Chats {
    all: BTreeMap<ChatId, Chat>,
    /// How many have each name.
    names: HashMap<String, usize>,
    revision: u64,
}

impl Chats {
    /// Greater after every change. Two moments with the same number have the same chats.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether lists call this chat by its handle: others have its name too, and it is not the one whose handle is no
    /// more than that name.
    pub fn is_called_by_handle(&self, chat: &Chat) -> bool {
        let has_namesake = self.names.get(&chat.record.name).is_some_and(|chats| *chats > 1);
        has_namesake && !chat.record.handle_is_name()
    }

    /// Changes a chat, also its name, and returns what `change` does; `None` if the chat is not known.
    pub fn change<T>(&mut self, chat: &ChatId, change: impl FnOnce(&mut Chat) -> T) -> Option<T> {
        let known = self.all.get_mut(chat)?;
        let before = known.record.name.clone();
        let changed = change(known);
        let after = known.record.name.clone();
        self.note(after);
        self.forget(&before);
        self.revision += 1;
        Some(changed)
    }

    pub fn insert(&mut self, id: ChatId, chat: Chat) -> Option<Chat> {
        self.revision += 1;
        self.note(chat.record.name.clone());
        let replaced = self.all.insert(id, chat);
        if let Some(replaced) = &replaced {
            self.forget(&replaced.record.name);
        }
        replaced
    }

    pub fn remove(&mut self, chat: &ChatId) -> Option<Chat> {
        self.revision += 1;
        let removed = self.all.remove(chat);
        if let Some(removed) = &removed {
            self.forget(&removed.record.name);
        }
        removed
    }

    fn note(&mut self, name: String) {
        *self.names.entry(name).or_default() += 1;
    }

    fn forget(&mut self, name: &str) {
        match self.names.get_mut(name) {
            Some(chats) if *chats > 1 => *chats -= 1,
            Some(_) | None => drop(self.names.remove(name)),
        }
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
        let mut chats = Chats::default();
        for (id, chat) in all {
            chats.insert(id, chat);
        }
        chats
    }
}
