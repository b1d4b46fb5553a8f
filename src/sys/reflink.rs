//! Copies a file so that the copy shares the original's blocks where the file system can do that.
//!
//! The copy is a file of its own either way: writing to one never shows in the other, which a hard link cannot promise.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::BorrowedFd;

use rustix::fs::{Mode, OFlags, openat};

/// How the bytes came over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copied {
    /// Copy-on-write: it cost no space.
    Shared,
    Whole,
}

/// Makes the file `name` in `dir`, which must not exist yet, with the contents of `from`.
pub fn copy(from: &File, dir: BorrowedFd<'_>, name: &OsStr, mode: Mode) -> io::Result<Copied> {
    #[cfg(target_vendor = "apple")]
    if rustix::fs::fclonefileat(from, dir, name, rustix::fs::CloneFlags::NOFOLLOW).is_ok() {
        rustix::fs::fchmod(
            openat(dir, name, OFlags::RDONLY | OFlags::NOFOLLOW, Mode::empty())?,
            mode,
        )?;
        return Ok(Copied::Shared);
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut to = File::from(openat(dir, name, flags, mode)?);
    rustix::fs::fchmod(&to, mode)?;
    #[cfg(target_os = "linux")]
    if rustix::fs::ioctl_ficlone(&to, from).is_ok() {
        return Ok(Copied::Shared);
    }
    let mut reader = from;
    io::copy(&mut reader, &mut to)?;
    Ok(Copied::Whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn a_copy_has_the_bytes_but_not_the_inode() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a"), b"one").unwrap();
        let handle = File::open(dir.path()).unwrap();
        let from = File::open(dir.path().join("a")).unwrap();
        copy(&from, handle.as_fd(), OsStr::new("b"), Mode::from(0o400)).unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        File::options()
            .append(true)
            .open(&a)
            .unwrap()
            .write_all(b" two")
            .unwrap();
        assert_eq!(std::fs::read(&b).unwrap(), b"one");
        let meta = std::fs::metadata(&b).unwrap();
        assert_eq!((meta.nlink(), meta.mode() & 0o7777), (1, 0o400));
        assert_ne!(meta.ino(), std::fs::metadata(&a).unwrap().ino());
    }

    #[test]
    fn an_existing_file_is_never_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a"), b"one").unwrap();
        std::fs::write(dir.path().join("b"), b"mine").unwrap();
        let handle = File::open(dir.path()).unwrap();
        let from = File::open(dir.path().join("a")).unwrap();
        let refused = copy(&from, handle.as_fd(), OsStr::new("b"), Mode::from(0o600)).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(dir.path().join("b")).unwrap(), b"mine");
    }
}
