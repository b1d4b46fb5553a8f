//! A lock that the kernel lets go of when its holder dies, so that nothing is ever cleaned up by hand.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// Held as long as it lives. The file stays: removing it would let two hold two files of the same name.
#[derive(Debug)]
pub struct Lock {
    /// Closed on exec, so no child keeps the lock of a dead parent.
    _file: File,
}

impl Lock {
    /// The lock on this file, made where it is missing; None while another holds it.
    pub fn try_acquire(path: &Path) -> io::Result<Option<Lock>> {
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed())
            .open(path)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holds_it_until_it_is_dropped() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("engine.lock");
        let held = Lock::try_acquire(&path).unwrap().expect("nobody holds it");
        assert!(Lock::try_acquire(&path).unwrap().is_none());
        drop(held);
        assert!(Lock::try_acquire(&path).unwrap().is_some());
    }

    #[test]
    fn a_lock_is_not_taken_through_a_link() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("engine.lock");
        std::os::unix::fs::symlink(home.path().join("elsewhere"), &path).unwrap();
        assert!(Lock::try_acquire(&path).is_err());
        assert!(!home.path().join("elsewhere").exists());
    }
}
