//! What checkpoints take on disk: measured by workers, and remembered, because a store has thousands of files.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;

use crate::model::ChatId;

/// As the file system counts blocks, whatever its own are.
const BLOCK: u64 = 512;
/// A comparison stores what it read, and is in no list: after this time it is measured again.
const LASTS: Duration = Duration::from_secs(60);

/// What was measured last, by chat.
#[derive(Default)]
pub struct Measured(Mutex<BTreeMap<ChatId, Measure>>);

#[derive(Clone, Copy)]
struct Measure {
    bytes: u64,
    /// When the list of checkpoints was last written.
    list: Option<SystemTime>,
    at: Instant,
}

impl Measured {
    /// What was measured last, or is measured now if the list was written since, or it was long ago.
    pub fn bytes(&self, chat: &ChatId, list: Option<SystemTime>, measure: impl FnOnce() -> u64) -> u64 {
        let known = self.0.lock().get(chat).copied();
        if let Some(known) = known.filter(|known| known.list == list && known.at.elapsed() < LASTS) {
            return known.bytes;
        }
        let (bytes, at) = (measure(), Instant::now());
        self.0.lock().insert(chat.clone(), Measure { bytes, list, at });
        bytes
    }
}

/// Links are not followed. What cannot be read, or goes away meanwhile, counts as nothing.
pub fn disk_usage(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => disk_usage(&entry.path()),
        Ok(found) => found.blocks() * BLOCK,
        Err(_) => 0,
    };
    entries.flatten().map(size).sum()
}
