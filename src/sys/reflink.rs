//! Copies a file so that the copy shares the original's blocks where the file system can do that.
//!
//! The copy is a file of its own either way: writing to one never shows in the other, which a hard link cannot promise.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::BorrowedFd;

use rustix::fs::{Mode, OFlags, openat};

/// How the bytes came over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopiedBy {
    /// Copy-on-write: it cost no space.
    Shared,
    Whole,
}

/// How much is copied between two looks at whether to stop: well under a second on any disk.
const SLICE: u64 = 32 << 20;

/// Makes the file `name` in `dir`, which must not exist yet, with the contents of `from`. Once `stop` says so,
/// the copy ends as `Interrupted`.
pub fn copy(
    from: &File,
    dir: BorrowedFd<'_>,
    name: &OsStr,
    mode: Mode,
    stop: &dyn Fn() -> bool,
) -> io::Result<CopiedBy> {
    #[cfg(target_vendor = "apple")]
    if rustix::fs::fclonefileat(from, dir, name, rustix::fs::CloneFlags::NOFOLLOW).is_ok() {
        rustix::fs::fchmod(
            openat(dir, name, OFlags::RDONLY | OFlags::NOFOLLOW, Mode::empty())?,
            mode,
        )?;
        return Ok(CopiedBy::Shared);
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut to = File::from(openat(dir, name, flags, mode)?);
    rustix::fs::fchmod(&to, mode)?;
    #[cfg(target_os = "linux")]
    if rustix::fs::ioctl_ficlone(&to, from).is_ok() {
        return Ok(CopiedBy::Shared);
    }
    while io::copy(&mut from.take(SLICE), &mut to)? == SLICE {
        if stop() {
            return Err(io::ErrorKind::Interrupted.into());
        }
    }
    Ok(CopiedBy::Whole)
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
        copy(&from, handle.as_fd(), OsStr::new("b"), Mode::from(0o400), &|| false).unwrap();
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
        let refused = copy(&from, handle.as_fd(), OsStr::new("b"), Mode::from(0o600), &|| false).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(dir.path().join("b")).unwrap(), b"mine");
    }

    #[test]
    fn a_long_copy_stops_when_told_to() {
        let dir = tempfile::tempdir().unwrap();
        let from = File::create_new(dir.path().join("a")).unwrap();
        from.set_len(SLICE * 4).unwrap();
        let handle = File::open(dir.path()).unwrap();
        let from = File::open(dir.path().join("a")).unwrap();
        match copy(&from, handle.as_fd(), OsStr::new("b"), Mode::from(0o600), &|| true) {
            Ok(how) => assert_eq!(how, CopiedBy::Shared),
            Err(e) => assert_eq!(e.kind(), io::ErrorKind::Interrupted),
        }
        let copied = std::fs::metadata(dir.path().join("b")).unwrap().len();
        assert!(copied == SLICE || copied == SLICE * 4, "{copied}");
    }
}
