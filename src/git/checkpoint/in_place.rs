//! A person's own repository, compared with its last commit where it lies.
//!
//! It is read and never written: what differs goes into a store of parlour's own, which borrows all other objects. libgit2
//! refreshes the time of an object that it is asked to write, so that store is written by a handle which does not know the
//! borrowed ones. A file with the stamp that the index remembers is as the index has it, and is not read.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use git2::{ErrorCode, ObjectType, Odb, OdbLookupFlags, Oid, Repository};
use rayon::prelude::*;

use super::diff::SavedFiles;
use super::gitdir;
use super::ignored::Ignored;
use super::own_index::{IndexFile, OwnIndex};
use super::scan::{FoundFile, Scan, bytes, scan};
use super::seen::{self, GITLINK, SeenFile, SeenFiles, git_mode};
use super::staging::IndexFiles;
use super::stored_file::store_unknown;
use super::{Store, named};
use crate::fs::Dir;
use crate::git::{CancelFlag, Error};
use crate::model::review::FileChange;

/// What was stored of a place is needed for as long as somebody reads a comparison. No reference keeps it.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// In a directory of a person's own anything may lie untracked. What is above these bounds is left out, and counted.
const LARGEST: u64 = 16 << 20;
const MOST_FILES: usize = 5_000;
const MOST_BYTES: u64 = 256 << 20;
const TREE: u32 = 0o40_000;

/// What the last commit has, and what lies there now.
pub struct PlaceStates {
    /// None before the first commit.
    pub committed: Option<SavedFiles>,
    /// As git would store it.
    pub now: SavedFiles,
    /// Untracked files that are too large or too many.
    pub left_out: usize,
    index: IndexFiles,
}

/// The files of a place as they are found.
#[derive(Default)]
struct PlaceFiles<'a> {
    /// Known without being read.
    known: Vec<SeenFile>,
    to_read: Vec<&'a FoundFile>,
    left_out: usize,
}

impl Store {
    /// The store `name` in `parent` for the repository at `place`. None where there is no repository.
    pub fn of_place(parent: &Dir, name: &str, place: &Path) -> Result<Option<Store>, Error> {
        let Some(own) = repository_at(place)? else {
            return Ok(None);
        };
        let store = Store::open(parent, name, || None)?;
        let objects = own.commondir().join("objects");
        let objects = objects.to_str().ok_or_else(|| Error::Place {
            path: place.to_path_buf(),
            why: "the path of its git directory is not UTF-8".into(),
        })?;
        borrow(&store.repository, objects).map_err(|source| store.failed(source))?;
        let cache = Some(own.commondir().to_path_buf());
        Ok(Some(Store { cache, ..store }))
    }

    /// What differs at `place` from its last commit, tracked or not. The store is that of the place.
    pub fn in_place(&self, place: &Dir, cancel: &CancelFlag) -> Result<PlaceStates, Error> {
        let began = SystemTime::now();
        let failed = |source| Error::Repository {
            path: place.path().to_path_buf(),
            source,
        };
        let own = repository_at(place.path())?.ok_or_else(|| Error::NotARepository {
            path: place.path().to_path_buf(),
        })?;
        let index = OwnIndex::read(&own)?;
        let git = Dir::open(own.commondir())?;
        let ignored = Ignored::of_clone(Some(&git))?;
        let mut scan = scan(place, &ignored, cancel)?;
        named::add(place, index.paths(), &mut scan)?;
        let committed = head(&own).map_err(failed)?.map(SavedFiles);
        let writer = Repository::open_bare(self.dir.path()).map_err(|source| self.failed(source))?;
        let writer = writer.odb().map_err(|source| self.failed(source))?;
        let seen = SeenFiles::load(&self.dir);
        let all = self.repository.odb().map_err(|source| self.failed(source))?;
        let PlaceFiles {
            mut known,
            to_read,
            left_out,
        } = look(place, (&index, &scan), (&seen, &all));
        let objects = own.commondir().join("objects");
        let objects = objects.to_string_lossy();
        let mut stored = self.store_found((place, &objects), &to_read, &index, cancel)?;
        // What was known before is known still.
        let from_before = known.iter().filter(|file| file.mark.is_some()).cloned();
        self.remember(seen, stored.iter().cloned().chain(from_before))?;
        known.append(&mut stored);
        let files = in_order(known);
        let now = self
            .write_tree(&writer, &files, 0)
            .map_err(|source| self.failed(source))?;
        let now = self.converted((&git, &writer), files, (committed, SavedFiles(now)))?;
        self.close_to_others(began);
        Ok(PlaceStates {
            committed,
            now,
            left_out,
            index: index.files(),
        })
    }

