//! An open directory, and how everything beneath it is reached: one component at a time, following no link.
//!
//! `openat` per component works on every Unix we run on; `openat2` with RESOLVE_BENEATH would be one call but is
//! Linux only, and would follow links that stay inside, which we do not want either.

use std::ffi::{OsStr, OsString};
use std::ops::Deref;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, fchmod, mkdirat, openat, statat};
use rustix::io::Errno;

use super::writing::Writing;
use super::{Error, relative};
use crate::sys::flush;

const OPEN_DIR: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);
/// A directory on the way to one: it is passed through, which needs no right to list it.
#[cfg(target_os = "linux")]
const PASSED: OFlags = OFlags::PATH.union(OPEN_DIR);
#[cfg(not(target_os = "linux"))]
const PASSED: OFlags = OPEN_DIR;
const PRIVATE_DIR: Mode = Mode::RWXU;

/// A directory held open. Renaming or replacing it by path does not change what this handle reaches.
#[derive(Debug)]
pub struct Dir {
    fd: OwnedFd,
    /// Where it was when opened: for messages and for programs that want a path, never for our own opens.
    path: PathBuf,
}

/// A directory on the way to a file. The handle one starts from is borrowed: to list a thousand chats, thousands of
/// files are opened, and a second handle for each would double the system calls.
pub(super) enum Reached<'d> {
    Here(&'d Dir),
    Beneath(Dir),
}

impl Deref for Reached<'_> {
    type Target = Dir;

    fn deref(&self) -> &Dir {
        match self {
            Reached::Here(dir) => dir,
            Reached::Beneath(dir) => dir,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DirEntryKind {
    File,
    Dir,
    Link,
    /// A socket, a FIFO or a device.
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirEntry {
    pub name: OsString,
    pub kind: DirEntryKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    pub kind: DirEntryKind,
    pub len: u64,
    /// Permission bits only.
    pub mode: u32,
    pub modified: SystemTime,
    pub device: u64,
    pub inode: u64,
    pub owner: u32,
}

impl Dir {
    /// Opens a directory by a path we trust (the home, a directory a person named): links on the way are followed.
    pub fn open(path: impl AsRef<Path>) -> Result<Dir, Error> {
        let path = path.as_ref();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = rustix::fs::open(path, flags, Mode::empty()).map_err(|e| Error::io("opening", path, e))?;
        Ok(Dir {
            fd,
            path: path.to_path_buf(),
        })
    }

    /// Opens a directory by an absolute path that was resolved before: where a part of it has become a link since, that
    /// leads elsewhere and is refused.
    pub fn open_unlinked(path: impl AsRef<Path>) -> Result<Dir, Error> {
        let path = path.as_ref();
        let failed = |e| Error::io("opening, following no link,", path, e);
        let names = relative::components(path.strip_prefix("/").unwrap_or(path))?;
        let mut fd = rustix::fs::open("/", PASSED, Mode::empty()).map_err(failed)?;
        for (at, name) in names.iter().enumerate() {
            let flags = match at + 1 == names.len() {
                true => OPEN_DIR,
                false => PASSED,
            };
            fd = openat(&fd, *name, flags, Mode::empty()).map_err(failed)?;
        }
        Ok(Dir {
            fd,
            path: path.to_path_buf(),
        })
    }

    /// As [`Dir::open`]; what is missing of it is made, 0700.
    pub fn open_or_create(path: impl AsRef<Path>) -> Result<Dir, Error> {
        let path = path.as_ref();
        match Dir::open(path) {
            Err(e) if e.is_missing() => {}
            other => return other,
        }
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Dir::open(path);
        };
        let parent = if parent.as_os_str().is_empty() {
            Path::new(".")
        } else {
            parent
        };
        Dir::open_or_create(parent)?.step_or_create(name)?;
        Dir::open(path)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A path to this very directory, whatever lies at its name by now: for other processes, while this handle is open.
    #[cfg(target_os = "linux")]
    pub fn lasting_path(&self) -> PathBuf {
        use std::os::fd::AsRawFd;
        PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), self.fd.as_raw_fd()))
    }

    #[cfg(not(target_os = "linux"))]
    pub fn lasting_path(&self) -> PathBuf {
        self.path.clone()
    }

    pub fn try_clone(&self) -> Result<Dir, Error> {
        let fd = self.fd.try_clone().map_err(|e| Error::io("opening", &self.path, e))?;
        Ok(Dir {
            fd,
            path: self.path.clone(),
        })
    }

    /// The directory at `rel`; `.` is this one again.
    pub fn dir(&self, rel: impl AsRef<Path>) -> Result<Dir, Error> {
        match self.walk(&relative::components(rel.as_ref())?)? {
            Reached::Here(dir) => dir.try_clone(),
            Reached::Beneath(dir) => Ok(dir),
        }
    }

    /// The directory at `rel`, made (0700) with what is missing on the way to it.
    pub fn create_dir(&self, rel: impl AsRef<Path>) -> Result<Dir, Error> {
        let mut dir = self.try_clone()?;
        for name in relative::components(rel.as_ref())? {
            dir = dir.step_or_create(name)?;
        }
        Ok(dir)
    }

    /// Makes the directory at `rel`, which must not exist yet: the way to claim a name.
    pub fn create_new_dir(&self, rel: impl AsRef<Path>) -> Result<Dir, Error> {
        let (parent, leaf) = self.parent_of(rel.as_ref())?;
        parent.make(leaf)?;
        parent.step(leaf)
    }

    /// What is in the directory at `rel`, by name, without following links.
    pub fn entries(&self, rel: impl AsRef<Path>) -> Result<Vec<DirEntry>, Error> {
        match self.walk(&relative::components(rel.as_ref())?)? {
            Reached::Here(dir) => dir.list(),
            // Nobody else uses this handle.
            Reached::Beneath(Dir { fd, path }) => {
                let dir = rustix::fs::Dir::new(fd).map_err(|e| Error::io("reading", &path, e))?;
                entries_of(dir, &path)
            }
        }
    }

    /// What is at `rel` itself, a link being a link. `None` where nothing is.
    pub fn metadata(&self, rel: impl AsRef<Path>) -> Result<Option<Metadata>, Error> {
        let (parent, leaf) = match self.parent_of(rel.as_ref()) {
            Err(e) if e.is_missing() => return Ok(None),
            other => other?,
        };
        match parent.stat(leaf) {
            Ok(stat) => Ok(Some(Metadata::of(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(e) => Err(Error::io("looking at", &parent.path.join(leaf), e)),
        }
    }

    /// Whether both are one directory, whatever way led there.
    pub fn is_same(&self, other: &Dir) -> bool {
        let place = |dir: &Dir| rustix::fs::fstat(&dir.fd).ok().map(|stat| (stat.st_dev, stat.st_ino));
        place(self).is_some_and(|here| place(other) == Some(here))
    }

    /// Makes what was renamed into or out of this directory last through a power cut.
    pub fn sync(&self) -> Result<(), Error> {
        let _writing = Writing::begin(&self.path);
        rustix::fs::fsync(&self.fd).map_err(|e| Error::io("syncing", &self.path, e))
    }

    /// Makes everything beneath last through a power cut, and whatever else lies on its file system.
    pub fn sync_file_system(&self) -> Result<(), Error> {
        let _writing = Writing::begin(&self.path);
        flush::file_system_of(self.fd()).map_err(|e| Error::io("syncing", &self.path, e))
    }

    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    pub(super) fn stat(&self, name: &OsStr) -> Result<Stat, Errno> {
        statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW)
    }

    /// The directory that holds `rel`, and the last component.
    pub(super) fn parent_of<'p>(&self, rel: &'p Path) -> Result<(Reached<'_>, &'p OsStr), Error> {
        let (way, leaf) = relative::split_leaf(rel)?;
        Ok((self.walk(&way)?, leaf))
    }

    pub(super) fn list(&self) -> Result<Vec<DirEntry>, Error> {
        // A new open: a shared descriptor would share its read position with the other users of this handle.
        let dir = rustix::fs::Dir::read_from(&self.fd).map_err(|e| Error::io("reading", &self.path, e))?;
        entries_of(dir, &self.path)
    }

    fn walk(&self, names: &[&OsStr]) -> Result<Reached<'_>, Error> {
        let mut reached = Reached::Here(self);
        for name in names {
            reached = Reached::Beneath(reached.step(name)?);
        }
        Ok(reached)
    }

    pub(super) fn step(&self, name: &OsStr) -> Result<Dir, Error> {
        let path = self.path.join(name);
        match openat(&self.fd, name, OPEN_DIR, Mode::empty()) {
            Ok(fd) => Ok(Dir { fd, path }),
            Err(e) => Err(Error::io("opening", &path, e)),
        }
    }

    fn step_or_create(&self, name: &OsStr) -> Result<Dir, Error> {
        match self.step(name) {
            Err(e) if e.is_missing() => {}
            other => return other,
        }
        match self.make(name) {
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            other => other?,
        }
        self.step(name)
    }

    fn make(&self, name: &OsStr) -> Result<(), Error> {
        let failed = |e: Errno| Error::io("creating", &self.path.join(name), e);
        mkdirat(&self.fd, name, PRIVATE_DIR).map_err(failed)?;
        // A umask such as 0777 takes bits away even from the owner; only `fchmod` is free of it.
        match openat(&self.fd, name, OPEN_DIR, Mode::empty()) {
            Ok(fd) => fchmod(fd, PRIVATE_DIR).map_err(failed),
            Err(e) => Err(failed(e)),
        }
    }
}

