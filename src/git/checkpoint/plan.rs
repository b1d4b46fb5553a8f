//! What going from one checkpoint to another changes, before anything is changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::Store;
use super::anew::has_no_git;
use super::extras::Extras;
use super::gitdir::{self, BranchMove, CheckedOut, GitState};
use super::left_out::{Omission, Reason};
use super::lost::{self, LostTip};
use super::scan::DEEPEST;
use super::seen::{LINK, PROGRAM};
use super::snapshot::Snapshot;
use super::tree::{self, Stored};
use crate::fs::{Dir, DirEntryKind};
use crate::git::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// It comes back.
    Added,
    /// It goes.
    Removed,
    Rewritten,
    /// Only its permission bits change.
    Mode,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreChange {
    pub path: PathBuf,
    pub kind: ChangeKind,
}

/// All that a restore will do in one clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub changes: Vec<RestoreChange>,
    /// What is checked out now and then, if that differs.
    pub head: Option<(CheckedOut, CheckedOut)>,
    pub branches: Vec<BranchMove>,
    /// What stays because the commit to which it would go is nowhere.
    pub lost: Vec<LostTip>,
    /// The git directory is gone, and is made anew: those of the branches known beside the one that is checked out whose last
    /// commits nothing has kept.
    pub made_anew: Option<Vec<String>>,
    /// What is in the way and is in no checkpoint, so it is never removed. With any, the restore is refused.
    pub blocked: Vec<PathBuf>,
    /// What the checkpoint left out though it was there, and what is left out now: it stays as it is.
    pub staying: Vec<PathBuf>,
}

/// One side: what a checkpoint says of each file.
pub(super) struct PlanSide {
    pub files: BTreeMap<PathBuf, Stored>,
    pub extras: Extras,
    left_out: BTreeMap<PathBuf, Reason>,
}

impl PlanSide {
    pub fn new(files: BTreeMap<PathBuf, Stored>, extras: Extras) -> PlanSide {
        let left_out = extras.left_out.iter().map(|out| (out.path.clone(), out.reason));
        PlanSide {
            left_out: left_out.collect(),
            files,
            extras,
        }
    }

    pub fn load(store: &Store, snapshot: &Snapshot) -> Result<PlanSide, git2::Error> {
        Ok(PlanSide::new(
            tree::files(&store.repository, snapshot.files)?,
            snapshot.extras(&store.repository)?,
        ))
    }

    /// What it left out that `path` is, or lies beneath: it says nothing of `path`, which may have been there.
    pub fn left_out(&self, path: &Path) -> Option<&Path> {
        if self.left_out.is_empty() {
            return None;
        }
        let mut above = path.ancestors();
        above.find_map(|above| Some(self.left_out.get_key_value(above)?.0.as_path()))
    }

    pub fn mode(&self, path: &Path, stored: Stored) -> u32 {
        self.extras.mode_of_file(path, stored.mode == PROGRAM)
    }

    /// All directories that it has.
    pub fn dirs(&self) -> BTreeSet<&Path> {
        let mut dirs = BTreeSet::new();
        for path in self.files.keys().chain(&self.extras.bare_dirs) {
            for dir in path.ancestors().skip(1) {
                // What is above one that is known is known too.
                if dir.as_os_str().is_empty() || !dirs.insert(dir) {
                    break;
                }
            }
        }
        dirs.extend(self.extras.bare_dirs.iter().map(PathBuf::as_path));
        dirs
    }
}

/// A plan, and the two states that it leads between.
pub(super) struct ComparedSides {
    pub plan: Plan,
    pub here: PlanSide,
    pub there: PlanSide,
}

impl Store {
    /// All that a checkpoint left out.
    pub fn all_left_out(&self, snapshot: &Snapshot) -> Result<Vec<Omission>, Error> {
        let extras = snapshot.extras(&self.repository);
        Ok(extras.map_err(|source| self.failed(source))?.left_out)
    }

    /// What a checkpoint left out that is this path, or above it.
    pub fn left_out(&self, snapshot: &Snapshot, path: &Path) -> Result<Option<Omission>, Error> {
        let extras = snapshot.extras(&self.repository);
        let mut left_out = extras.map_err(|source| self.failed(source))?.left_out.into_iter();
        Ok(left_out.find(|out| path.starts_with(&out.path)))
    }

    /// What restoring `to` changes in the clone, which was just saved as `from`.
    pub fn plan(&self, clone: &Dir, from: &Snapshot, to: &Snapshot) -> Result<Plan, Error> {
        self.compared(clone, from, to).map(|compared| compared.plan)
    }

