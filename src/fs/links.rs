//! Symbolic links beneath a directory handle: made and read, never followed.

use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, readlinkat, renameat, symlinkat, unlinkat};
use rustix::io::Errno;

use super::files::temporary_name;
use super::{Dir, Error};

impl Dir {
    /// Makes `rel` a link to `target`, in one step where a file or link was there before.
    pub fn symlink(&self, target: impl AsRef<Path>, rel: impl AsRef<Path>) -> Result<(), Error> {
        let (parent, leaf) = self.parent_of(rel.as_ref())?;
        let failed = |e: Errno| Error::io("linking", &parent.path().join(leaf), e);
        let temporary = temporary_name();
        symlinkat(target.as_ref(), parent.fd(), &temporary).map_err(failed)?;
        if let Err(e) = renameat(parent.fd(), &temporary, parent.fd(), leaf) {
            // Best effort, as for files: the rename's error is the one to tell.
            let _ = unlinkat(parent.fd(), &temporary, AtFlags::empty());
            return Err(failed(e));
        }
        parent.sync()
    }

    /// Where the link at `rel` points. `None` where nothing is, or something that is no link.
    pub fn read_link(&self, rel: impl AsRef<Path>) -> Result<Option<PathBuf>, Error> {
        let (parent, leaf) = match self.parent_of(rel.as_ref()) {
            Err(e) if e.is_missing() => return Ok(None),
            other => other?,
        };
        match readlinkat(parent.fd(), leaf, Vec::new()) {
            Ok(target) => Ok(Some(std::ffi::OsString::from_vec(target.into_bytes()).into())),
            Err(Errno::NOENT | Errno::INVAL) => Ok(None),
            Err(e) => Err(Error::io("reading the link", &parent.path().join(leaf), e)),
        }
    }
}
