//! The index of a person's own repository, read only: which files are tracked, and which of them are unchanged by their
//! stamps.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use git2::{Index, IndexEntry, IndexTime, Oid, Repository};

use super::file::TreeFile;
use super::seen::{LINK, git_mode};
use super::staging::IndexFiles;
use crate::fs::{Dir, Stamp};
use crate::git::{Error, read};

const FILE: &str = "index";

pub(super) struct OwnIndex {
    entries: BTreeMap<PathBuf, IndexFile>,
    conflicts: BTreeSet<PathBuf>,
    /// When it was written.
    written: (i64, u32),
    /// Whether the file system tells programs from other files.
    tells_programs: bool,
}

/// An entry without its path.
#[derive(Debug, Clone, Copy)]
pub(super) struct IndexFile {
    pub id: Oid,
    pub mode: u32,
    /// git was told to take it as unchanged, or a sparse checkout leaves it out.
    pub is_held: bool,
    /// Its content is not in the index yet.
    is_intended: bool,
    len: u32,
    inode: u32,
    modified: (i32, u32),
    changed: (i32, u32),
}

impl OwnIndex {
    pub fn read(own: &Repository) -> Result<OwnIndex, Error> {
        let git = Dir::open(own.path())?;
        let stamp = git.stamp(FILE)?;
        let index = match stamp {
            Some(_) => Index::open(&own.path().join(FILE)).map_err(|_| Error::Place {
                path: own.path().join(FILE),
                why: "it is split, sparse or broken, which git alone can read".into(),
            })?,
            None => Index::new().map_err(|source| Error::Repository {
                path: own.path().to_path_buf(),
                source,
            })?,
        };
        let mut found = OwnIndex {
            entries: BTreeMap::new(),
            conflicts: BTreeSet::new(),
            written: stamp.map_or((0, 0), |stamp| stamp.modified),
            tells_programs: own
                .config()
                .and_then(|config| config.get_bool("core.filemode"))
                .unwrap_or(true),
        };
        for entry in index.iter() {
            let path = PathBuf::from(OsStr::from_bytes(&entry.path));
            match (entry.flags >> 12) & 3 {
                0 => drop(found.entries.insert(path, IndexFile::of(&entry))),
                _ => drop(found.conflicts.insert(path)),
            }
        }
        Ok(found)
    }

    pub fn get(&self, path: &Path) -> Option<IndexFile> {
        self.entries.get(path).copied()
    }

    pub fn has_conflict(&self, path: &Path) -> bool {
        self.conflicts.contains(path)
    }

    pub fn entries(&self) -> impl Iterator<Item = (&Path, IndexFile)> {
        self.entries.iter().map(|(path, entry)| (path.as_path(), *entry))
    }

    /// Of all that is tracked.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.entries.keys().chain(&self.conflicts).map(PathBuf::as_path)
    }

    /// What of them is staged.
    pub fn files(&self) -> IndexFiles {
        let file = |entry: &IndexFile| TreeFile {
            id: entry.id,
            mode: entry.mode,
        };
        let entries = self.entries.iter().filter(|(_, entry)| !entry.is_intended);
        IndexFiles {
            files: entries.map(|(path, entry)| (path.clone(), file(entry))).collect(),
            conflicts: self.conflicts.clone(),
        }
    }

    /// The mode that counts of a file with this one.
    pub fn mode(&self, entry: Option<IndexFile>, found: u32) -> u32 {
        match entry {
            Some(entry) if !self.tells_programs && found != LINK && entry.mode != LINK => entry.mode,
            Some(_) | None => found,
        }
    }

    /// A file with this stamp is as the entry has it. One that changed as the index was written may not show that.
    pub fn holds(&self, entry: &IndexFile, stamp: &Stamp) -> bool {
        if entry.is_held {
            return true;
        }
        let is_same = |(seconds, nanoseconds): (i32, u32), time: (i64, u32)| {
            i64::from(seconds) == time.0 && nanoseconds == time.1
        };
        !entry.is_intended
            && entry.mode == self.mode(Some(*entry), git_mode(stamp))
            && u64::from(entry.len) == stamp.len
            && u64::from(entry.inode) == stamp.inode & u64::from(u32::MAX)
            && is_same(entry.modified, stamp.modified)
            && is_same(entry.changed, stamp.changed)
            && stamp.modified < self.written
            && stamp.changed < self.written
    }
}

impl IndexFile {
    fn of(entry: &IndexEntry) -> IndexFile {
        let time = |time: IndexTime| (time.seconds(), time.nanoseconds());
        IndexFile {
            id: entry.id,
            mode: entry.mode,
            is_held: read::is_held(entry),
            is_intended: read::is_intended(entry),
            len: entry.file_size,
            inode: entry.ino,
            modified: time(entry.mtime),
            changed: time(entry.ctime),
        }
    }
}
