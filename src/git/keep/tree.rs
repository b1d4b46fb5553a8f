//! The files of a working copy, moved from one commit to another by a git that knows none of its settings.

use std::path::PathBuf;
use std::process::Command;

use git2::{Oid, Repository, StatusOptions};

use super::error::KeepError;
use super::scratch::Scratch;
use crate::fs::Dir;
use crate::git::{CancelFlag, GitStage, read};

/// Whether a tracked file differs from the last commit, staged or not.
pub fn is_changed(repository: &Repository) -> Result<bool, git2::Error> {
    let mut options = StatusOptions::new();
    options
        .include_untracked(false)
        .exclude_submodules(true)
        .update_index(false);
    let index = repository.index()?;
    let statuses = repository.statuses(Some(&mut options))?;
    let counts = |entry: git2::StatusEntry<'_>| match entry.status() {
        git2::Status::CURRENT | git2::Status::IGNORED => false,
        git2::Status::WT_DELETED => !read::is_left_out(&index, entry.path_bytes()),
        _ => true,
    };
    Ok(statuses.iter().any(counts))
}

/// The files that differ between two commits.
pub fn changed_paths(repository: &Repository, from: Option<Oid>, to: Oid) -> Result<Vec<PathBuf>, git2::Error> {
    let tree = |commit| repository.find_commit(commit)?.tree();
    let from = from.map(tree).transpose()?;
    let diff = repository.diff_tree_to_tree(from.as_ref(), Some(&tree(to)?), None)?;
    let paths = diff
        .deltas()
        .filter_map(|delta| delta.new_file().path().map(PathBuf::from));
    Ok(paths.collect())
}

/// Brings files and the scratch's index from one commit to another. Git refuses before it would replace a file that it
/// does not know. Nobody can cancel it: some files would be moved and others not.
pub fn move_files(scratch: &Scratch<'_>, files: &Dir, from: Option<Oid>, to: Oid) -> Result<(), KeepError> {
    let never = CancelFlag::default();
    scratch.run_until(
        &never,
        "checkout",
        GitStage::CheckingOut,
        read_tree(scratch, files, "-u", (from, to)),
    )?;
    Ok(())
}

/// Whether git would do so, of which it says the reason if not.
pub fn can_move_files(scratch: &Scratch<'_>, files: &Dir, from: Option<Oid>, to: Oid) -> Result<(), KeepError> {
    let command = read_tree(scratch, files, "-nu", (from, to));
    scratch.run("checkout", GitStage::CheckingOut, command)?;
    Ok(())
}

fn read_tree(scratch: &Scratch<'_>, files: &Dir, update: &str, (from, to): (Option<Oid>, Oid)) -> Command {
    let mut command = scratch.over(files);
    command.args(["read-tree", "-v", update, "-m"]);
    command.args(from.map(|from| from.to_string()));
    command.arg(to.to_string());
    command
}
