//! Reading, replacing, appending to and copying files beneath a directory handle.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, RenameFlags, fchmod, fstat, openat, renameat, renameat_with, unlinkat,
};
use rustix::io::Errno;

use super::dir::Reached;
use super::writing::Writing;
use super::{Dir, DirEntryKind, Error};
use crate::sys::reflink;

/// Bytes that most files which are read whole are shorter than.
const MOST_FILES: usize = 4 << 10;
const PRIVATE_FILE: Mode = Mode::RUSR.union(Mode::WUSR);

impl Dir {
    /// The whole file at `rel`, `None` where nothing is. What an agent can write may have grown without end, so every
    /// reader says how much it takes.
    pub fn read(&self, rel: impl AsRef<Path>, max: u64) -> Result<Option<Vec<u8>>, Error> {
        let path = self.path().join(rel.as_ref());
        let Some(file) = self.open_file(rel)? else {
            return Ok(None);
        };
        // Without room it would be read 32 bytes at a time at first; most files fit in this.
        let mut bytes = Vec::with_capacity(MOST_FILES.min(usize::try_from(max).unwrap_or(MOST_FILES)));
        file.take(max.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|e| Error::io("reading", &path, e))?;
        if bytes.len() as u64 > max {
            return Err(Error::TooLarge { path, max });
        }
        Ok(Some(bytes))
    }

