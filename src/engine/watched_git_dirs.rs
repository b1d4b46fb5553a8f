//! Where the git directories of chats were when they were last watched. One that comes back is another: a watch of the old
//! one tells nothing of it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use parking_lot::Mutex;

use crate::model::{Chat, ChatId, Kind};
use crate::store::{AnsweredPlaces, Home, Watcher};

/// By the name of a clone, or the path of what is open in place: device and inode of its git directory, none where there is none.
type GitDirs = BTreeMap<String, Option<(u64, u64)>>;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Watched {
    AsBefore,
    Again,
}

#[derive(Default)]
pub struct WatchedGitDirs {
    known: BTreeMap<ChatId, GitDirs>,
}

impl WatchedGitDirs {
    /// Watches a chat again if a git directory of it is another one by now. Of what is open in place and away, the way to it
    /// may be made again step by step, so that is watched each time.
    pub fn watch_again(&mut self, home: &Home, watcher: &Mutex<Watcher>, chat: &Chat) -> Watched {
        let seen = AnsweredPlaces::look(chat);
        let now = git_dirs(chat).chain(seen.git_dirs()).collect();
        if !seen.is_any_away() && self.known.get(chat.id()) == Some(&now) {
            return Watched::AsBefore;
        }
        if let Err(error) = watcher.lock().watch_chat(home, chat, &seen) {
            tracing::warn!("changes in {} will not be noticed: {error}", chat.record.handle);
        }
        self.known.insert(chat.id().clone(), now);
        Watched::Again
    }
}

fn git_dirs(chat: &Chat) -> impl Iterator<Item = (String, Option<(u64, u64)>)> {
    let of = |path: &Path| {
        let found = fs::metadata(path.join(".git")).ok()?;
        Some((found.dev(), found.ino()))
    };
    let clones = chat.projects.iter().filter(|project| project.kind == Kind::Git);
    clones.map(move |clone| (clone.name.clone(), of(&clone.path)))
}
