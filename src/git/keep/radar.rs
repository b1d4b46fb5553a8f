//! Which branches of one project would conflict, if they were merged now.
//!
//! Merges are made in memory by libgit2 over the clones' objects: nothing is written, and nothing configured runs.

use std::collections::{BTreeMap, BTreeSet};

use git2::{Commit, Index, Oid, Repository};

use super::commit::conflicts;
use super::error::KeepError;
use super::place::ClonePlace;
use super::scratch::{KeepTools, Scratch};
use crate::fs::Dir;
use crate::git::read;

/// Commits of a base branch that are looked through for what a branch did.
const LOOKED_THROUGH: usize = 100;

/// The branch of a clone, and its git directory.
pub struct BranchTip {
    pub branch: String,
    pub commit: Oid,
    /// The base branch, as this clone saw it last.
    pub(super) base: Option<Oid>,
    pub(super) git: Dir,
}

/// Two branches by their places in what was compared, and the paths that conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchCollision {
    pub sides: (usize, usize),
    pub files: Vec<String>,
}

/// What is checked out in a clone.
pub fn tip(files: &Dir) -> Result<BranchTip, KeepError> {
    let place = ClonePlace::open(files)?;
    let (branch, commit) = place.branch()?;
    let branch = branch.to_owned();
    let base = read::default_branch(files.path()).and_then(|name| {
        let name = format!("refs/remotes/origin/{name}");
        let mut refs = place.state.refs.lines().filter_map(|line| line.split_once(' '));
        let (commit, _) = refs.find(|(_, known)| *known == name)?;
        Oid::from_str(commit).ok()
    });
    Ok(BranchTip {
        branch,
        commit,
        base,
        git: place.git,
    })
}

/// Compares the pairs of which at least one is `wanted`, by its place. A branch conflicts with none whose changes the base
/// branch has, as any of the clones knows it: a forge may have made one new commit of all of its own.
pub fn collisions(
    tools: &KeepTools<'_>,
    tips: &[BranchTip],
    wanted: impl Fn(usize) -> bool,
) -> Result<Vec<BranchCollision>, KeepError> {
    let git: Vec<&Dir> = tips.iter().map(|tip| &tip.git).collect();
    let scratch = Scratch::new(tools, &git)?;
    let repository = scratch.repository()?;
    let failed = |source| KeepError::Git(scratch.failed(source));
    let bases: BTreeSet<Oid> = tips.iter().filter_map(|tip| tip.base).collect();
    let mut landed: BTreeMap<Oid, bool> = BTreeMap::new();
    let mut has_landed = |commit: Oid| {
        *landed.entry(commit).or_insert_with(|| {
            bases
                .iter()
                .any(|base| is_in(&repository, commit, *base).unwrap_or(false))
        })
    };
    let mut found = Vec::new();
    for (at, one) in tips.iter().enumerate() {
        for (other_at, other) in tips.iter().enumerate().skip(at + 1) {
            tools.cancel.check()?;
            if one.commit == other.commit || !(wanted(at) || wanted(other_at)) {
                continue;
            }
            let base = repository.merge_base(one.commit, other.commit).ok();
            let Some(base) = base.filter(|base| *base != one.commit && *base != other.commit) else {
                continue;
            };
            let (Ok(first), Ok(second)) = (repository.find_commit(one.commit), repository.find_commit(other.commit))
            else {
                continue;
            };
            let merged = repository.merge_commits(&first, &second, None).map_err(failed)?;
            if merged.has_conflicts() && !has_landed(one.commit) && !has_landed(other.commit) {
                let mut files = conflicts(&merged).map_err(failed)?;
                let is_told = files.is_empty();
                for side in [one, other] {
                    let untouched = untouched(&repository, (side, base), &files).map_err(failed)?;
                    files.retain(|file| !untouched.contains(file));
                }
                if is_told || !files.is_empty() {
                    found.push(BranchCollision {
                        sides: (at, other_at),
                        files,
                    });
                }
            }
        }
    }
    Ok(found)
}

/// Those of the files that are otherwise only by what the base branch has: the branch has not changed them since it left
/// that. What it renamed or made counts as changed, whatever it is called now.
fn untouched(
    repository: &Repository,
    (side, parted): (&BranchTip, Oid),
    files: &[String],
) -> Result<Vec<String>, git2::Error> {
    let Some(left) = side.base.and_then(|base| repository.merge_base(base, side.commit).ok()) else {
        return Ok(Vec::new());
    };
    let own = changed(repository, left, side.commit)?;
    let since = changed(repository, parted, side.commit)?;
    let is_untouched = |file: &&String| since.contains(*file) && !own.contains(*file);
    Ok(files.iter().filter(is_untouched).cloned().collect())
}

/// The paths in which two commits differ; of a renamed file both.
fn changed(repository: &Repository, from: Oid, to: Oid) -> Result<BTreeSet<String>, git2::Error> {
    let tree = |commit| repository.find_commit(commit)?.tree();
    let diff = repository.diff_tree_to_tree(Some(&tree(from)?), Some(&tree(to)?), None)?;
    let paths = diff.deltas().filter_map(|delta| delta.new_file().path_bytes());
    Ok(paths.map(|path| String::from_utf8_lossy(path).into_owned()).collect())
}

/// Whether merging a branch into its base adds nothing, as the base is now or was at some point since they parted.
fn is_in(repository: &Repository, branch: Oid, base: Oid) -> Result<bool, git2::Error> {
    let parted = repository.merge_base(branch, base)?;
    if parted == branch {
        return Ok(true);
    }
    let branch = repository.find_commit(branch)?;
    let mut at = repository.find_commit(base)?;
    for _ in 0..LOOKED_THROUGH {
        if at.id() == parted {
            return Ok(false);
        }
        let merged = repository.merge_commits(&branch, &at, None)?;
        if !merged.has_conflicts() && adds_nothing(repository, &merged, &at)? {
            return Ok(true);
        }
        let Ok(before) = at.parent(0) else {
            return Ok(false);
        };
        at = before;
    }
    Ok(false)
}

/// Nothing is written: the entries are compared with those of the commit's tree.
fn adds_nothing(repository: &Repository, merged: &Index, commit: &Commit<'_>) -> Result<bool, git2::Error> {
    let tree = commit.tree()?;
    let diff = repository.diff_tree_to_index(Some(&tree), Some(merged), None)?;
    Ok(diff.deltas().len() == 0)
}
