//! One job at a time for a chat.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::git::CancelFlag;
use crate::model::ChatId;

/// A lock for each chat that was ever asked for: a few bytes each.
#[derive(Default)]
pub struct ChatLocks(Mutex<BTreeMap<ChatId, ChatLock>>);

#[derive(Default)]
struct ChatLock {
    lock: Arc<Mutex<()>>,
    /// Of a job that nobody waits for, and that has the lock or waits for it.
    gives_way: Option<CancelFlag>,
}

impl ChatLocks {
    /// What is done beside all else gives way.
    pub fn of(&self, chat: &ChatId) -> Arc<Mutex<()>> {
        let mut locks = self.0.lock();
        let lock = locks.entry(chat.clone()).or_default();
        if let Some(other) = lock.gives_way.take() {
            other.cancel();
        }
        Arc::clone(&lock.lock)
    }

    /// For a job that has time. When somebody else wants the lock, the flag is set: the job is to let go of it then.
    pub fn beside_others(&self, chat: &ChatId) -> (Arc<Mutex<()>>, CancelFlag) {
        let mut locks = self.0.lock();
        let lock = locks.entry(chat.clone()).or_default();
        let flag = CancelFlag::default();
        lock.gives_way = Some(flag.clone());
        (Arc::clone(&lock.lock), flag)
    }
}
