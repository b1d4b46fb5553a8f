//! Removing a whole directory that an agent may still be writing in.
//!
//! By handle: a link is unlinked, never followed, and a mount is left alone. Directories that forbid it are made
//! writable. A writer that races us costs another pass, up to a bound. Trees deeper than [`DEPTH`] are folded up towards
//! the top, so that depth costs neither stack nor descriptors.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, fchmod, fstat, openat, renameat, unlinkat};
use rustix::io::Errno;

use super::files::temporary_name;
use super::{Dir, Error};

/// Each level holds one descriptor; 256 is the least that systems allow a process.
const DEPTH: usize = 32;
/// A writer makes at most some files between two passes; one that outruns this many is still running and must be stopped.
const PASSES: usize = 100;

impl Dir {
    /// Removes whatever is at `rel`, with all beneath it; nothing there is fine.
    pub fn remove_tree(&self, rel: impl AsRef<Path>) -> Result<(), Error> {
        let (parent, leaf) = match self.parent_of(rel.as_ref()) {
            Err(e) if e.is_missing() => return Ok(()),
            other => other?,
        };
        let Some(device) = device(&parent, leaf)? else {
            return Ok(());
        };
        Removal { device, top: None }.remove(&parent, leaf, 0)
    }
}

struct Removal {
    device: u64,
    /// The outermost directory being removed, where folded ones go.
    top: Option<Dir>,
}

impl Removal {
    fn remove(&mut self, parent: &Dir, name: &OsStr, depth: usize) -> Result<(), Error> {
        let failed = |e: Errno| Error::io("removing", &parent.path().join(name), e);
        let mut refused = Errno::NOTEMPTY;
        for _ in 0..PASSES {
            let unlinked = unlinkat(parent.fd(), name, AtFlags::empty());
            match unlinked {
                Ok(()) | Err(Errno::NOENT) => return Ok(()),
                // Linux says EISDIR for a directory, POSIX and macOS EPERM.
                Err(Errno::ISDIR | Errno::PERM) => {}
                Err(e) => return Err(failed(e)),
            }
            if depth > DEPTH && self.fold(parent, name)? {
                return Ok(());
            }
            match self.open(parent, name)? {
                Some(dir) => self.empty(dir, depth)?,
                None => {
                    // A file that nobody may remove is no directory that fills up.
                    refused = unlinked.err().unwrap_or(refused);
                    continue;
                }
            }
            match unlinkat(parent.fd(), name, AtFlags::REMOVEDIR) {
                Ok(()) | Err(Errno::NOENT) => return Ok(()),
                // Someone wrote into it, or put something else in its place: once more.
                Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => {}
                Err(e) => return Err(failed(e)),
            }
        }
        Err(failed(refused))
    }

    fn empty(&mut self, dir: Dir, depth: usize) -> Result<(), Error> {
        if depth == 0 {
            self.top = Some(dir.try_clone()?);
        }
        loop {
            for entry in dir.list()? {
                self.remove(&dir, &entry.name, depth + 1)?;
            }
            // Folding added entries to the top while we went through it.
            if depth > 0 || dir.list()?.iter().all(|e| !is_folded(&e.name)) {
                return Ok(());
            }
        }
    }

    /// The directory, open and writable; `None` where it has meanwhile become something else.
    fn open(&self, parent: &Dir, name: &OsStr) -> Result<Option<Dir>, Error> {
        let path = parent.path().join(name);
        match device(parent, name)? {
            Some(device) if device != self.device => return Err(Error::Mount { path }),
            _ => {}
        }
        let dir = match parent.step(name) {
            Err(e) if e.is_denied() => {
                unlock(parent, name)?;
                parent.step(name)
            }
            other => other,
        };
        let dir = match dir {
            Err(e) if e.is_missing() || e.is_blocked() => return Ok(None),
            other => other?,
        };
        let stat = fstat(dir.fd()).map_err(|e| Error::io("looking at", &path, e))?;
        #[allow(clippy::unnecessary_cast)] // The width of st_dev differs by system.
        if stat.st_dev as u64 != self.device || is_mount(&dir) {
            return Err(Error::Mount { path });
        }
        if !Mode::from_raw_mode(stat.st_mode).contains(Mode::RWXU) {
            fchmod(dir.fd(), Mode::RWXU).map_err(|e| Error::io("unlocking", &path, e))?;
        }
        Ok(Some(dir))
    }

    /// Moves a deep directory up to the top, to be emptied from there.
    fn fold(&self, parent: &Dir, name: &OsStr) -> Result<bool, Error> {
        let Some(top) = &self.top else {
            return Ok(false);
        };
        let Some(_writable) = self.open(parent, name)? else {
            return Ok(false);
        };
        match renameat(parent.fd(), name, top.fd(), folded_name()) {
            Ok(()) | Err(Errno::NOENT) => Ok(true),
            Err(e) => Err(Error::io("removing", &parent.path().join(name), e)),
        }
    }
}

fn device(parent: &Dir, name: &OsStr) -> Result<Option<u64>, Error> {
    match parent.stat(name) {
        Ok(stat) => Ok(Some(super::Metadata::of(&stat).device)),
        Err(Errno::NOENT) => Ok(None),
        Err(e) => Err(Error::io("looking at", &parent.path().join(name), e)),
    }
}

fn folded_name() -> OsString {
    let mut name = OsString::from(".parlour-fold");
    name.push(temporary_name());
    name
}

fn is_folded(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with(".parlour-fold")
}

/// Makes a directory of ours that forbids even reading enterable.
fn unlock(parent: &Dir, name: &OsStr) -> Result<(), Error> {
    parent
        .change_mode(name, Mode::RWXU)
        .map_err(|e| Error::io("unlocking", &parent.path().join(name), e))
}

impl Dir {
    /// A link in its place must not be followed, and Linux has no `fchmodat` that says so on the kernels we support, so
    /// it goes by a handle that needs no permission.
    #[cfg(target_os = "linux")]
    pub(super) fn change_mode(&self, name: &OsStr, mode: Mode) -> Result<(), Errno> {
        use std::os::fd::AsRawFd;
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = openat(self.fd(), name, flags, Mode::empty())?;
        if FileType::from_raw_mode(fstat(&handle)?.st_mode) == FileType::Symlink {
            return Ok(());
        }
        rustix::fs::chmod(format!("/proc/self/fd/{}", handle.as_raw_fd()), mode)
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn change_mode(&self, name: &OsStr, mode: Mode) -> Result<(), Errno> {
        rustix::fs::chmodat(self.fd(), name, mode, AtFlags::SYMLINK_NOFOLLOW)
    }
}

/// A bind mount has the device of what it shows; only the kernel knows that it is one.
#[cfg(target_os = "linux")]
fn is_mount(dir: &Dir) -> bool {
    use rustix::fs::{StatxAttributes, StatxFlags, statx};
    statx(dir.fd(), "", AtFlags::EMPTY_PATH, StatxFlags::BASIC_STATS)
        .is_ok_and(|found| found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

#[cfg(not(target_os = "linux"))]
fn is_mount(_dir: &Dir) -> bool {
    false
}
