//! Commits that a checkpoint names and that neither the clone nor the store has any more: they could not be kept, and then
//! the clone lost them. What points at one cannot come back.

use git2::Oid;

use super::Store;
use super::gitdir::{self, BranchMove, CheckedOut, GitState};
use crate::fs::Dir;

/// What would point at such a commit, and stays where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostTip {
    /// None for a `HEAD` that is on no branch.
    pub branch: Option<String>,
    pub commit: Oid,
}

/// The branches that can be moved on the way from one state to another, and what cannot.
pub(super) fn parted(
    store: &Store,
    clone: &Dir,
    (from, to): (&GitState, &GitState),
) -> (Vec<BranchMove>, Vec<LostTip>) {
    let moves = gitdir::moves(from, to);
    let Ok(repository) = gitdir::open(clone.path()) else {
        return (moves, Vec::new());
    };
    let is_lost =
        |commit: Oid| repository.find_commit(commit).is_err() && store.repository.find_commit(commit).is_err();
    let mut lost = Vec::new();
    if let CheckedOut::Detached(commit) = to.head
        && from.head != to.head
        && is_lost(commit)
    {
        lost.push(LostTip { branch: None, commit });
    }
    let mut possible = Vec::new();
    for branch in moves {
        match branch.to.filter(|commit| is_lost(*commit)) {
            Some(commit) => lost.push(LostTip {
                branch: Some(branch.name),
                commit,
            }),
            None => possible.push(branch),
        }
    }
    (possible, lost)
}

/// Whether what is to be checked out is among them: the index, and a merge under way, then stay too, as they belong to it.
pub(super) fn has_head(lost: &[LostTip], to: &GitState) -> bool {
    lost.iter().any(|tip| tip.branch.as_deref() == to.head.branch())
}
