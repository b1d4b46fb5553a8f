//! The files of the chat that somebody names files of: listed once while a name is typed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::model::ChatId;

/// While a name is typed, the files are those of its first letter.
const FRESH: Duration = Duration::from_secs(5);

/// Those of the chat that was asked about last.
#[derive(Default)]
pub struct ListedFiles(Mutex<Option<FilesOfChat>>);

struct FilesOfChat {
    chat: ChatId,
    at: Instant,
    files: Arc<Vec<String>>,
}

impl ListedFiles {
    /// As they were listed a moment ago, else by `list`. Whoever asks meanwhile waits for that.
    pub fn of(&self, chat: &ChatId, list: impl FnOnce() -> Vec<String>) -> Arc<Vec<String>> {
        let mut known = self.0.lock();
        let is_fresh = |known: &&FilesOfChat| known.chat == *chat && known.at.elapsed() < FRESH;
        if let Some(known) = known.as_ref().filter(is_fresh) {
            return known.files.clone();
        }
        let files = Arc::new(list());
        *known = Some(FilesOfChat {
            chat: chat.clone(),
            at: Instant::now(),
            files: files.clone(),
        });
        files
    }
}
