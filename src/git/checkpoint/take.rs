//! Takes a checkpoint: stores what changed since the last one, and says whether anything did.
//!
//! [`SeenFiles`] remembers the stamp of each file as it was read. A file is read again only if its stamp changed, or
//! if it was so young when it was read that a later change could have left the stamp as it was.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};
use std::time::SystemTime;

use git2::build::TreeUpdateBuilder;
use git2::{FileMode, Index, Oid, Repository};
use rayon::prelude::*;

use super::extras::Extras;
use super::gitdir;
use super::ignored::Ignored;
use super::index::StoredIndex;
use super::left_out::{Omission, Reason};
use super::scan::{FoundFile, Scan, bytes, scan};
use super::seen::{self, GITLINK, LINK, PROGRAM, SeenFile, SeenFiles};
use super::snapshot::{self, Parts, Snapshot};
use super::stored_file::store_file;
use super::{Store, history, named};
use crate::fs::{self, Dir, DirEntryKind};
use crate::git::{CancelFlag, Error, lock_file};
use crate::model::Timestamp;
use crate::model::review::Amount;

/// Below this, threads cost more than they save.
const FEW: usize = 64;
/// Above this many changes the whole tree is written at once.
const MANY: usize = 4000;

/// What a checkpoint is taken with.
pub struct TakeOptions<'a> {
    pub number: u64,
    pub at: Timestamp,
    /// Untracked files above this many bytes are left out.
    pub largest: u64,
    /// Checkpoints whose files are saved too, though they may be ignored by now: the one that is about to be restored,
    /// and the one that was restored last, if that is to be undone.
    pub also: &'a [&'a Snapshot],
    /// Keep it even if nothing changed.
    pub always: bool,
    pub cancel: &'a CancelFlag,
}

/// What came of taking a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// The new checkpoint, or the last one if nothing changed since.
    pub snapshot: Snapshot,
    pub is_new: bool,
    /// How much it differs from the one before.
    pub amount: Amount,
    pub left_out: Vec<Omission>,
}

/// A clone as it was saved, which no checkpoint keeps yet.
struct TakenClone {
    parts: Parts,
    seen: SeenFiles,
    left_out: Vec<Omission>,
}

/// The tree of all files of a clone, and the paths that git cannot store.
struct StoredTree {
    tree: Oid,
    files: Vec<SeenFile>,
    nameless: Vec<PathBuf>,
}

impl Store {
    /// Saves the clone at `clone` as it is now. Nothing in it changes and nothing of it is run.
    pub fn take(&self, clone: &Dir, options: &TakeOptions<'_>) -> Result<Taken, Error> {
        self.forget_from(options.number)?;
        if let Some(git) = gitdir::of(clone)? {
            lock_file::clear_left(&git)?;
        }
        let before = self.latest()?;
        let began = SystemTime::now();
        let TakenClone { parts, seen, left_out } = self.save(clone, options)?;
        if let Some(before) = &before
            && !options.always
            && self.is_same(before, parts).map_err(|source| self.failed(source))?
        {
            self.close_to_others(began);
            seen::save(&self.dir, &seen.to_bytes())?;
            return Ok(Taken {
                snapshot: before.clone(),
                is_new: false,
                amount: Amount::default(),
                left_out,
            });
        }
        let made = snapshot::commit(&self.repository, parts, options.at)
            .and_then(|commit| Ok((commit, Snapshot::load(&self.repository, options.number, commit)?)));
        let (commit, snapshot) = made.map_err(|source| self.failed(source))?;
        self.close_to_others(began);
        let (amount, seen) = thread::scope(|scope| {
            let dir = &self.dir;
            let synced = scope.spawn(|| dir.sync_file_system());
            let amount = match &before {
                Some(before) => Amount::of(&self.changes(Some(before.files()), snapshot.files())?),
                None => Amount::default(),
            };
            let seen = seen.to_bytes();
            // A checkpoint that is said to exist must last longer than the power.
            joined(synced)?;
            Ok::<_, Error>((amount, seen))
        })?;
        // What it names is on disk before it; and the sync need not wait for it, the largest file of all.
        seen::save(&self.dir, &seen)?;
        self.keep(options.number, commit)?;
        Ok(Taken {
            snapshot,
            is_new: true,
            amount,
            left_out,
        })
    }

