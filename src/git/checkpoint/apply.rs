//! Brings a clone to a checkpoint.
//!
//! Every step leads from what the last checkpoint holds to what the wanted one holds, so nothing is lost that is in
//! neither. Steps cut off by a kill are carried out again from the start: a new checkpoint of what is there, then the
//! rest of the way.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use git2::{ObjectType, Oid};

use super::extras::Extras;
use super::gitdir::BranchMove;
use super::plan::{ChangeKind, ComparedSides, Plan, PlanSide, RestoreChange, changes, is_link};
use super::seen::SeenFiles;
use super::snapshot::Snapshot;
use super::{Store, TakeOptions, gitdir, history, lost, stored_file, tree};
use crate::fs::{self, Dir, DirEntryKind};
use crate::git::{CancelFlag, Error};

/// What comes back of a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Files,
    /// The index, `HEAD`, a merge or rebase under way, and the branches checked out before and after too.
    FilesAndGit,
}

/// A restore that was found possible. If it fails from here on, a part of it may be done.
pub struct ReadyRestore<'a> {
    store: &'a Store,
    clone: &'a Dir,
    to: &'a Snapshot,
    plan: Plan,
    here: PlanSide,
    there: PlanSide,
}

impl ReadyRestore<'_> {
    pub fn carry_out(self, scope: Scope) -> Result<Plan, Error> {
        let mut work = Restoring {
            store: self.store,
            clone: self.clone,
            unlocked: Vec::new(),
        };
        work.files(&self.here, &self.there)?;
        if scope == Scope::FilesAndGit {
            self.store.restore_git(self.clone, self.to)?;
        }
        self.clone.sync_file_system()?;
        Ok(self.plan)
    }
}

impl Store {
    /// Restores `to` in the clone, which was just saved as `from`. Fails before it changes anything if the clone changed
    /// since, or if something unsaved is in the way.
    pub fn restore(
        &self,
        clone: &Dir,
        (from, to): (&Snapshot, &Snapshot),
        scope: Scope,
        cancel: &CancelFlag,
    ) -> Result<Plan, Error> {
        self.ready(clone, (from, to), cancel)?.carry_out(scope)
    }

