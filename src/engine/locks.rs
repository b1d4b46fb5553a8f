//! One job at a time for a chat.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::model::ChatId;

/// A lock for each chat that was ever asked for: a few bytes each.
#[derive(Default)]
pub struct ChatLocks(Mutex<BTreeMap<ChatId, Arc<Mutex<()>>>>);

impl ChatLocks {
    pub fn of(&self, chat: &ChatId) -> Arc<Mutex<()>> {
        Arc::clone(self.0.lock().entry(chat.clone()).or_default())
    }
}