    /// The clone's files as they are now, without keeping them: to compare with.
    pub fn now(&self, clone: &Dir, options: &TakeOptions<'_>) -> Result<Snapshot, Error> {
        let began = SystemTime::now();
        let TakenClone { parts, seen, .. } = self.save(clone, options)?;
        seen::save(&self.dir, &seen.to_bytes())?;
        let now = snapshot::commit(&self.repository, parts, options.at)
            .and_then(|commit| Snapshot::load(&self.repository, options.number, commit))
            .map_err(|source| self.failed(source));
        self.close_to_others(began);
        now
    }

    fn save(&self, clone: &Dir, options: &TakeOptions<'_>) -> Result<TakenClone, Error> {
        let git = gitdir::of(clone)?;
        let ignored = Ignored::of_clone(git.as_ref())?;
        // What is remembered and what git says are read while the tree is walked.
        let (scanned, seen, state) = thread::scope(|scope| {
            let scanned = scope.spawn(|| scan(clone, &ignored, options.cancel));
            let seen = SeenFiles::load(&self.dir);
            let state = self.git_state(clone, git.as_ref(), &seen);
            let scanned = scanned.join();
            (
                scanned.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                seen,
                state,
            )
        });
        let (index, state) = state?;
        let mut scan = scanned?;
        let names = self.names(clone, (&seen, index), &scan, options)?;
        let named = named::add(clone, names.iter().map(PathBuf::as_path), &mut scan)?;
        for other in options.also {
            named::add_replaced(clone, &self.paths(other)?, &mut scan)?;
        }
        leave_out_large(&names, &seen, options.largest, &mut scan);
        let seen = SeenFiles {
            index: index.and_then(|index| Some((index.mark?, index.id))),
            named,
            ..seen
        };
        let (files, seen) = self.store_files(clone, (seen, &mut scan), options.cancel)?;
        let store = || -> Result<Parts, git2::Error> {
            let git = state.as_ref().map(|state| snapshot::store_git(&self.repository, state));
            Ok(Parts {
                files,
                git: git.transpose()?,
                extras: self.repository.blob(&Extras::of(&scan).to_bytes())?,
            })
        };
        let parts = store().map_err(|source| self.failed(source));
        if let Some(state) = &state {
            let is_seen = index.is_none_or(|index| index.is_seen);
            history::keep(self, clone, state, is_seen);
        }
        Ok(TakenClone {
            parts: parts?,
            seen,
            left_out: scan.left_out,
        })
    }

    /// What is saved though it is ignored. While the clone's index is as it was, only what was saved so before can be, or
    /// what the walk found before and does not find any more.
    fn names(
        &self,
        clone: &Dir,
        (seen, index): (&SeenFiles, Option<StoredIndex>),
        scan: &Scan,
        options: &TakeOptions<'_>,
    ) -> Result<Vec<PathBuf>, Error> {
        let is_seen = index.is_some_and(|index| index.is_seen) && options.also.is_empty();
        if is_seen {
            let mut gone = Difference::between(&seen.files, scan).gone;
            gone.retain(|path| seen.named.binary_search(path).is_err());
            let is_new = |found: &FoundFile| found.stamp.len > options.largest && seen.get(&found.path).is_none();
            if !any_is_there(clone, &gone)? && !scan.files.iter().any(is_new) {
                return Ok(seen.named.clone());
            }
        }
        let tracked = self.tracked(index.map(|index| index.id))?;
        let mut names: Vec<PathBuf> = tracked.into_iter().map(|entry| entry.path).collect();
        names.extend(self.paths_of(options.also)?);
        Ok(names)
    }

    /// An index whose stamps alone changed counts as the same: git changes them when it only looks.
    fn is_same(&self, before: &Snapshot, now: Parts) -> Result<bool, git2::Error> {
        let was = before.parts();
        if was.files != now.files || was.extras != now.extras || was.git == now.git {
            return Ok(was == now);
        }
        let states = (
            snapshot::git_state(&self.repository, was.git)?,
            snapshot::git_state(&self.repository, now.git)?,
        );
        let (Some(was), Some(now)) = states else {
            return Ok(false);
        };
        let is_same_beside = was.raw_head == now.raw_head && was.refs == now.refs && was.state == now.state;
        Ok(is_same_beside
            && match (self.tracked(was.index), self.tracked(now.index)) {
                (Ok(was), Ok(now)) => was == now,
                _ => false,
            })
    }

    fn paths_of(&self, snapshots: &[&Snapshot]) -> Result<Vec<PathBuf>, Error> {
        let mut paths = Vec::new();
        for snapshot in snapshots {
            paths.extend(self.paths(snapshot)?);
            let extras = snapshot
                .extras(&self.repository)
                .map_err(|source| self.failed(source))?;
            paths.extend(extras.bare_dirs);
            // With its index back, the clone tracks these.
            let git = snapshot
                .git_state(&self.repository)
                .map_err(|source| self.failed(source))?;
            let tracked = self.tracked(git.and_then(|git| git.index))?;
            paths.extend(tracked.into_iter().map(|entry| entry.path));
        }
        Ok(paths)
    }