    /// Looks whether [`Store::restore`] is possible. Nothing is changed yet.
    pub fn ready<'a>(
        &'a self,
        clone: &'a Dir,
        (from, to): (&Snapshot, &'a Snapshot),
        cancel: &CancelFlag,
    ) -> Result<ReadyRestore<'a>, Error> {
        let ComparedSides { plan, here, there } = self.compared(clone, from, to)?;
        if let Some(path) = plan.blocked.first() {
            return Err(Error::InTheWay { path: path.clone() });
        }
        self.check_unchanged(clone, &plan.changes)?;
        cancel.check()?;
        Ok(ReadyRestore {
            store: self,
            clone,
            to,
            plan,
            here,
            there,
        })
    }

    /// Gives a clone that nobody works in the files of a tree that another clone's store holds.
    pub fn bring_files(
        &self,
        clone: &Dir,
        (other, tree): (&Store, &str),
        options: &TakeOptions<'_>,
    ) -> Result<(), Error> {
        self.borrow_from(other)?;
        let load = || -> Result<PlanSide, git2::Error> {
            let files = tree::files(&self.repository, Oid::from_str(tree)?)?;
            Ok(PlanSide::new(files, Extras::default()))
        };
        let there = load().map_err(|source| self.failed(source))?;
        self.write_files(clone, &there, options)?;
        Ok(clone.sync_file_system()?)
    }

    /// Gives a clone that nobody works in what another clone's store holds of a checkpoint.
    pub fn bring(&self, clone: &Dir, (other, to): (&Store, &Snapshot), options: &TakeOptions<'_>) -> Result<(), Error> {
        self.borrow_from(other)?;
        let there = PlanSide::load(self, to).map_err(|source| self.failed(source))?;
        self.write_files(clone, &there, options)?;
        self.restore_git(clone, to)?;
        Ok(clone.sync_file_system()?)
    }

    /// Until it is closed, it reads what is in the other one too.
    fn borrow_from(&self, other: &Store) -> Result<(), Error> {
        let borrow = || -> Result<(), git2::Error> {
            let odb = self.repository.odb()?;
            for objects in other.object_folders() {
                odb.add_disk_alternate(&objects.to_string_lossy())?;
            }
            Ok(())
        };
        borrow().map_err(|source| self.failed(source))
    }

    fn write_files(&self, clone: &Dir, there: &PlanSide, options: &TakeOptions<'_>) -> Result<(), Error> {
        let now = self.now(clone, options)?;
        let here = PlanSide::load(self, &now).map_err(|source| self.failed(source))?;
        let mut work = Restoring {
            store: self,
            clone,
            unlocked: Vec::new(),
        };
        work.files(&here, there)
    }

    /// By what was seen of each file for the last checkpoint.
    fn check_unchanged(&self, clone: &Dir, changes: &[RestoreChange]) -> Result<(), Error> {
        let seen = SeenFiles::load(&self.dir);
        for RestoreChange { path, .. } in changes {
            let stamp = clone.stamp(path)?;
            let is_same = match (seen.get(path), &stamp) {
                (None, None) => true,
                // The plan looked at what is in it.
                (None, Some(stamp)) if stamp.kind == DirEntryKind::Dir => true,
                // A young file has no mark that can be trusted; its content counts.
                (Some(file), Some(_)) if file.mark.is_none() => {
                    stored_file::store_file(&self.repository, clone, path)?.is_some_and(|now| now.id == file.id)
                }
                (Some(file), Some(stamp)) => file.is_as(stamp),
                (None, Some(_)) | (Some(_), None) => false,
            };
            if !is_same {
                return Err(Error::Changing { path: path.clone() });
            }
        }
        Ok(())
    }

    fn restore_git(&self, clone: &Dir, to: &Snapshot) -> Result<(), Error> {
        let wanted = to.git_state(&self.repository).map_err(|source| self.failed(source))?;
        let (Some(wanted), Some(git)) = (wanted, gitdir::of(clone)?) else {
            return Ok(());
        };
        let index = self.keep_index(&git, &SeenFiles::default())?.map(|index| index.id);
        let Some(present) = gitdir::GitState::read(clone, &git, index)? else {
            return Ok(());
        };
        let tracked = self.tracked(wanted.index)?;
        let known = self.refs_to_bring(&git, &wanted)?;
        let beside: Vec<Oid> = known.iter().flat_map(|known| known.kept.values().copied()).collect();
        history::give(self, clone, &git, (&wanted, &tracked, &beside))?;
        let (branches, lost) = lost::parted(self, clone, (&present, &wanted));
        let head_comes = !lost::has_head(&lost, &wanted);
        if head_comes && wanted.state != present.state {
            for name in gitdir::STATE {
                git.remove_tree(name)?;
            }
            for (path, content) in &wanted.state {
                if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
                    git.create_dir(parent)?;
                }
                git.replace_unsynced(path, content, 0o644)?;
            }
        }
        if head_comes && wanted.index != present.index {
            let mode = git.stamp("index")?.map_or(0o644, |stamp| stamp.mode);
            match wanted.index {
                Some(index) => {
                    let raw = self.repository.find_blob(index).map_err(|source| self.failed(source))?;
                    git.replace_unsynced("index", raw.content(), mode)?;
                }
                None => git.remove_file("index")?,
            }
        }
        for BranchMove { name, to, .. } in branches {
            gitdir::set_branch(&git, &name, to)?;
        }
        if head_comes && wanted.raw_head != present.raw_head {
            git.replace_unsynced("HEAD", &wanted.raw_head, 0o644)?;
        }
        match known {
            Some(known) => self.bring_refs(clone, &git, (&wanted, &known)),
            None => Ok(()),
        }
    }
}

struct Restoring<'a> {
    store: &'a Store,
    clone: &'a Dir,
    /// Directories that were made writable, with what they were.
    unlocked: Vec<(PathBuf, u32)>,
}