/// What is in a directory, by name.
fn entries_of(mut dir: rustix::fs::Dir, path: &Path) -> Result<Vec<DirEntry>, Error> {
    let reading = |e| Error::io("reading", path, e);
    let mut found = Vec::new();
    while let Some(entry) = dir.read() {
        let entry = entry.map_err(reading)?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes()).to_os_string();
        if name != "." && name != ".." {
            found.push((name, entry.file_type()));
        }
    }
    let fd = dir.fd().map_err(reading)?;
    let kind = |name: &OsString| match statat(fd, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Metadata::of(&stat).kind,
        Err(_) => DirEntryKind::Other,
    };
    let entry = |(name, known): (OsString, FileType)| DirEntry {
        kind: match known {
            FileType::Unknown => kind(&name),
            known => DirEntryKind::of(known),
        },
        name,
    };
    let mut found: Vec<DirEntry> = found.into_iter().map(entry).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

impl DirEntryKind {
    fn of(file_type: FileType) -> DirEntryKind {
        match file_type {
            FileType::RegularFile => DirEntryKind::File,
            FileType::Directory => DirEntryKind::Dir,
            FileType::Symlink => DirEntryKind::Link,
            _ => DirEntryKind::Other,
        }
    }
}

// The widths of these fields differ by system.
#[allow(clippy::unnecessary_cast)]
impl Metadata {
    pub(super) fn of(stat: &Stat) -> Metadata {
        let since = Duration::new(stat.st_mtime.max(0) as u64, stat.st_mtime_nsec as u32);
        Metadata {
            kind: DirEntryKind::of(FileType::from_raw_mode(stat.st_mode)),
            len: stat.st_size.max(0) as u64,
            mode: stat.st_mode as u32 & 0o7777,
            modified: UNIX_EPOCH + since,
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
            owner: stat.st_uid,
        }
    }
}