    /// Stores what changed since it was seen last. Returns the tree of all files, and what is seen by then.
    fn store_files(
        &self,
        clone: &Dir,
        (mut seen, scan): (SeenFiles, &mut Scan),
        cancel: &CancelFlag,
    ) -> Result<(Oid, SeenFiles), Error> {
        let mut difference = Difference::between(&seen.files, scan);
        let stored = self.store_changed(clone, &difference.changed, cancel)?;
        for (found, stored) in difference.changed.iter().zip(stored) {
            match stored {
                Some(file) => difference.put.push(file),
                None if is_gone(clone, &found.path)? => difference.gone.push(found.path.clone()),
                None => difference.unreadable.push(found.path.clone()),
            }
        }
        for path in &scan.nested {
            let nested = gitdir::open(&clone.path().join(path)).ok();
            if let Some(head) = nested.and_then(|nested| nested.head().ok()?.target()) {
                difference.put.push(SeenFile {
                    path: path.clone(),
                    mode: GITLINK,
                    id: head,
                    mark: None,
                });
            }
        }
        // They are no files that a walk finds, and are there all the same.
        let nested = difference.put.iter().filter(|put| put.mode == GITLINK);
        let nested: HashSet<&Path> = nested.map(|put| put.path.as_path()).collect();
        difference.gone.retain(|path| !nested.contains(path.as_path()));
        let (put, unreadable) = (difference.put, difference.unreadable);
        let gone: Vec<PathBuf> = difference.gone.into_iter().chain(unreadable.iter().cloned()).collect();
        let left_out = |reason| move |path| Omission { path, reason };
        scan.left_out
            .extend(unreadable.into_iter().map(left_out(Reason::Unreadable)));
        let stored = self.tree(&mut seen, put, &gone).map_err(|source| self.failed(source))?;
        scan.left_out
            .extend(stored.nameless.into_iter().map(left_out(Reason::Name)));
        scan.left_out.sort_unstable();
        (seen.tree, seen.files) = (Some(stored.tree), stored.files);
        Ok((stored.tree, seen))
    }

    /// The tree after these changes.
    fn tree(&self, seen: &mut SeenFiles, mut put: Vec<SeenFile>, gone: &[PathBuf]) -> Result<StoredTree, git2::Error> {
        put.sort_unstable_by(|a, b| bytes(&a.path).cmp(bytes(&b.path)));
        let updated = match seen.tree {
            Some(tree) if put.len() + gone.len() < MANY => self.update_tree(tree, (seen, &put), gone).ok(),
            _ => None,
        };
        let files = merge(std::mem::take(&mut seen.files), put, gone);
        match updated {
            Some(tree) => Ok(StoredTree {
                tree,
                files,
                nameless: Vec::new(),
            }),
            None => self.whole_tree(files),
        }
    }

    /// Only the directories on the way to a change are written.
    fn update_tree(
        &self,
        tree: Oid,
        (seen, put): (&SeenFiles, &[SeenFile]),
        gone: &[PathBuf],
    ) -> Result<Oid, git2::Error> {
        let mut update = TreeUpdateBuilder::new();
        for path in gone.iter().filter(|path| seen.get(path).is_some()) {
            update.remove(bytes(path));
        }
        let mut any = !gone.is_empty();
        for file in put {
            let is_new = seen
                .get(&file.path)
                .is_none_or(|was| was.id != file.id || was.mode != file.mode);
            if is_new {
                any = true;
                update.upsert(bytes(&file.path), file.id, file_mode(file.mode));
            }
        }
        match any {
            true => update.create_updated(&self.repository, &self.repository.find_tree(tree)?),
            false => Ok(tree),
        }
    }

    fn whole_tree(&self, files: Vec<SeenFile>) -> Result<StoredTree, git2::Error> {
        let mut index = Index::new()?;
        let (mut kept, mut nameless) = (Vec::new(), Vec::new());
        for file in files {
            match index.add(&snapshot::entry(bytes(&file.path).to_vec(), file.id, file.mode)) {
                Ok(()) => kept.push(file),
                Err(_) => nameless.push(file.path),
            }
        }
        Ok(StoredTree {
            tree: index.write_tree_to(&self.repository)?,
            files: kept,
            nameless,
        })
    }