    /// Says of each file that differs whether the next commit would have it so, and adds those that differ in the index
    /// alone.
    pub fn tell_staged_in_place(&self, states: &PlaceStates, changes: &mut Vec<FileChange>) -> Result<(), Error> {
        self.add_staged_alone(&states.index, states.committed, changes)?;
        self.tell_staged_by(&states.index, (states.committed, states.now), changes)
    }

    /// Stores what has to be read. What vanished meanwhile is not there; what cannot be read is taken to be as it was.
    fn store_found(
        &self,
        (place, objects): (&Dir, &str),
        found: &[&FoundFile],
        index: &OwnIndex,
        cancel: &CancelFlag,
    ) -> Result<Vec<SeenFile>, Error> {
        let path = self.dir.path();
        // What is committed under another stamp, as all is in a copied repository, is not stored again.
        let open = || -> Result<(Repository, Repository), git2::Error> {
            let (own, known) = (Repository::open_bare(path)?, Repository::open_bare(path)?);
            borrow(&known, objects)?;
            Ok((own, known))
        };
        let store = |opened: &mut Result<(Repository, Repository), git2::Error>, found: &&FoundFile| {
            cancel.check()?;
            let (own, known) = opened.as_ref().map_err(|error| Error::Repository {
                path: path.to_path_buf(),
                source: git2::Error::from_str(error.message()),
            })?;
            let file = store_unknown((own, known), place, &found.path)?;
            let entry = index.get(&found.path);
            Ok(match file {
                Some(file) => Some(SeenFile {
                    mode: index.mode(entry, file.mode),
                    ..file
                }),
                None => entry
                    .filter(|_| matches!(place.stamp(&found.path), Ok(Some(_)) | Err(_)))
                    .map(|entry| entry.as_it_is(&found.path)),
            })
        };
        let stored: Result<Vec<Option<SeenFile>>, Error> = found.par_iter().map_init(open, store).collect();
        Ok(stored?.into_iter().flatten().collect())
    }

    fn remember(&self, before: SeenFiles, files: impl Iterator<Item = SeenFile>) -> Result<(), Error> {
        let mut files: Vec<SeenFile> = files.collect();
        files.sort_unstable_by(|a, b| bytes(&a.path).cmp(bytes(&b.path)));
        let now = SeenFiles {
            files,
            ..SeenFiles::default()
        };
        if now != before {
            seen::save(&self.dir, &now.to_bytes())?;
        }
        Ok(())
    }

