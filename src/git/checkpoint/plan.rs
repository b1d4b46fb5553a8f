//! What going from one checkpoint to another changes, before anything is changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::Store;
use super::extras::Extras;
use super::gitdir::{self, BranchMove, CheckedOut};
use super::left_out::Reason;
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
    /// What is in the way and is in no checkpoint, so it is never removed. With any, the restore is refused.
    pub blocked: Vec<PathBuf>,
}

/// One side: what a checkpoint says of each file.
pub(super) struct PlanSide {
    pub files: BTreeMap<PathBuf, Stored>,
    pub extras: Extras,
}

impl PlanSide {
    pub fn load(store: &Store, snapshot: &Snapshot) -> Result<PlanSide, git2::Error> {
        Ok(PlanSide {
            files: tree::files(&store.repository, snapshot.files)?,
            extras: snapshot.extras(&store.repository)?,
        })
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

impl Store {
    /// What restoring `to` changes in the clone, which was just saved as `from`.
    pub fn plan(&self, clone: &Dir, from: &Snapshot, to: &Snapshot) -> Result<Plan, Error> {
        self.plan_with_sides(clone, from, to).map(|(plan, ..)| plan)
    }

    pub(super) fn plan_with_sides(
        &self,
        clone: &Dir,
        from: &Snapshot,
        to: &Snapshot,
    ) -> Result<(Plan, PlanSide, PlanSide), Error> {
        let load = |snapshot| PlanSide::load(self, snapshot).map_err(|source| self.failed(source));
        let (here, there) = (load(from)?, load(to)?);
        let changes = changes(&here, &there);
        let state = |snapshot: &Snapshot| {
            snapshot
                .git_state(&self.repository)
                .map_err(|source| self.failed(source))
        };
        let mut blocked = BTreeSet::new();
        let (head, branches) = match (state(from)?, state(to)?) {
            (Some(from), Some(to)) => {
                let branches = gitdir::moves(&from, &to);
                blocked.extend(gitdir::in_the_way(&from, &branches));
                ((from.head != to.head).then_some((from.head, to.head)), branches)
            }
            _ => (None, Vec::new()),
        };
        let written = changes.iter().filter(|change| change.kind != ChangeKind::Removed);
        for change in written {
            blocked.extend(in_the_way(clone, &here, &change.path)?);
        }
        // Refs are written as files, and a link would lead them elsewhere.
        let has_refs = |git: Dir| git.dir("refs/heads").is_ok();
        if !branches.is_empty() && !clone.dir(".git").is_ok_and(has_refs) {
            blocked.insert(PathBuf::from(".git/refs/heads"));
        }
        let plan = Plan {
            changes,
            head,
            branches,
            blocked: blocked.into_iter().collect(),
        };
        Ok((plan, here, there))
    }
}

pub(super) fn changes(here: &PlanSide, there: &PlanSide) -> Vec<RestoreChange> {
    let paths: BTreeSet<&PathBuf> = here.files.keys().chain(there.files.keys()).collect();
    let kind = |path: &PathBuf| match (here.files.get(path), there.files.get(path)) {
        (None, Some(_)) => Some(ChangeKind::Added),
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

/// What stands where `path` is to be written, and was not saved with `here`.
fn in_the_way(clone: &Dir, here: &PlanSide, path: &Path) -> Result<Vec<PathBuf>, Error> {
    for above in path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
        let is_nested = |reason| reason == Reason::Nested;
        if here
            .extras
            .left_out
            .iter()
            .any(|out| out.path == above && is_nested(out.reason))
        {
            return Ok(vec![above.to_path_buf()]);
        }
        match clone.stamp(above)? {
            Some(stamp) if stamp.kind != DirEntryKind::Dir && !here.files.contains_key(above) => {
                return Ok(vec![above.to_path_buf()]);
            }
            _ => {}
        }
    }
    match clone.stamp(path)? {
        Some(stamp) if stamp.kind == DirEntryKind::Dir => unsaved_in(clone, here, path),
        Some(_) if !here.files.contains_key(path) => Ok(vec![path.to_path_buf()]),
        _ => Ok(Vec::new()),
    }
}

fn unsaved_in(clone: &Dir, here: &PlanSide, dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut unsaved = Vec::new();
    for entry in clone.entries(dir)? {
        let path = dir.join(entry.name);
        match entry.kind {
            DirEntryKind::Dir => unsaved.extend(unsaved_in(clone, here, &path)?),
            _ if !here.files.contains_key(&path) => unsaved.push(path),
            _ => {}
        }
    }
    Ok(unsaved)
}
