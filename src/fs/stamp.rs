//! What tells whether a file may have changed since it was last read, and how a working tree is written back.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags, Stat, fchmod, fstat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

use super::files::temporary_name;
use super::{Dir, DirEntryKind, Error, Metadata};

/// All that the kernel tells of an entry without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub kind: DirEntryKind,
    /// Permission bits only.
    pub mode: u32,
    pub len: u64,
    /// Seconds and nanoseconds since 1970.
    pub modified: (i64, u32),
    /// As `modified`, of the last change to content or metadata. No program can set it.
    pub changed: (i64, u32),
    pub device: u64,
    pub inode: u64,
    pub owner: u32,
    pub group: u32,
}

// The widths of these fields differ by system.
#[allow(clippy::unnecessary_cast)]
impl Stamp {
    fn of(stat: &Stat) -> Stamp {
        let plain = Metadata::of(stat);
        Stamp {
            kind: plain.kind,
            mode: plain.mode,
            len: plain.len,
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as u32),
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as u32),
            device: plain.device,
            inode: plain.inode,
            owner: stat.st_uid,
            group: stat.st_gid,
        }
    }
}

impl Dir {
    /// The stamp of what is at `rel` itself, a link being a link. `None` where nothing is.
    pub fn stamp(&self, rel: impl AsRef<Path>) -> Result<Option<Stamp>, Error> {
        let (parent, leaf) = match self.parent_of(rel.as_ref()) {
            Err(e) if e.is_missing() || e.is_blocked() => return Ok(None),
            other => other?,
        };
        match parent.stat(leaf) {
            Ok(stat) => Ok(Some(Stamp::of(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(e) => Err(Error::io("looking at", &parent.path().join(leaf), e)),
        }
    }

    /// The stamp of this directory itself.
    pub fn own_stamp(&self) -> Result<Stamp, Error> {
        let stat = fstat(self.fd()).map_err(|e| Error::io("looking at", self.path(), e))?;
        Ok(Stamp::of(&stat))
    }

    /// What is in this directory, with stamps, in no order. An entry that vanishes meanwhile is left out; one that cannot
    /// be looked at is told with the reason.
    pub fn stamps(&self, mut found: impl FnMut(&OsStr, Result<Stamp, Error>)) -> Result<(), Error> {
        let reading = |e| Error::io("reading", self.path(), e);
        // A new open: a shared descriptor would share its read position with the other users of this handle.
        for entry in rustix::fs::Dir::read_from(self.fd()).map_err(reading)? {
            let entry = entry.map_err(reading)?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let named = OsStr::from_bytes(name.to_bytes());
            match statat(self.fd(), name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => found(named, Ok(Stamp::of(&stat))),
                Err(Errno::NOENT) => {}
                Err(e) => found(named, Err(Error::io("looking at", &self.path().join(named), e))),
            }
        }
        Ok(())
    }

    /// Replaces the file or link at `rel` in one step. It lasts through a power cut only after
    /// [`Dir::sync_file_system`].
    pub fn replace_unsynced(&self, rel: impl AsRef<Path>, bytes: &[u8], mode: u32) -> Result<(), Error> {
        self.replace_unsynced_by(rel, mode, |file| file.write_all(bytes))
    }

    /// As [`Dir::replace_unsynced`], with what is written piece by piece.
    pub fn replace_unsynced_by(
        &self,
        rel: impl AsRef<Path>,
        mode: u32,
        write: impl FnOnce(&mut File) -> std::io::Result<()>,
    ) -> Result<(), Error> {
        let (parent, leaf) = self.parent_of(rel.as_ref())?;
        let path = parent.path().join(leaf);
        let temporary = temporary_name();
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let written = openat(parent.fd(), &temporary, flags, Mode::RUSR | Mode::WUSR)
            .map_err(std::io::Error::from)
            .and_then(|fd| {
                let mut file = File::from(fd);
                write(&mut file)?;
                fchmod(&file, Mode::from_bits_truncate(mode as _))?;
                Ok(renameat(parent.fd(), &temporary, parent.fd(), leaf)?)
            });
        written.map_err(|e| {
            // Best effort: the error that matters is the one we return.
            let _ = unlinkat(parent.fd(), &temporary, AtFlags::empty());
            Error::io("writing", &path, e)
        })
    }

    /// Sets the permission bits of the file or directory at `rel`. A link is left alone: it has none.
    pub fn set_mode(&self, rel: impl AsRef<Path>, mode: u32) -> Result<(), Error> {
        let (parent, leaf) = self.parent_of(rel.as_ref())?;
        let path = parent.path().join(leaf);
        parent
            .change_mode(leaf, Mode::from_bits_truncate(mode as _))
            .map_err(|e| Error::io("setting the mode of", &path, e))
    }

    /// As [`Dir::remove_empty_dir`], with the directories in it that hold nothing either.
    pub fn remove_empty_dirs(&self, rel: impl AsRef<Path>) -> Result<bool, Error> {
        let rel = rel.as_ref();
        if self.metadata(rel)?.is_some_and(|found| found.kind == DirEntryKind::Dir) {
            for entry in self.entries(rel)? {
                if entry.kind == DirEntryKind::Dir {
                    self.remove_empty_dirs(rel.join(entry.name))?;
                }
            }
        }
        self.remove_empty_dir(rel)
    }

    /// Removes the directory at `rel` if nothing is in it. Whether it is gone.
    pub fn remove_empty_dir(&self, rel: impl AsRef<Path>) -> Result<bool, Error> {
        let (parent, leaf) = match self.parent_of(rel.as_ref()) {
            Err(e) if e.is_missing() => return Ok(true),
            other => other?,
        };
        match unlinkat(parent.fd(), leaf, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT) => Ok(true),
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => Ok(false),
            Err(e) => Err(Error::io("removing", &parent.path().join(leaf), e)),
        }
    }
}
