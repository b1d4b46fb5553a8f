//! What chats and caches take on disk.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::Home;
use crate::model::ChatId;

/// A chat with more files is counted up to here: this is for a glance.
const MOST_FILES: usize = 100_000;

impl Home {
    /// Bytes of a chat's own directory and of its record, and whether there is more. Links are not followed; what cannot
    /// be looked into counts nothing.
    pub fn bytes_of(&self, id: &ChatId) -> (u64, bool) {
        below(vec![self.chat_path(id), self.record_path(id)])
    }
}

/// As [`Home::bytes_of`], of a folder, or of a file.
pub fn bytes_at(path: &Path) -> (u64, bool) {
    match fs::symlink_metadata(path) {
        Ok(known) if known.is_dir() => below(vec![path.to_owned()]),
        Ok(known) => (known.blocks() * 512, false),
        Err(_) => (0, false),
    }
}

fn below(mut open: Vec<PathBuf>) -> (u64, bool) {
    let (mut bytes, mut files) = (0, 0);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            files += 1;
            if files > MOST_FILES {
                return (bytes, true);
            }
            let Ok(known) = entry.metadata() else { continue };
            bytes += known.blocks() * 512;
            if known.is_dir() {
                open.push(entry.path());
            }
        }
    }
    (bytes, false)
}