    /// The entries of these files, in order; none for what cannot be read.
    fn store_changed(
        &self,
        clone: &Dir,
        changed: &[&FoundFile],
        cancel: &CancelFlag,
    ) -> Result<Vec<Option<SeenFile>>, Error> {
        let store = |repository: &Repository, found: &FoundFile| -> Result<Option<SeenFile>, Error> {
            cancel.check()?;
            store_file(repository, clone, &found.path)
        };
        if changed.len() < FEW {
            return changed.iter().map(|found| store(&self.repository, found)).collect();
        }
        // A repository serves one thread.
        let path = self.dir.path();
        let open = || Repository::open_bare(path);
        changed
            .par_iter()
            .map_init(open, |repository, found| match repository {
                Ok(repository) => store(repository, found),
                Err(error) => Err(Error::Repository {
                    path: path.to_path_buf(),
                    source: git2::Error::from_str(error.message()),
                }),
            })
            .collect()
    }
}

/// Whether any of these is a file or a link, or may be.
fn any_is_there(clone: &Dir, paths: &[PathBuf]) -> Result<bool, Error> {
    for path in paths {
        match clone.stamp(path) {
            Ok(stamp) if stamp.is_none_or(|stamp| stamp.kind == DirEntryKind::Dir) => {}
            Ok(_) => return Ok(true),
            Err(error) if error.is_of_the_file() => return Ok(true),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(false)
}

fn is_gone(clone: &Dir, path: &Path) -> Result<bool, Error> {
    match clone.stamp(path) {
        Ok(stamp) => Ok(stamp.is_none()),
        Err(error) if error.is_of_the_file() => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// What became of work that was done beside.
fn joined(beside: ScopedJoinHandle<'_, Result<(), fs::Error>>) -> Result<(), Error> {
    Ok(beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?)
}

/// What a walk found, against what was seen before.
#[derive(Default)]
struct Difference<'a> {
    /// To be read.
    changed: Vec<&'a FoundFile>,
    /// There no more.
    gone: Vec<PathBuf>,
    put: Vec<SeenFile>,
    unreadable: Vec<PathBuf>,
}

impl<'a> Difference<'a> {
    fn between(seen: &[SeenFile], scan: &'a Scan) -> Difference<'a> {
        let mut difference = Difference::default();
        let mut files = scan.files.iter().peekable();
        for entry in seen {
            while let Some(found) = files.next_if(|found| bytes(&found.path) < bytes(&entry.path)) {
                difference.changed.push(found);
            }
            match files.next_if(|found| found.path == entry.path) {
                Some(found) if entry.is_as(&found.stamp) => {}
                Some(found) => difference.changed.push(found),
                None => difference.gone.push(entry.path.clone()),
            }
        }
        difference.changed.extend(files);
        difference
    }
}

/// Both lists are in git's order.
fn merge(seen: Vec<SeenFile>, put: Vec<SeenFile>, gone: &[PathBuf]) -> Vec<SeenFile> {
    let gone: HashSet<&Path> = gone.iter().map(PathBuf::as_path).collect();
    let mut merged = Vec::with_capacity(seen.len() + put.len());
    let mut put = put.into_iter().peekable();
    for file in seen {
        while let Some(earlier) = put.next_if(|new| bytes(&new.path) < bytes(&file.path)) {
            merged.push(earlier);
        }
        match put.next_if(|new| new.path == file.path) {
            Some(new) => merged.push(new),
            None if gone.contains(file.path.as_path()) => {}
            None => merged.push(file),
        }
    }
    merged.extend(put);
    merged
}

fn file_mode(mode: u32) -> FileMode {
    match mode {
        GITLINK => FileMode::Commit,
        LINK => FileMode::Link,
        PROGRAM => FileMode::BlobExecutable,
        _ => FileMode::Blob,
    }
}

/// Files that are named are no accident, whatever their size.
fn leave_out_large(names: &[PathBuf], seen: &SeenFiles, largest: u64, scan: &mut Scan) {
    let is_large = |found: &FoundFile| found.stamp.len > largest;
    if !scan.files.iter().any(is_large) {
        return;
    }
    let named: HashSet<&PathBuf> = names.iter().collect();
    let is_kept = |found: &FoundFile| named.contains(&found.path) || seen.get(&found.path).is_some();
    let (large, kept) = std::mem::take(&mut scan.files)
        .into_iter()
        .partition(|found| is_large(found) && !is_kept(found));
    scan.files = kept;
    let large: Vec<FoundFile> = large;
    scan.left_out.extend(large.into_iter().map(|found| Omission {
        path: found.path,
        reason: Reason::Large,
    }));
}