    /// The regular file at `rel`, open for reading. `None` where nothing is.
    pub fn open_file(&self, rel: impl AsRef<Path>) -> Result<Option<File>, Error> {
        match self.open_regular(rel.as_ref(), OFlags::RDONLY, "reading") {
            Ok(file) => Ok(Some(file)),
            Err(e) if e.is_missing() => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// The file at `rel`, made where it is missing (0600), open to append to and to read.
    pub fn append(&self, rel: impl AsRef<Path>) -> Result<File, Error> {
        self.open_regular(rel.as_ref(), OFlags::RDWR | OFlags::APPEND | OFlags::CREATE, "opening")
    }

    /// The file at `rel`, made where it is missing (0600), open to read and to write anywhere in it.
    pub fn update(&self, rel: impl AsRef<Path>) -> Result<File, Error> {
        self.open_regular(rel.as_ref(), OFlags::RDWR | OFlags::CREATE, "opening")
    }

    /// Replaces the file at `rel`, 0600: readers and a power cut see the old bytes or the new, never a part. A link at
    /// `rel` is replaced, not followed.
    pub fn write_atomic(&self, rel: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Result<(), Error> {
        let parent = self.replace(rel.as_ref(), bytes.as_ref(), PRIVATE_FILE)?;
        parent.sync()
    }

    /// As [`Dir::write_atomic`], of a file with these permission bits.
    pub fn write_atomic_as(&self, rel: impl AsRef<Path>, bytes: impl AsRef<[u8]>, mode: u32) -> Result<(), Error> {
        let mode = Mode::from_bits_truncate(mode as _);
        self.replace(rel.as_ref(), bytes.as_ref(), mode)?.sync()
    }

    /// Writes the file at `rel` again, 0600, in its place: a reader may see a part of it, and until both the file and its
    /// directory are synced a power cut may leave less.
    pub fn write_unsynced(&self, rel: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Result<(), Error> {
        let path = self.path().join(rel.as_ref());
        let _writing = Writing::begin(&path);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
        let mut file = self.open_regular(rel.as_ref(), flags, "writing")?;
        file.write_all(bytes.as_ref())
            .map_err(|e| Error::io("writing", &path, e))
    }

    /// Returns the directory that the file is in.
    fn replace(&self, rel: &Path, bytes: &[u8], mode: Mode) -> Result<Reached<'_>, Error> {
        let (parent, leaf) = self.parent_of(rel)?;
        let path = parent.path().join(leaf);
        let failed = |e| Error::io("writing", &path, e);
        let temporary = temporary_name();
        let _writing = Writing::begin(&path);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd = openat(parent.fd(), &temporary, flags, PRIVATE_FILE).map_err(|e| failed(e.into()))?;
        let mut file = File::from(fd);
        let written = fchmod(&file, mode)
            .map_err(std::io::Error::from)
            .and_then(|()| file.write_all(bytes))
            .and_then(|()| file.sync_all())
            .and_then(|()| Ok(renameat(parent.fd(), &temporary, parent.fd(), leaf)?));
        if let Err(e) = written {
            // Best effort: the error that matters is the one we return, and a leftover is invisible to readers.
            let _ = unlinkat(parent.fd(), &temporary, AtFlags::empty());
            return Err(failed(e));
        }
        Ok(parent)
    }

    /// Copies an open file to `rel`, which must not exist yet, sharing blocks where the file system can.
    pub fn copy_file_in(&self, from: &File, rel: impl AsRef<Path>, mode: u32) -> Result<reflink::CopiedBy, Error> {
        self.copy_file_until(from, rel, mode, &|| false)
    }

    /// As [`Dir::copy_file_in`]; once `stop` says so it fails as interrupted, and leaves a part of the file.
    pub fn copy_file_until(
        &self,
        from: &File,
        rel: impl AsRef<Path>,
        mode: u32,
        stop: &dyn Fn() -> bool,
    ) -> Result<reflink::CopiedBy, Error> {
        let (parent, leaf) = self.parent_of(rel.as_ref())?;
        reflink::copy(from, parent.fd(), leaf, Mode::from_bits_truncate(mode as _), stop)
            .map_err(|e| Error::io("copying to", &parent.path().join(leaf), e))
    }

    /// Puts `rel` and `other`, which both exist, in each other's place in one step.
    pub fn exchange(&self, rel: impl AsRef<Path>, other: impl AsRef<Path>) -> Result<(), Error> {
        let (first, old) = self.parent_of(rel.as_ref())?;
        let (second, new) = self.parent_of(other.as_ref())?;
        renameat_with(first.fd(), old, second.fd(), new, RenameFlags::EXCHANGE)
            .map_err(|e| Error::io("exchanging", &first.path().join(old), e))?;
        first.sync()?;
        second.sync()
    }

    /// Lets the owner run the file at `rel`: 0700.
    pub fn set_executable(&self, rel: impl AsRef<Path>) -> Result<(), Error> {
        let path = self.path().join(rel.as_ref());
        let file = self.open_regular(rel.as_ref(), OFlags::RDONLY, "opening")?;
        fchmod(&file, Mode::RWXU).map_err(|e| Error::io("making executable", &path, e))
    }

    /// Takes from everybody the right to write to the directory at `rel` and to all beneath it, but for what lies in
    /// its own entry `except`. Links stay as they are.
    pub fn forbid_writing(&self, rel: impl AsRef<Path>, except: &str) -> Result<(), Error> {
        self.each_below(rel, except, |opened, path| forbid(opened, path))
    }

    /// Gives the owner that right back.
    pub fn allow_writing(&self, rel: impl AsRef<Path>, except: &str) -> Result<(), Error> {
        self.each_below(rel, except, |opened, path| allow(opened, path))
    }

    fn each_below(
        &self,
        rel: impl AsRef<Path>,
        except: &str,
        change: impl Fn(BorrowedFd<'_>, &Path) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let top = rel.as_ref().to_path_buf();
        let kept = top.join(except);
        let mut left = vec![top];
        while let Some(path) = left.pop() {
            let dir = self.dir(&path)?;
            for entry in dir.entries(".")? {
                let below = path.join(&entry.name);
                match entry.kind {
                    DirEntryKind::Dir if below != kept => left.push(below),
                    DirEntryKind::File if below != kept => {
                        let file = dir.open_regular(Path::new(&entry.name), OFlags::RDONLY, "opening")?;
                        change(file.as_fd(), &dir.path().join(&entry.name))?;
                    }
                    DirEntryKind::Dir | DirEntryKind::File | DirEntryKind::Link | DirEntryKind::Other => {}
                }
            }
            change(dir.fd(), dir.path())?;
        }
        Ok(())
    }

    /// Removes the file or link at `rel`; nothing there is fine.
    pub fn remove_file(&self, rel: impl AsRef<Path>) -> Result<(), Error> {
        let (parent, leaf) = match self.parent_of(rel.as_ref()) {
            Err(e) if e.is_missing() => return Ok(()),
            other => other?,
        };
        let _writing = Writing::begin(parent.path().join(leaf));
        match unlinkat(parent.fd(), leaf, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(e) => Err(Error::io("removing", &parent.path().join(leaf), e)),
        }
    }

    /// As [`Dir::remove_file`]; it stays removed after a power cut.
    pub fn remove_for_good(&self, rel: impl AsRef<Path>) -> Result<(), Error> {
        self.remove_file(rel.as_ref())?;
        match self.parent_of(rel.as_ref()) {
            Err(e) if e.is_missing() => Ok(()),
            other => other?.0.sync(),
        }
    }

    /// Moves `from` to `to` beneath another handle, replacing what a rename replaces; both directories are synced.
    pub fn rename(&self, from: impl AsRef<Path>, target: &Dir, to: impl AsRef<Path>) -> Result<(), Error> {
        let (source, old) = self.parent_of(from.as_ref())?;
        let (target, new) = target.parent_of(to.as_ref())?;
        let _writing = Writing::begin(target.path().join(new));
        renameat(source.fd(), old, target.fd(), new)
            .map_err(|e| Error::io("renaming to", &target.path().join(new), e))?;
        target.sync()?;
        source.sync()
    }

    /// As [`Dir::rename`], but fails with `AlreadyExists` where `to` is taken.
    pub fn rename_new(&self, from: impl AsRef<Path>, target: &Dir, to: impl AsRef<Path>) -> Result<(), Error> {
        let (source, old) = self.parent_of(from.as_ref())?;
        let (target, new) = target.parent_of(to.as_ref())?;
        let failed = |e: Errno| Error::io("renaming to", &target.path().join(new), e);
        let _writing = Writing::begin(target.path().join(new));
        match renameat_with(source.fd(), old, target.fd(), new, RenameFlags::NOREPLACE) {
            // Network file systems cannot refuse within the rename; then looking first must do.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => match target.stat(new) {
                Ok(_) => return Err(failed(Errno::EXIST)),
                Err(_) => renameat(source.fd(), old, target.fd(), new).map_err(failed)?,
            },
            other => other.map_err(failed)?,
        }
        target.sync()?;
        source.sync()
    }

    /// O_NONBLOCK, so that a FIFO or a device laid in our way cannot hold us up before we see that it is no file.
    fn open_regular(&self, rel: &Path, flags: OFlags, doing: &'static str) -> Result<File, Error> {
        let (parent, leaf) = self.parent_of(rel)?;
        let path = parent.path().join(leaf);
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let _writing = flags.contains(OFlags::CREATE).then(|| Writing::begin(&path));
        let fd = openat(parent.fd(), leaf, flags, PRIVATE_FILE).map_err(|e| match e {
            // A FIFO without a reader, a socket, a directory: none of them is a file to us.
            Errno::NXIO | Errno::ISDIR => Error::NotAFile { path: path.clone() },
            e => Error::io(doing, &path, e),
        })?;
        let stat = fstat(&fd).map_err(|e| Error::io(doing, &path, e))?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(Error::NotAFile { path });
        }
        if flags.contains(OFlags::CREATE) && stat.st_size == 0 {
            fchmod(&fd, PRIVATE_FILE).map_err(|e| Error::io(doing, &path, e))?;
        }
        Ok(File::from(fd))
    }
}

/// A name no one else uses, hidden from listings that skip dot files, and short whatever the final name's length.
pub(super) fn temporary_name() -> OsString {
    let mut random = [0u8; 10];
    getrandom::fill(&mut random).expect("the system gives random bytes");
    format!(".parlour-{}.tmp", data_encoding::HEXLOWER.encode(&random)).into()
}

fn forbid(opened: impl AsFd, path: &Path) -> Result<(), Error> {
    let failed = |e: Errno| Error::io("making read-only", path, e);
    let stat = fstat(&opened).map_err(failed)?;
    let mode = Mode::from_raw_mode(stat.st_mode) - (Mode::WUSR | Mode::WGRP | Mode::WOTH);
    fchmod(&opened, mode).map_err(failed)
}

fn allow(opened: impl AsFd, path: &Path) -> Result<(), Error> {
    let failed = |e: Errno| Error::io("making writable", path, e);
    let stat = fstat(&opened).map_err(failed)?;
    fchmod(&opened, Mode::from_raw_mode(stat.st_mode) | Mode::WUSR).map_err(failed)
}
