//! Which files this process is writing at this moment, and since when: a disk that gives no answer, as one of a network
//! that is gone, is known by nothing but that.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

static WRITES: Mutex<WritesUnderWay> = Mutex::new(WritesUnderWay {
    under_way: Vec::new(),
    next: 0,
});

/// Wakes who waits until something is written at all.
static BEGUN: Condvar = Condvar::new();

struct WritesUnderWay {
    /// In the order in which they began.
    under_way: Vec<(u64, PathBuf, Instant)>,
    next: u64,
}

/// A write, a sync or a rename under way, until it is dropped.
#[must_use]
pub struct Writing(u64);

impl Writing {
    pub fn begin(path: impl Into<PathBuf>) -> Writing {
        let mut writes = WRITES.lock();
        writes.next += 1;
        let number = writes.next;
        writes.under_way.push((number, path.into(), Instant::now()));
        BEGUN.notify_one();
        Writing(number)
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        WRITES.lock().under_way.retain(|(number, ..)| *number != self.0);
    }
}

/// Of what lies below this directory, the write that is under way longest.
pub fn longest(below: &Path) -> Option<(PathBuf, Duration)> {
    let writes = WRITES.lock();
    let mut all = writes.under_way.iter();
    let (_, path, since) = all.find(|(_, path, _)| path.starts_with(below))?;
    Some((path.clone(), since.elapsed()))
}

/// Returns once something is being written, or after this time.
pub fn wait_for_any(most: Duration) {
    let mut writes = WRITES.lock();
    if writes.under_way.is_empty() {
        BEGUN.wait_for(&mut writes, most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_below_a_directory_is_told_until_it_ends() {
        let home = Path::new("/of/this/test");
        assert_eq!(longest(home), None);
        let first = Writing::begin("/of/this/test/a");
        let second = Writing::begin("/of/this/test/b");
        let told = |home| longest(home).map(|(path, _)| path);
        assert_eq!(told(home), Some("/of/this/test/a".into()));
        drop(first);
        assert_eq!(told(home), Some("/of/this/test/b".into()));
        assert_eq!(told(Path::new("/of/another")), None);
        drop(second);
        assert_eq!(told(home), None);
    }
}
