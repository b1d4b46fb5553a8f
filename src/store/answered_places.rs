//! What is there of the directories that a chat has in place. They lie on a person's own disks: one that gives no answer, as
//! a server that is gone, must hold up nobody who waits for the watcher.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

use crate::model::{Chat, Kind};

/// A disk that wakes up answers within this time.
const PATIENCE: Duration = Duration::from_secs(2);

/// Places that have given no answer yet: nobody else waits for them meanwhile.
static SILENT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The places of a chat that have given an answer.
pub struct AnsweredPlaces {
    pub(super) places: Vec<AnsweredPlace>,
    is_any_silent: bool,
}

pub(super) struct AnsweredPlace {
    pub place: PathBuf,
    is_there: bool,
    /// The nearest directory above it that is there, and the next step from there.
    pub above: Option<(PathBuf, OsString)>,
    pub has_git: bool,
    git: Option<(u64, u64)>,
}

impl AnsweredPlaces {
    pub fn look(chat: &Chat) -> AnsweredPlaces {
        let places = chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Local);
        let places: Vec<PathBuf> = places.map(|dir| PathBuf::from(&dir.origin)).collect();
        let seen = places.iter().filter_map(|place| answered(place, PATIENCE, look));
        let seen: Vec<AnsweredPlace> = seen.collect();
        AnsweredPlaces {
            is_any_silent: seen.len() < places.len(),
            places: seen,
        }
    }

    /// The way to one of them may be made again.
    pub fn is_any_away(&self) -> bool {
        self.is_any_silent || self.places.iter().any(|seen| !seen.is_there)
    }

    /// Device and inode of what `.git` is in each, by its path.
    pub fn git_dirs(&self) -> impl Iterator<Item = (String, Option<(u64, u64)>)> {
        let places = self.places.iter();
        places.map(|seen| (seen.place.to_string_lossy().into_owned(), seen.git))
    }
}

fn look(place: &Path) -> AnsweredPlace {
    let above = |path: &Path| Some((path.parent()?.to_path_buf(), path.file_name()?.to_owned()));
    let git = fs::metadata(place.join(".git")).ok();
    AnsweredPlace {
        place: place.to_path_buf(),
        is_there: place.is_dir(),
        above: place.ancestors().filter_map(above).find(|(dir, _)| dir.is_dir()),
        has_git: git.as_ref().is_some_and(fs::Metadata::is_dir),
        git: git.map(|found| (found.dev(), found.ino())),
    }
}

/// What a look at a place finds, if it comes back in time. One that does not goes on by itself, and ends once there is an
/// answer.
fn answered<T: Send + 'static>(
    place: &Path,
    patience: Duration,
    look: impl FnOnce(&Path) -> T + Send + 'static,
) -> Option<T> {
    if SILENT.lock().contains(place) {
        return None;
    }
    let (tell, hears) = mpsc::channel();
    let looked_at = place.to_path_buf();
    let started = thread::Builder::new().name("place".into()).spawn(move || {
        // Nobody may wait for it any more.
        tell.send(look(&looked_at)).ok();
        SILENT.lock().remove(&looked_at);
    });
    if let Err(error) = started {
        tracing::warn!("{} is not looked at: {error}", place.display());
        return None;
    }
    if let Ok(found) = hears.recv_timeout(patience) {
        return Some(found);
    }
    let mut silent = SILENT.lock();
    // The answer is there before the thread takes the lock.
    if let Ok(found) = hears.try_recv() {
        return Some(found);
    }
    tracing::warn!("{} gives no answer, and is not watched until it does", place.display());
    silent.insert(place.to_path_buf());
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_gives_no_answer_is_waited_for_once_and_counts_again_when_it_does() {
        let place = Path::new("/a mount whose server is gone");
        let (answer, waits) = mpsc::channel::<()>();
        let none = answered(place, Duration::from_millis(1), move |_| waits.recv().ok());
        assert!(none.is_none());
        // This one would answer, and is not asked.
        let soon = Duration::from_secs(60);
        assert_eq!(answered(place, soon, |_| ()), None);
        assert_eq!(answered(Path::new("/another"), soon, |_| 7), Some(7));
        answer.send(()).unwrap();
        while SILENT.lock().contains(place) {
            thread::yield_now();
        }
        assert_eq!(answered(place, soon, |_| 7), Some(7));
    }
}