    /// The tree of these files as git would store them.
    fn converted(
        &self,
        (git, writer): (&Dir, &Odb<'_>),
        mut files: Vec<SeenFile>,
        (committed, now): (Option<SavedFiles>, SavedFiles),
    ) -> Result<SavedFiles, Error> {
        let forms = self.stored_forms(Some(git), now, committed)?;
        if forms.is_empty() {
            return Ok(now);
        }
        for (path, form) in forms {
            let at = files.binary_search_by(|file| bytes(&file.path).cmp(bytes(&path)));
            if let Ok(at) = at {
                files[at].id = form.id;
            }
        }
        let tree = self.write_tree(writer, &files, 0);
        tree.map(SavedFiles).map_err(|source| self.failed(source))
    }

    /// Writes the trees that are nowhere yet. The files are in git's order, and the first `depth` bytes of their paths are
    /// the same.
    fn write_tree(&self, writer: &Odb<'_>, files: &[SeenFile], depth: usize) -> Result<Oid, git2::Error> {
        let mut content = Vec::new();
        let mut rest = files;
        while let Some(first) = rest.first() {
            let path = bytes(&first.path);
            let (name, mode, id) = match path[depth..].iter().position(|byte| *byte == b'/') {
                None => {
                    rest = &rest[1..];
                    (&path[depth..], first.mode, first.id)
                }
                Some(length) => {
                    let end = depth + length;
                    let is_within = |file: &SeenFile| bytes(&file.path).starts_with(&path[..=end]);
                    let count = rest.iter().take_while(|file| is_within(file)).count();
                    let (within, after) = rest.split_at(count);
                    rest = after;
                    (&path[depth..end], TREE, self.write_tree(writer, within, end + 1)?)
                }
            };
            content.extend(format!("{mode:o} ").as_bytes());
            content.extend(name);
            content.push(0);
            content.extend(id.as_bytes());
        }
        let id = Oid::hash_object(ObjectType::Tree, &content)?;
        match self.repository.odb()?.exists_ext(id, OdbLookupFlags::NO_REFRESH) {
            true => Ok(id),
            false => writer.write(ObjectType::Tree, &content),
        }
    }
}

/// For as long as this handle is there: what is written through another one knows nothing of these objects.
fn borrow(repository: &Repository, objects: &str) -> Result<(), git2::Error> {
    repository.odb()?.add_disk_alternate(objects)
}

/// Forgets what was stored of a place long ago. Nobody else may be comparing it meanwhile.
pub fn forget_old(parent: &Dir, name: &str) -> Result<(), Error> {
    let folder = format!("{name}.git");
    let made = parent.metadata(Path::new(&folder).join("HEAD"))?;
    if made.is_some_and(|made| made.modified.elapsed().is_ok_and(|age| age > KEPT)) {
        parent.remove_tree(&folder)?;
    }
    Ok(())
}

/// The repository whose working tree is at `place`, and none above it.
fn repository_at(place: &Path) -> Result<Option<Repository>, Error> {
    match gitdir::open(place) {
        Ok(repository) => Ok(Some(repository).filter(|repository| !repository.is_bare())),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
        Err(source) => Err(Error::Repository {
            path: place.to_path_buf(),
            source,
        }),
    }
}

/// The tree of the last commit.
fn head(repository: &Repository) -> Result<Option<Oid>, git2::Error> {
    match repository.head() {
        Ok(head) => head.peel_to_tree().map(|tree| Some(tree.id())),
        Err(error) if matches!(error.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What is known of each file by its stamp, and what has to be read.
fn look<'a>(place: &Dir, (index, scan): (&OwnIndex, &'a Scan), (seen, all): (&SeenFiles, &Odb<'_>)) -> PlaceFiles<'a> {
    let mut files = PlaceFiles::default();
    let (mut untracked, mut size) = (0, 0);
    for found in &scan.files {
        let entry = index.get(&found.path);
        if let Some(entry) = entry.filter(|entry| index.holds(entry, &found.stamp)) {
            files.known.push(entry.as_it_is(&found.path));
            continue;
        }
        if entry.is_none() && !index.has_conflict(&found.path) {
            (untracked, size) = (untracked + 1, size + found.stamp.len);
            if found.stamp.len > LARGEST || untracked > MOST_FILES || size > MOST_BYTES {
                size -= found.stamp.len;
                files.left_out += 1;
                continue;
            }
        }
        let mode = index.mode(entry, git_mode(&found.stamp));
        let before = seen.get(&found.path).filter(|before| {
            let is_same = before.mark.is_some_and(|mark| mark.is_of(&found.stamp));
            is_same && before.mode == mode && all.exists(before.id)
        });
        match before {
            Some(before) => files.known.push(before.clone()),
            None => files.to_read.push(found),
        }
    }
    let found: Vec<&[u8]> = scan.files.iter().map(|found| bytes(&found.path)).collect();
    let is_found = |path: &Path| found.binary_search(&bytes(path)).is_ok();
    for (path, entry) in index.entries().filter(|(path, _)| !is_found(path)) {
        if entry.mode == GITLINK {
            files.known.push(nested(place, path).unwrap_or(entry.as_it_is(path)));
        } else if entry.is_held || scan.left_out.iter().any(|out| path.starts_with(&out.path)) {
            files.known.push(entry.as_it_is(path));
        }
    }
    let is_new = |path: &&PathBuf| index.get(path).is_none();
    let nested = scan.nested.iter().filter(is_new).filter_map(|path| nested(place, path));
    files.known.extend(nested);
    files
}

/// The commit of a repository within.
fn nested(place: &Dir, path: &Path) -> Option<SeenFile> {
    let repository = gitdir::open(&place.path().join(path)).ok()?;
    Some(SeenFile {
        path: path.to_path_buf(),
        mode: GITLINK,
        id: repository.head().ok()?.target()?,
        mark: None,
    })
}

/// In git's order. Where files lie in the place of a submodule, they count.
fn in_order(mut files: Vec<SeenFile>) -> Vec<SeenFile> {
    files.sort_unstable_by(|a, b| bytes(&a.path).cmp(bytes(&b.path)));
    let is_covered = |link: &SeenFile| {
        let within = [bytes(&link.path), b"/"].concat();
        let at = files.partition_point(|file| bytes(&file.path) < within.as_slice());
        files.get(at).is_some_and(|file| bytes(&file.path).starts_with(&within))
    };
    let links = files.iter().filter(|file| file.mode == GITLINK);
    let covered: Vec<PathBuf> = links
        .filter(|link| is_covered(link))
        .map(|link| link.path.clone())
        .collect();
    files.retain(|file| file.mode != GITLINK || !covered.contains(&file.path));
    files
}

impl IndexFile {
    fn as_it_is(self, path: &Path) -> SeenFile {
        SeenFile {
            path: path.to_path_buf(),
            mode: self.mode,
            id: self.id,
            mark: None,
        }
    }
}
