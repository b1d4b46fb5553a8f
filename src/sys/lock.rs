//! Locks that the kernel lets go of when their holder dies, so that nothing is ever cleaned up by hand.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// A number and a line's end.
const LONGEST_NOTE: u64 = 32;

/// How often who waits for a lock looks whether it is free.
const GLANCE: Duration = Duration::from_millis(5);

/// Held as long as it lives. The file stays: removing it would let two hold two files of the same name.
#[derive(Debug)]
pub struct FileLock {
    /// Closed on exec, so no child keeps the lock of a dead parent.
    file: File,
}

impl FileLock {
    /// The lock on this file, made where it is missing; None while another holds it.
    pub fn try_acquire(path: &Path) -> io::Result<Option<FileLock>> {
        loop {
            let file = OpenOptions::new()
                .create(true)
                .truncate(false)
                .read(true)
                .write(true)
                .mode(0o600)
                .custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed())
                .open(path)?;
            let Some(lock) = FileLock::on(file)? else {
                return Ok(None);
            };
            // Somebody may have put another file in its place between the two steps.
            if lock.is_at(path) {
                return Ok(Some(lock));
            }
        }
    }

    /// As [`FileLock::try_acquire`], after waiting for who holds it as long as that; blocks its thread.
    pub fn acquire_within(path: &Path, patience: Duration) -> io::Result<Option<FileLock>> {
        let began = Instant::now();
        loop {
            let lock = FileLock::try_acquire(path)?;
            if lock.is_some() || began.elapsed() >= patience {
                return Ok(lock);
            }
            std::thread::sleep(GLANCE);
        }
    }

    fn on(file: File) -> io::Result<Option<FileLock>> {
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(FileLock { file })),
            Err(Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether what is locked is still what this path names.
    pub fn is_at(&self, path: &Path) -> bool {
        let (Ok(held), Ok(there)) = (self.file.metadata(), std::fs::symlink_metadata(path)) else {
            return false;
        };
        (held.dev(), held.ino()) == (there.dev(), there.ino())
    }

    /// Writes into the file who holds it.
    fn sign(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        writeln!(self.file, "{}", std::process::id())
    }
}

/// The right to be the engine of a home. Two locks: one on the home itself, which nobody can take away from under a
/// running engine without taking the home, and one on a file in it, which tells who holds it.
#[derive(Debug)]
pub struct EngineLock {
    /// Not there on a file system that locks no directories.
    _home: Option<FileLock>,
    file: FileLock,
}

impl EngineLock {
    /// None while another engine holds either of them.
    pub fn try_acquire(home: &Path, path: &Path) -> io::Result<Option<EngineLock>> {
        let home = match FileLock::on(File::open(home)?) {
            Ok(None) => return Ok(None),
            Ok(Some(lock)) => Some(lock),
            Err(_) => None,
        };
        let Some(mut file) = FileLock::try_acquire(path)? else {
            return Ok(None);
        };
        file.sign()?;
        Ok(Some(EngineLock { _home: home, file }))
    }

    /// Whether the file that others look at is the one that is locked.
    pub fn is_at(&self, path: &Path) -> bool {
        self.file.is_at(path)
    }

    /// Takes the file that lies there now, made where it is missing; `false` where another engine has it.
    pub fn take_again(&mut self, path: &Path) -> io::Result<bool> {
        let Some(mut file) = FileLock::try_acquire(path)? else {
            return Ok(false);
        };
        file.sign()?;
        self.file = file;
        Ok(true)
    }
}

/// Whether an engine holds this home. Nothing is made, and what is free is let go of at once.
pub fn is_held(home: &Path, path: &Path) -> bool {
    let held = |path: &Path, file: io::Result<File>| {
        let lock = file.and_then(FileLock::on);
        path.exists() && matches!(lock, Ok(None))
    };
    held(home, File::open(home)) || held(path, File::open(path))
}

/// The process that holds the lock, as it says itself. Of use only while the lock is held.
pub fn holder(path: &Path) -> Option<u32> {
    let mut note = String::new();
    let file = File::open(path).ok()?;
    file.take(LONGEST_NOTE).read_to_string(&mut note).ok()?;
    note.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holds_it_until_it_is_dropped() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("engine.lock");
        let held = FileLock::try_acquire(&path).unwrap().expect("nobody holds it");
        assert!(FileLock::try_acquire(&path).unwrap().is_none());
        drop(held);
        assert!(FileLock::try_acquire(&path).unwrap().is_some());
    }

    #[test]
    fn a_lock_is_not_taken_through_a_link() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("engine.lock");
        std::os::unix::fs::symlink(home.path().join("elsewhere"), &path).unwrap();
        assert!(FileLock::try_acquire(&path).is_err());
        assert!(!home.path().join("elsewhere").exists());
    }

    #[test]
    fn a_home_has_one_engine_whatever_becomes_of_the_file() {
        let home = tempfile::tempdir().unwrap();
        let (home, path) = (home.path(), home.path().join("engine.lock"));
        assert!(!is_held(home, &path) && !path.exists());
        let mut held = EngineLock::try_acquire(home, &path).unwrap().expect("nobody holds it");
        assert_eq!(holder(&path), Some(std::process::id()));
        std::fs::remove_file(&path).unwrap();
        assert!(is_held(home, &path));
        assert!(EngineLock::try_acquire(home, &path).unwrap().is_none());
        assert!(!held.is_at(&path));
        assert!(held.take_again(&path).unwrap() && held.is_at(&path));
        std::fs::remove_file(&path).unwrap();
        let _other = FileLock::try_acquire(&path).unwrap().expect("it is a new file");
        assert!(!held.take_again(&path).unwrap());
        drop(held);
        assert!(is_held(home, &path), "by the other");
    }
}
