//! Which branches of one project would conflict, if they were merged now.
//!
//! Merges are made in memory by libgit2 over the clones' objects: nothing is written, and nothing configured runs.

use git2::Oid;

use super::commit::conflicts;
use super::error::KeepError;
use super::place::ClonePlace;
use super::scratch::{KeepTools, Scratch};
use crate::fs::Dir;

/// The branch of a clone, and its git directory.
pub struct BranchTip {
    pub branch: String,
    pub commit: Oid,
    git: Dir,
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
    Ok(BranchTip {
        branch,
        commit,
        git: place.git,
    })
}

/// Compares the pairs of which at least one is `wanted`, by its place.
pub fn collisions(
    tools: &KeepTools<'_>,
    tips: &[BranchTip],
    wanted: impl Fn(usize) -> bool,
) -> Result<Vec<BranchCollision>, KeepError> {
    let git: Vec<&Dir> = tips.iter().map(|tip| &tip.git).collect();
    let scratch = Scratch::new(tools, &git)?;
    let repository = scratch.repository()?;
    let failed = |source| KeepError::Git(scratch.failed(source));
    let mut found = Vec::new();
    for (at, one) in tips.iter().enumerate() {
        for (other_at, other) in tips.iter().enumerate().skip(at + 1) {
            tools.cancel.check()?;
            if one.commit == other.commit || !(wanted(at) || wanted(other_at)) {
                continue;
            }
            let base = repository.merge_base(one.commit, other.commit).ok();
            if base.is_none_or(|base| base == one.commit || base == other.commit) {
                continue;
            }
            let (Ok(first), Ok(second)) = (repository.find_commit(one.commit), repository.find_commit(other.commit))
            else {
                continue;
            };
            let merged = repository.merge_commits(&first, &second, None).map_err(failed)?;
            if merged.has_conflicts() {
                found.push(BranchCollision {
                    sides: (at, other_at),
                    files: conflicts(&merged).map_err(failed)?,
                });
            }
        }
    }
    Ok(found)
}
