//! The index of a clone, changed by parlour: read as bytes, changed in the store, and put back as git itself would, under
//! `index.lock`. Nothing that the clone configures is in force, and no link is followed.

use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use git2::{ErrorCode, Index, IndexEntry, ObjectType, Oid};

use super::Store;
use super::file::TreeFile;
use super::seen::GITLINK;
use super::snapshot;
use crate::fs::{Dir, Stamp};
use crate::git::lock_file::LockFile;
use crate::git::{Error, read};

const MAX: u64 = 1 << 30;
const SCRATCH: &str = "picked-index";

pub(super) struct CloneIndex<'a> {
    store: &'a Store,
    git: Dir,
    index: Index,
    /// As it was read.
    raw: Option<Vec<u8>>,
    stamp: Option<Stamp>,
    is_changed: bool,
}

impl<'a> CloneIndex<'a> {
    pub fn read(store: &'a Store, clone: &Dir) -> Result<CloneIndex<'a>, Error> {
        let git = clone.dir(".git").map_err(|error| match error.is_missing() {
            true => Error::NotARepository {
                path: clone.path().to_path_buf(),
            },
            false => error.into(),
        })?;
        let stamp = git.stamp("index")?;
        let raw = git.read("index", MAX)?;
        match &raw {
            Some(raw) => store.dir.write_unsynced(SCRATCH, raw)?,
            None => store.dir.remove_file(SCRATCH)?,
        }
        // libgit2 reads files only.
        let index = Index::open(&store.dir.path().join(SCRATCH)).map_err(|_| Error::Pick {
            path: ".git/index".into(),
            why: "it is split, sparse or broken, which only git itself can change",
        })?;
        Ok(CloneIndex {
            store,
            git,
            index,
            raw,
            stamp,
            is_changed: false,
        })
    }

    /// None also of a file that is only announced.
    pub fn get(&self, path: &Path) -> Option<TreeFile> {
        let entry = self.index.get_path(path, 0).filter(|entry| !read::is_intended(entry))?;
        Some(TreeFile {
            id: entry.id,
            mode: entry.mode,
        })
    }

    pub fn has_conflict(&self, path: &Path) -> bool {
        (1..=3).any(|stage| self.index.get_path(path, stage).is_some())
    }

    /// Without a stamp: git looks at the file the next time.
    pub fn put(&mut self, path: &Path, file: TreeFile) -> Result<(), Error> {
        if self.get(path) == Some(file) {
            return Ok(());
        }
        let entry = snapshot::entry(path.as_os_str().as_bytes().to_vec(), file.id, file.mode);
        self.forget_conflict(path)?;
        self.index.add(&entry).map_err(|source| self.store.failed(source))?;
        self.is_changed = true;
        Ok(())
    }

    pub fn remove(&mut self, path: &Path) -> Result<(), Error> {
        self.forget_conflict(path)?;
        match self.index.remove(path, 0) {
            Ok(()) => self.is_changed = true,
            Err(error) if error.code() == ErrorCode::NotFound => {}
            Err(error) => return Err(self.store.failed(error)),
        }
        Ok(())
    }

    fn forget_conflict(&mut self, path: &Path) -> Result<(), Error> {
        if self.has_conflict(path) {
            self.index
                .conflict_remove(path)
                .map_err(|source| self.store.failed(source))?;
            self.is_changed = true;
        }
        Ok(())
    }

    /// Gives the clone a file's content, as git stores it.
    pub fn store_blob(&self, content: &[u8]) -> Result<Oid, Error> {
        let failed = |error: std::io::Error| Error::io("packing", ".git/objects", error);
        let id = Oid::hash_object(ObjectType::Blob, content).map_err(|source| self.store.failed(source))?;
        let name = id.to_string();
        let path = PathBuf::from(format!("objects/{}/{}", &name[..2], &name[2..]));
        if self.git.metadata(&path)?.is_none() {
            let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
            packed
                .write_all(format!("blob {}\0", content.len()).as_bytes())
                .and_then(|()| packed.write_all(content))
                .map_err(failed)?;
            self.git.create_dir(format!("objects/{}", &name[..2]))?;
            self.git
                .replace_unsynced(&path, &packed.finish().map_err(failed)?, 0o444)?;
        }
        Ok(id)
    }

    /// Puts it back. Whether anything in it changed.
    pub fn write(mut self) -> Result<bool, Error> {
        if !self.is_changed {
            return Ok(false);
        }
        self.distrust_young()?;
        self.index.write().map_err(|source| self.store.failed(source))?;
        let written = self.store.dir.read(SCRATCH, MAX)?.unwrap_or_default();
        let mode = self.stamp.map_or(0o644, |stamp| stamp.mode);
        self.git.sync_file_system()?;
        // From here on no git changes it.
        let lock = LockFile::take(&self.git, "index")?;
        if self.git.read("index", MAX)? != self.raw {
            return Err(Error::Changing {
                path: ".git/index".into(),
            });
        }
        lock.put(&written, mode)?;
        Ok(true)
    }

    /// git trusts the stamp of an entry that is older than the index. An entry as young as the index was may have changed
    /// since without showing it; the index is younger now, so its stamp has to go.
    fn distrust_young(&mut self) -> Result<(), Error> {
        let Some(stamp) = self.stamp else {
            return Ok(());
        };
        let is_young = |entry: &IndexEntry| {
            let modified = (i64::from(entry.mtime.seconds()), entry.mtime.nanoseconds());
            modified >= (stamp.modified.0, 0) && entry.file_size != 0 && entry.mode != GITLINK
        };
        let young: Vec<IndexEntry> = self.index.iter().filter(is_young).collect();
        for mut entry in young {
            entry.file_size = 0;
            // It does not replace what stands for a conflict.
            if (entry.flags >> 12) & 3 == 0 {
                let path = PathBuf::from(OsStr::from_bytes(&entry.path));
                debug_assert!(self.index.get_path(&path, 0).is_some());
                self.index.add(&entry).map_err(|source| self.store.failed(source))?;
            }
        }
        Ok(())
    }
}
