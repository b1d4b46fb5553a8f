//! The clone's own index: kept as it is, and read for the names of the files that the clone tracks.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use git2::{ErrorClass, Index, Oid};

use super::Store;
use super::gitdir::GitState;
use super::seen::{FileMark, SeenFiles};
use crate::fs::Dir;
use crate::git::{Error, read};

/// An entry has some 100 bytes: millions of files.
const MAX: u64 = 1 << 30;
const SCRATCH: &str = "clone-index";

/// An index as the store holds it.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredIndex {
    pub id: Oid,
    pub mark: Option<FileMark>,
    /// It is the one that was seen last.
    pub is_seen: bool,
}

/// An entry: all of it but the stamp, which changes when nothing else does.
#[derive(PartialEq, Eq)]
pub(super) struct TrackedFile {
    pub path: PathBuf,
    pub oid: Oid,
    pub mode: u32,
    flags: u16,
    /// Nothing of it is staged.
    pub is_intended: bool,
    /// git was told to take it as unchanged.
    pub is_assumed: bool,
}

impl TrackedFile {
    /// One of the sides of a conflict.
    pub fn is_in_conflict(&self) -> bool {
        (self.flags >> 12) & 3 != 0
    }
}

impl Store {
    /// What git says of the clone: its index, kept, and the rest as it is read.
    pub(super) fn git_state(
        &self,
        clone: &Dir,
        git: Option<&Dir>,
        seen: &SeenFiles,
    ) -> Result<(Option<StoredIndex>, Option<GitState>), Error> {
        let Some(git) = git else {
            return Ok((None, None));
        };
        let index = self.keep_index(git, seen)?;
        let state = GitState::read(clone, git, index.map(|index| index.id))?;
        Ok((index, state))
    }

    /// Keeps the index of the clone whose git directory is `git`. Reading one of 20,000 files takes 10 ms, so that is done
    /// only if it changed.
    pub(super) fn keep_index(&self, git: &Dir, seen: &SeenFiles) -> Result<Option<StoredIndex>, Error> {
        let Some(stamp) = git.stamp("index")? else {
            return Ok(None);
        };
        let known = seen.index.filter(|(mark, _)| mark.is_of(&stamp));
        if let Some((mark, id)) = known
            && self.repository.odb().is_ok_and(|odb| odb.exists(id))
        {
            return Ok(Some(StoredIndex {
                id,
                mark: Some(mark),
                is_seen: true,
            }));
        }
        let mark = FileMark::of(&stamp);
        let Some(raw) = git.read("index", MAX)? else {
            return Ok(None);
        };
        let id = self.repository.blob(&raw).map_err(|source| self.failed(source))?;
        let is_unchanged = git.stamp("index")? == Some(stamp);
        Ok(Some(StoredIndex {
            id,
            mark: mark.filter(|_| is_unchanged),
            is_seen: seen.index.is_some_and(|(_, seen)| seen == id),
        }))
    }

    /// The entries of a kept index, in order. An index that libgit2 does not understand (split, sparse) counts as empty.
    pub(super) fn tracked(&self, index: Option<Oid>) -> Result<Vec<TrackedFile>, Error> {
        let Some(id) = index else {
            return Ok(Vec::new());
        };
        let blob = self.repository.find_blob(id).map_err(|source| self.failed(source))?;
        // libgit2 reads files only.
        self.dir.write_unsynced(SCRATCH, blob.content())?;
        let index = Index::open(&self.dir.path().join(SCRATCH));
        if let Err(error) = &index
            && matches!(error.class(), ErrorClass::Os | ErrorClass::NoMemory)
        {
            return Err(self.failed(git2::Error::from_str(error.message())));
        }
        let entries = index.map(|index| {
            let entry = |entry: git2::IndexEntry| TrackedFile {
                path: PathBuf::from(OsStr::from_bytes(&entry.path)),
                oid: entry.id,
                mode: entry.mode,
                flags: entry.flags,
                is_intended: read::is_intended(&entry),
                is_assumed: read::is_assumed(&entry),
            };
            index.iter().map(entry).collect()
        });
        Ok(entries.unwrap_or_default())
    }
}