    pub(super) fn compared(&self, clone: &Dir, from: &Snapshot, to: &Snapshot) -> Result<ComparedSides, Error> {
        let load = |snapshot| PlanSide::load(self, snapshot).map_err(|source| self.failed(source));
        let (here, there) = (load(from)?, load(to)?);
        let changes = changes(&here, &there);
        let state = |snapshot: &Snapshot| {
            snapshot
                .git_state(&self.repository)
                .map_err(|source| self.failed(source))
        };
        let mut blocked = BTreeSet::new();
        let mut made_anew = None;
        let (head, branches, lost) = match (state(from)?, state(to)?) {
            (Some(from), Some(to)) => {
                let (branches, lost) = lost::parted(self, clone, (&from, &to));
                blocked.extend(gitdir::in_the_way(&from, &branches));
                let changes = from.head != to.head && !lost::has_head(&lost, &to);
                (changes.then_some((from.head, to.head)), branches, lost)
            }
            // Its git directory is gone, and is made anew before anything is carried out.
            (None, Some(to)) => {
                if !has_no_git(clone)? {
                    blocked.insert(PathBuf::from(".git"));
                }
                made_anew = Some(self.known_refs(&to)?.without);
                let moves = gitdir::moves(&GitState::gone(), &to);
                (Some((CheckedOut::Gone, to.head)), moves, Vec::new())
            }
            (_, None) => (None, Vec::new(), Vec::new()),
        };
        let written = changes.iter().filter(|change| change.kind != ChangeKind::Removed);
        for change in written {
            blocked.extend(in_the_way(clone, (&here, &there), &change.path)?);
        }
        // Refs are written as files, and a link would lead them elsewhere.
        let has_refs = |git: Dir| git.dir("refs/heads").is_ok();
        if !branches.is_empty() && from.has_git() && !clone.dir(".git").is_ok_and(has_refs) {
            blocked.insert(PathBuf::from(".git/refs/heads"));
        }
        let gone = here.files.keys().filter(|path| !there.files.contains_key(*path));
        let mut staying: BTreeSet<&Path> = gone.filter_map(|path| there.left_out(path)).collect();
        // What no checkpoint holds now is nowhere else.
        staying.extend(here.left_out.keys().map(PathBuf::as_path));
        let plan = Plan {
            staying: staying.into_iter().map(Path::to_path_buf).collect(),
            changes,
            head,
            branches,
            lost,
            made_anew,
            blocked: blocked.into_iter().collect(),
        };
        Ok(ComparedSides { plan, here, there })
    }
}

pub(super) fn changes(here: &PlanSide, there: &PlanSide) -> Vec<RestoreChange> {
    let paths: BTreeSet<&PathBuf> = here.files.keys().chain(there.files.keys()).collect();
    let kind = |path: &PathBuf| match (here.files.get(path), there.files.get(path)) {
        (None, Some(_)) => Some(ChangeKind::Added),
        // It may have been there, and is not known as it was.
        (Some(_), None) if there.left_out(path).is_some() => None,
        (Some(_), None) => Some(ChangeKind::Removed),
        (Some(was), Some(will)) if was.id != will.id || is_link(*was) != is_link(*will) => Some(ChangeKind::Rewritten),
        (Some(was), Some(will)) if !is_link(*was) && here.mode(path, *was) != there.mode(path, *will) => {
            Some(ChangeKind::Mode)
        }
        _ => None,
    };
    let changes = paths.into_iter().filter_map(|path| {
        Some(RestoreChange {
            kind: kind(path)?,
            path: path.clone(),
        })
    });
    changes.collect()
}

pub(super) fn is_link(stored: Stored) -> bool {
    stored.mode == LINK
}

/// What stands where `path` is to be written, and stays: it was not saved with `here`, or `there` says nothing of it.
fn in_the_way(clone: &Dir, sides: (&PlanSide, &PlanSide), path: &Path) -> Result<Vec<PathBuf>, Error> {
    let (here, _) = sides;
    for above in path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
        if here.left_out.get(above) == Some(&Reason::Nested) {
            return Ok(vec![above.to_path_buf()]);
        }
        match clone.stamp(above)? {
            Some(stamp) if stamp.kind != DirEntryKind::Dir && stays(sides, above) => {
                return Ok(vec![above.to_path_buf()]);
            }
            _ => {}
        }
    }
    match clone.stamp(path)? {
        Some(stamp) if stamp.kind == DirEntryKind::Dir => staying_in(clone, sides, path),
        Some(_) if !here.files.contains_key(path) => Ok(vec![path.to_path_buf()]),
        _ => Ok(Vec::new()),
    }
}

/// A file or link that the checkpoint to come does not have.
fn stays((here, there): (&PlanSide, &PlanSide), path: &Path) -> bool {
    !here.files.contains_key(path) || there.left_out(path).is_some()
}

fn staying_in(clone: &Dir, sides: (&PlanSide, &PlanSide), dir: &Path) -> Result<Vec<PathBuf>, Error> {
    if dir.components().count() > DEEPEST {
        return Ok(vec![dir.to_path_buf()]);
    }
    let mut staying = Vec::new();
    for entry in clone.entries(dir)? {
        let path = dir.join(entry.name);
        match entry.kind {
            DirEntryKind::Dir => staying.extend(staying_in(clone, sides, &path)?),
            _ if stays(sides, &path) => staying.push(path),
            _ => {}
        }
    }
    Ok(staying)
}