impl Restoring<'_> {
    fn files(&mut self, here: &PlanSide, there: &PlanSide) -> Result<(), Error> {
        let changes = changes(here, there);
        let of = |kinds: &[ChangeKind]| -> Vec<PathBuf> {
            let chosen = changes.iter().filter(|change| kinds.contains(&change.kind));
            chosen.map(|change| change.path.clone()).collect()
        };
        for path in of(&[ChangeKind::Removed]) {
            self.unlocked(&path, |clone| clone.remove_file(&path))?;
        }
        let (before, after) = (here.dirs(), there.dirs());
        let is_gone = |dir: &&&Path| !after.contains(**dir) && there.left_out(dir).is_none();
        for dir in before.iter().rev().filter(is_gone) {
            // What is still in it is ignored, and stays.
            self.unlocked(dir, |clone| clone.remove_empty_dir(dir))?;
        }
        let mut made = BTreeSet::new();
        for dir in &after {
            if self.clone.stamp(dir)?.is_none() {
                self.unlocked(dir, |clone| clone.create_dir(dir))?;
                made.insert(*dir);
            }
        }
        for path in of(&[ChangeKind::Added, ChangeKind::Rewritten]) {
            self.write(&path, there)?;
        }
        for path in of(&[ChangeKind::Mode]) {
            if let Some(stored) = there.files.get(&path) {
                self.clone.set_mode(&path, there.mode(&path, *stored))?;
            }
        }
        for (dir, mode) in std::mem::take(&mut self.unlocked) {
            if self.clone.stamp(&dir)?.is_some() {
                self.clone.set_mode(&dir, mode)?;
            }
        }
        // Of one that it does not have nothing is known.
        for dir in after.iter().rev() {
            let mode = there.extras.mode_of_dir(dir);
            let differs = made.contains(dir) || here.extras.mode_of_dir(dir) != mode;
            if differs
                && self
                    .clone
                    .stamp(dir)?
                    .is_some_and(|stamp| stamp.kind == DirEntryKind::Dir)
            {
                self.clone.set_mode(dir, mode)?;
            }
        }
        Ok(())
    }

    fn write(&mut self, path: &Path, there: &PlanSide) -> Result<(), Error> {
        let Some(stored) = there.files.get(path).copied() else {
            return Ok(());
        };
        let mode = there.mode(path, stored);
        if !is_link(stored) && self.store.large(stored.id).is_some() {
            let store = self.store;
            return self.unlocked(path, |clone| {
                clone.remove_empty_dirs(path)?;
                clone.replace_unsynced_by(path, mode, |file| match store.large(stored.id) {
                    Some(object) => object.copy_to(file),
                    None => Err(io::ErrorKind::NotFound.into()),
                })
            });
        }
        let repository = &self.store.repository;
        let odb = repository.odb().map_err(|source| self.store.failed(source))?;
        let object = odb.read(stored.id).map_err(|source| self.store.failed(source))?;
        debug_assert_eq!(object.kind(), ObjectType::Blob);
        let content = object.data();
        self.unlocked(path, |clone| {
            // Only empty directories can still be there.
            clone.remove_empty_dirs(path)?;
            match is_link(stored) {
                true => clone.symlink(OsStr::from_bytes(content), path),
                false => clone.replace_unsynced(path, content, mode),
            }
        })
    }

    /// Does something in a directory, which is made writable for it where it forbids that.
    fn unlocked<T>(&mut self, path: &Path, act: impl Fn(&Dir) -> Result<T, fs::Error>) -> Result<T, Error> {
        match act(self.clone) {
            Err(error) if error.is_denied() => {}
            other => return Ok(other?),
        }
        let above: Vec<&Path> = path.ancestors().skip(1).collect();
        for dir in above.into_iter().rev().filter(|dir| !dir.as_os_str().is_empty()) {
            if let Some(stamp) = self.clone.stamp(dir)?
                && stamp.mode & 0o300 != 0o300
            {
                self.clone.set_mode(dir, stamp.mode | 0o700)?;
                self.unlocked.push((dir.to_path_buf(), stamp.mode));
            }
        }
        Ok(act(self.clone)?)
    }
}
