//! Where the checkpoints of one clone are kept: a bare repository that only parlour writes.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use git2::{Oid, Repository};

use super::snapshot::Snapshot;
use super::stored_file::STREAMED;
use super::tree;
use crate::fs::Dir;
use crate::git::Error;
use crate::git::loose_object::LooseObject;

const REFS: &str = "refs/parlour/";
const ALTERNATES: &str = "objects/info/alternates";
/// Ours alone: no other program's settings apply, and no reflog grows.
const CONFIG: &str =
    "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfilemode = true\n\tlogallrefupdates = false\n";

/// The checkpoints of one clone. One job at a time may use it.
pub struct Store {
    pub(super) dir: Dir,
    pub(super) repository: Repository,
    /// The clone's cache, whose objects are not stored twice.
    pub(super) cache: Option<PathBuf>,
}

impl Store {
    /// Opens the store `name` in `parent`, and makes it where it is missing. It borrows the objects of the bare repository
    /// that its clone came from, which `cache` finds where that is not known or has moved.
    pub fn open(parent: &Dir, name: &str, cache: impl FnOnce() -> Option<PathBuf>) -> Result<Store, Error> {
        let dir = parent.create_dir(format!("{name}.git"))?;
        if dir.metadata("HEAD")?.is_none() {
            for folder in ["objects/info", "objects/pack", "refs"] {
                dir.create_dir(folder)?;
            }
            dir.write_atomic("config", CONFIG)?;
            // Last: with it, git calls the directory a repository.
            dir.write_atomic("HEAD", "ref: refs/heads/none\n")?;
        }
        let known = dir.read(ALTERNATES, 64 * 1024)?;
        let known = known.and_then(|line| Some(PathBuf::from(OsStr::from_bytes(line.strip_suffix(b"/objects\n")?))));
        let cache = match known.filter(|cache| cache.is_dir()) {
            Some(known) => Some(known),
            None => {
                let found = cache();
                if let Some(found) = &found {
                    let line = [found.join("objects").as_os_str().as_bytes(), b"\n"].concat();
                    dir.write_atomic(ALTERNATES, line)?;
                }
                found
            }
        };
        let repository = Repository::open_bare(dir.path()).map_err(|source| Error::Repository {
            path: dir.path().to_path_buf(),
            source,
        })?;
        Ok(Store { dir, repository, cache })
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Where the objects of its checkpoints lie.
    pub(super) fn object_folders(&self) -> Vec<PathBuf> {
        let of = |folder: &Path| folder.join("objects");
        let cache = self.cache.iter().map(|cache| of(cache));
        cache.chain([of(self.dir.path())]).collect()
    }

    /// An object that is too large to be read at once. What is packed cannot be read piece by piece.
    pub(super) fn large(&self, id: Oid) -> Option<LooseObject> {
        let name = id.to_string();
        let (folder, name) = name.split_at(2);
        let files = self
            .object_folders()
            .into_iter()
            .map(|objects| objects.join(folder).join(name));
        let mut objects = files.filter_map(|file| LooseObject::open(File::open(file).ok()?).ok());
        objects.next().filter(|object| object.size >= STREAMED)
    }

    /// All checkpoints, oldest first.
    pub fn snapshots(&self) -> Result<Vec<Snapshot>, Error> {
        let found = || {
            let references = self.repository.references_glob(&format!("{REFS}*"))?;
            let mut found = Vec::new();
            for reference in references {
                let reference = reference?;
                let number = reference
                    .name()
                    .ok()
                    .and_then(|name| name.strip_prefix(REFS)?.parse().ok());
                if let (Some(number), Some(commit)) = (number, reference.target()) {
                    found.push(Snapshot::load(&self.repository, number, commit)?);
                }
            }
            found.sort_by_key(|snapshot: &Snapshot| snapshot.number);
            Ok(found)
        };
        found().map_err(|source| self.failed(source))
    }

    /// The checkpoint with this number.
    pub fn snapshot(&self, number: u64) -> Result<Option<Snapshot>, Error> {
        let load = || match self.repository.refname_to_id(&name_of(number)) {
            Ok(commit) => Snapshot::load(&self.repository, number, commit).map(Some),
            Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(None),
            Err(error) => Err(error),
        };
        load().map_err(|source| self.failed(source))
    }

    /// The clone as it was at checkpoint `number`: a clone that had not changed then has none of that number.
    pub fn at(&self, number: u64) -> Result<Option<Snapshot>, Error> {
        let numbers = self.numbers()?.into_iter().filter(|known| *known <= number);
        numbers.max().map_or(Ok(None), |number| self.snapshot(number))
    }

    /// The files and links that a checkpoint holds.
    pub fn paths(&self, snapshot: &Snapshot) -> Result<BTreeSet<PathBuf>, Error> {
        let files = tree::files(&self.repository, snapshot.files).map_err(|source| self.failed(source))?;
        Ok(files.into_keys().collect())
    }

    pub(super) fn latest(&self) -> Result<Option<Snapshot>, Error> {
        let number = self.numbers()?.into_iter().max();
        number.map_or(Ok(None), |number| self.snapshot(number))
    }

    /// From here on the checkpoint exists.
    pub(super) fn keep(&self, number: u64, commit: Oid) -> Result<(), Error> {
        let folder = self.dir.create_dir("refs/parlour")?;
        Ok(folder.write_atomic(name(number), format!("{commit}\n"))?)
    }

    /// Forgets what a checkpoint left here that came to no end: its number is given again.
    pub(super) fn forget_from(&self, number: u64) -> Result<(), Error> {
        for left in self.numbers()?.into_iter().filter(|left| *left >= number) {
            self.dir.remove_file(name_of(left))?;
        }
        Ok(())
    }

    pub(super) fn failed(&self, source: git2::Error) -> Error {
        Error::of_store(self.dir.path(), source)
    }
}

/// What the stores in a folder have saved: of each clone the numbers of its checkpoints.
pub fn saved_numbers(stores: &Dir) -> Result<BTreeMap<String, BTreeSet<u64>>, Error> {
    let mut saved = BTreeMap::new();
    for entry in stores.entries(".")? {
        if let Some(clone) = entry.name.to_str().and_then(|name| name.strip_suffix(".git")) {
            let refs = Path::new(&entry.name).join(REFS);
            saved.insert(clone.to_owned(), numbers_in(stores, &refs)?.into_iter().collect());
        }
    }
    Ok(saved)
}

/// When a clone was saved under this number, which its store has.
pub fn saved_at(stores: &Dir, clone: &str, number: u64) -> Option<SystemTime> {
    let reference = Path::new(&format!("{clone}.git")).join(name_of(number));
    Some(stores.metadata(reference).ok()??.modified)
}

/// None where nothing was saved yet.
pub(super) fn numbers_in(dir: &Dir, refs: &Path) -> Result<Vec<u64>, Error> {
    match dir.entries(refs) {
        Ok(entries) => Ok(entries.iter().filter_map(|entry| number_of(&entry.name)).collect()),
        Err(error) if error.is_missing() => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// With zeros in front, so that names sort as numbers do.
fn name(number: u64) -> String {
    format!("{number:010}")
}

pub(super) fn name_of(number: u64) -> String {
    format!("{REFS}{}", name(number))
}

fn number_of(name: &OsStr) -> Option<u64> {
    name.to_str()?.parse().ok()
}
