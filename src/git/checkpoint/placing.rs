//! Writes single files into a clone that was just saved, and brings back what that replaced.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::Store;
use super::clone_index::CloneIndex;
use super::file::TreeFile;
use super::seen::{LINK, PROGRAM};
use super::snapshot::Snapshot;
use super::stored_file::store_file;
use crate::fs::{Dir, DirEntryKind};
use crate::git::Error;
use crate::model::pick::LeftFile;

/// A clone, and how it was just saved.
pub(super) struct Placing<'a> {
    pub store: &'a Store,
    pub clone: &'a Dir,
    pub now: &'a Snapshot,
}

impl Placing<'_> {
    /// As git says modes: a program or not. All other bits stay as they are.
    pub fn put(&self, path: &Path, mode: u32, content: &[u8]) -> Result<(), Error> {
        self.check_unchanged(path)?;
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            self.clone.create_dir(parent)?;
        }
        let stamp = self.clone.stamp(path)?;
        if mode == LINK {
            if stamp.is_some() {
                self.clone.remove_file(path)?;
            }
            return Ok(self.clone.symlink(OsStr::from_bytes(content), path)?);
        }
        let bits = match stamp.filter(|stamp| stamp.kind == DirEntryKind::File) {
            Some(stamp) => stamp.mode,
            // As private as the clone itself.
            None => self.clone.own_stamp()?.mode & 0o666,
        };
        let bits = match mode == PROGRAM {
            true => bits | (bits & 0o444) >> 2,
            false => bits & !0o111,
        };
        Ok(self.clone.replace_unsynced(path, content, bits)?)
    }

    pub fn take_away(&self, path: &Path) -> Result<(), Error> {
        self.check_unchanged(path)?;
        Ok(self.clone.remove_file(path)?)
    }

    /// An agent may write at any time: what it wrote since must not be lost.
    fn check_unchanged(&self, path: &Path) -> Result<(), Error> {
        let saved = self.store.file_in(self.now.files(), path)?;
        let now = store_file(&self.store.repository, self.clone, path)?;
        let now = now.map(|file| TreeFile {
            id: file.id,
            mode: file.mode,
        });
        let is_there = self.clone.stamp(path)?.is_some();
        match now == saved && (saved.is_some() || !is_there) {
            true => Ok(()),
            false => Err(Error::Stale {
                path: path.to_path_buf(),
            }),
        }
    }
}

impl Store {
    /// These files as they are in a clone now.
    pub fn left(&self, clone: &Dir, paths: &[&Path]) -> Result<Vec<LeftFile>, Error> {
        let left = |path: &&Path| {
            let found = store_file(&self.repository, clone, path)?;
            let found = found.map(|file| TreeFile {
                id: file.id,
                mode: file.mode,
            });
            Ok(LeftFile {
                path: path.to_path_buf(),
                is: found.map(name),
            })
        };
        paths.iter().map(left).collect()
    }

    /// Makes files what they were when they were saved, if all are still as they were left. `now` is the clone as it was
    /// just saved.
    pub fn bring_back(
        &self,
        clone: &Dir,
        (now, saved): (&Snapshot, &Snapshot),
        left: &[LeftFile],
    ) -> Result<(), Error> {
        for file in left {
            if self.file_in(now.files(), &file.path)?.map(name) != file.is {
                return Err(Error::Stale {
                    path: file.path.clone(),
                });
            }
        }
        let store = self;
        let placing = Placing { store, clone, now };
        for LeftFile { path, is } in left {
            match self.file_in(saved.files(), path)? {
                Some(file) => placing.put(path, file.mode, &self.blob(file.id)?)?,
                None if is.is_some() => placing.take_away(path)?,
                None => {}
            }
        }
        if let Err(error) = self.stage_again(clone, (now, saved), left) {
            tracing::warn!(
                "what came back in {} is not staged again: {error}",
                clone.path().display()
            );
        }
        Ok(clone.sync_file_system()?)
    }

    /// What was staged of these files when they were saved is staged again, unless something else is by now.
    fn stage_again(&self, clone: &Dir, (now, saved): (&Snapshot, &Snapshot), left: &[LeftFile]) -> Result<(), Error> {
        let git = saved
            .git_state(&self.repository)
            .map_err(|source| self.failed(source))?;
        let tracked = self.tracked(git.and_then(|git| git.index))?;
        let committed = self.committed(now)?;
        let mut index = CloneIndex::read(self, clone)?;
        for LeftFile { path, .. } in left {
            let head = committed.map(|files| self.file_in(files, path)).transpose()?;
            if index.has_conflict(path) || index.get(path) != head.flatten() {
                continue;
            }
            match tracked.iter().find(|entry| entry.path == *path) {
                Some(entry) if entry.is_in_conflict() => {}
                Some(entry) => {
                    let (id, mode) = (entry.oid, entry.mode);
                    index.put(path, TreeFile { id, mode })?;
                }
                None => index.remove(path)?,
            }
        }
        index.write().map(drop)
    }
}

fn name(file: TreeFile) -> String {
    format!("{:o} {}", file.mode, file.id)
}
