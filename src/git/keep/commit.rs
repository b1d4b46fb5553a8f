//! Commits what a clone has: what is staged, else every change that is not ignored. A merge, a cherry-pick or a revert that
//! waits for its commit is ended by it.
//!
//! libgit2 makes the commit in a git directory of parlour's own, so neither hooks nor filters of the clone run. A file
//! that a filter would have changed is refused, unless the clone's own git has staged it.

use std::path::Path;

use git2::{AttrCheckFlags, AttrValue, Commit, DiffFindOptions, Index, Oid, Repository, Status, StatusOptions};

use super::error::KeepError;
use super::hooks;
use super::place::{ClonePlace, MODE};
use super::scratch::{KeepTools, Scratch};
use super::target::CommitAuthor;
use super::under_way::Concluded;
use crate::fs::{Dir, DirEntryKind};
use crate::git::{Error, read};
use crate::model::keep::CommitHow;

const STAGED: Status = Status::INDEX_NEW
    .union(Status::INDEX_MODIFIED)
    .union(Status::INDEX_DELETED)
    .union(Status::INDEX_RENAMED)
    .union(Status::INDEX_TYPECHANGE);

/// What to commit with.
pub struct CommitWish<'a> {
    pub how: &'a CommitHow,
    /// What stands in for a message. An amended commit keeps its own instead.
    pub draft: &'a str,
    /// Untracked files above this many bytes are left out, unless they are staged.
    pub largest: u64,
    pub author: &'a CommitAuthor,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeCommit {
    pub branch: Option<String>,
    pub commit: Oid,
    pub subject: String,
    pub files: usize,
    pub skipped_hooks: Vec<String>,
    /// Nested repositories, which no commit holds.
    pub left_out: Vec<String>,
    /// Untracked files that are too large to get in by accident.
    pub too_large: Vec<String>,
}

/// Bytes of an index.
const LARGEST_INDEX: u64 = 1 << 30;

/// Commits in the clone at `files`. `begins` is called before the first change of the clone: an error without it has
/// changed nothing.
pub fn commit(
    tools: &KeepTools<'_>,
    files: &Dir,
    wish: &CommitWish<'_>,
    begins: impl FnOnce() -> Result<(), KeepError>,
) -> Result<MadeCommit, KeepError> {
    let found = ClonePlace::open(files)?;
    // Held until the new index is there: the agent's git waits, or says so.
    let lock = found.lock("index")?;
    // As it stands while nobody else begins or ends a merge there.
    let place = ClonePlace::open(files)?;
    let under_way = place.concludes()?;
    if under_way.is_some() && wish.how.amend {
        place.nothing_under_way()?;
    }
    let scratch = Scratch::of_clone(tools, &place.git, &place.state)?;
    let repository = scratch.repository_over(files)?;
    let failed = |source| KeepError::Git(scratch.failed(source));
    let head = match place.state.head.commit() {
        Some(commit) => Some(repository.find_commit(commit).map_err(failed)?),
        None => None,
    };
    let concluded = match (under_way.clone(), &head) {
        (Some(under_way), Some(head)) => under_way.unless_done(&repository, head).map_err(failed)?,
        (under_way, _) => under_way,
    };
    let mut index = repository.index().map_err(failed)?;
    let staging = stage(files, (&repository, &mut index), wish, concluded.as_ref()).map_err(|error| match error {
        StageError::Git(source) => failed(source),
        StageError::Refused(refused) => refused,
    })?;
    let made = Making {
        repository: &repository,
        wish,
        takes: staging.takes,
        head: head.as_ref(),
        concluded: concluded.as_ref(),
    };
    let (commit, changed) = made.commit(&mut index)?.map_err(failed)?;
    begins()?;
    scratch.bring_objects(&place.git)?;
    // The index first: what a kill leaves then is staged, and the next commit takes it.
    if staging.wrote {
        let before = place.git.read("index", LARGEST_INDEX).map_err(Error::from)?;
        lock.write(&scratch.index()?, MODE)?;
        if let Err(error) = place.move_head(commit) {
            lock.write(&before.unwrap_or_default(), MODE)?;
            return Err(error);
        }
    } else {
        place.move_head(commit)?;
    }
    if under_way.is_some()
        && let Err(error) = place.conclude()
    {
        // The commit is there; the next one finds that it has ended this.
        tracing::warn!("{}: {error}", files.path().display());
    }
    drop(lock);
    let subject = repository.find_commit(commit).map_err(failed)?;
    Ok(MadeCommit {
        branch: place.state.head.branch().map(str::to_owned),
        commit,
        subject: String::from_utf8_lossy(subject.summary_bytes().unwrap_or_default()).into_owned(),
        files: changed,
        skipped_hooks: hooks::skipped(files, &place.git),
        left_out: staging.left_out,
        too_large: staging.too_large,
    })
}

struct Staging {
    /// The index has changed.
    wrote: bool,
    /// Something is staged, by now.
    takes: bool,
    left_out: Vec<String>,
    too_large: Vec<String>,
}

enum StageError {
    Git(git2::Error),
    Refused(KeepError),
}

impl From<git2::Error> for StageError {
    fn from(error: git2::Error) -> StageError {
        StageError::Git(error)
    }
}

/// Puts every change into the index, unless something is staged already, or only the message of a commit is to change.
fn stage(
    files: &Dir,
    (repository, index): (&Repository, &mut Index),
    wish: &CommitWish<'_>,
    concluded: Option<&Concluded>,
) -> Result<Staging, StageError> {
    if index.has_conflicts() {
        return Err(StageError::Refused(KeepError::Conflicts {
            files: conflicts(index)?,
        }));
    }
    let mut options = StatusOptions::new();
    options
        .include_untracked(true)
        .recurse_untracked_dirs(true)
        .exclude_submodules(true)
        .no_refresh(false)
        .update_index(false);
    let statuses = repository.statuses(Some(&mut options))?;
    let mut staging = Staging {
        wrote: false,
        takes: false,
        left_out: Vec::new(),
        too_large: Vec::new(),
    };
    let CommitHow { amend, all, .. } = *wish.how;
    let is_intended = |path: &Path| index.get_path(path, 0).is_some_and(|entry| read::is_intended(&entry));
    staging.takes = statuses
        .iter()
        .any(|entry| entry.status().intersects(STAGED) && !is_intended(read::path(entry.path_bytes())));
    // A merge may come to what is there already.
    staging.takes |= concluded.is_some_and(|concluded| !concluded.parents.is_empty());
    if !all && (staging.takes || amend) {
        return Ok(staging);
    }
    for entry in statuses.iter() {
        let raw = entry.path_bytes().to_owned();
        let name = String::from_utf8_lossy(&raw).into_owned();
        let path = read::path(&raw);
        let is_intended = index.get_path(path, 0).is_some_and(|entry| read::is_intended(&entry));
        if entry.status().contains(Status::WT_DELETED) {
            if !read::is_left_out(index, &raw) {
                index.remove_path(path)?;
                staging.wrote = true;
            }
        } else if name.ends_with('/') {
            staging.left_out.push(name);
        } else if entry.status().contains(Status::WT_NEW) && is_larger(files, path, wish.largest) {
            staging.too_large.push(name);
        } else if is_intended
            || entry
                .status()
                .intersects(Status::WT_NEW | Status::WT_MODIFIED | Status::WT_TYPECHANGE | Status::WT_RENAMED)
        {
            if let Some(filter) = filter(repository, path)? {
                return Err(StageError::Refused(KeepError::Filtered { file: name, filter }));
            }
            index.add_path(path)?;
            staging.wrote = true;
        }
    }
    match (staging.wrote, staging.takes || amend) {
        (true, _) => {
            staging.takes = true;
            index.write()?;
        }
        (false, true) => {}
        (false, false) => {
            return Err(StageError::Refused(match staging.too_large.is_empty() {
                true => KeepError::NothingToCommit { amends: false },
                false => KeepError::OnlyTooLarge {
                    files: staging.too_large,
                },
            }));
        }
    }
    Ok(staging)
}

fn is_larger(files: &Dir, path: &Path, largest: u64) -> bool {
    let stamp = files.stamp(path).ok().flatten();
    stamp.is_some_and(|stamp| stamp.kind == DirEntryKind::File && stamp.len > largest)
}

/// The program that git would send a file through.
pub(super) fn filter(repository: &Repository, path: &Path) -> Result<Option<String>, git2::Error> {
    let value = repository.get_attr_bytes(path, "filter", AttrCheckFlags::FILE_THEN_INDEX)?;
    Ok(match AttrValue::from_bytes(value) {
        AttrValue::String(name) => Some(name.to_owned()),
        AttrValue::Bytes(name) => Some(String::from_utf8_lossy(name).into_owned()),
        AttrValue::True | AttrValue::False | AttrValue::Unspecified => None,
    })
}

/// The paths that have no one content.
pub(super) fn conflicts(index: &Index) -> Result<Vec<String>, git2::Error> {
    let mut files = Vec::new();
    for conflict in index.conflicts()? {
        let conflict = conflict?;
        let side = conflict.our.or(conflict.their).or(conflict.ancestor);
        files.extend(side.map(|entry| String::from_utf8_lossy(&entry.path).into_owned()));
    }
    files.sort();
    files.dedup();
    Ok(files)
}

struct Making<'a> {
    repository: &'a Repository,
    wish: &'a CommitWish<'a>,
    /// Something is staged.
    takes: bool,
    head: Option<&'a Commit<'a>>,
    /// What it ends.
    concluded: Option<&'a Concluded>,
}

impl Making<'_> {
    /// Whether others may have the commit, as far as the clone knows its remote.
    fn is_pushed(&self, head: &Commit<'_>) -> Result<bool, git2::Error> {
        Ok(read::ahead_of_remotes(self.repository, head.id())? == 0)
    }

    /// The tree of what is staged. A file that is only announced stands in the index, and is in no commit.
    fn staged_tree(&self, index: &mut Index) -> Result<Oid, git2::Error> {
        if !index.iter().any(|entry| read::is_intended(&entry)) {
            return index.write_tree();
        }
        let mut staged = Index::new()?;
        for entry in index.iter().filter(|entry| !read::is_intended(entry)) {
            staged.add(&entry)?;
        }
        staged.write_tree_to(self.repository)
    }

    /// The commit, and how many files it changes.
    fn commit(&self, index: &mut Index) -> Result<Result<(Oid, usize), git2::Error>, KeepError> {
        let how = self.wish.how;
        let amended = match (how.amend, self.head) {
            (true, None) => return Err(KeepError::NoCommit),
            (true, Some(head)) if !how.despite_remote && self.is_pushed(head).unwrap_or(true) => {
                let subject = head.summary_bytes().unwrap_or_default();
                let subject = String::from_utf8_lossy(subject).into_owned();
                return Err(KeepError::PushedAlready { subject });
            }
            (true, Some(_)) if !self.takes && how.message.is_none() => {
                return Err(KeepError::NothingToCommit { amends: true });
            }
            (true, Some(head)) => Some(head),
            (false, _) => None,
        };
        let kept = amended.map(|head| String::from_utf8_lossy(head.message_raw_bytes()).into_owned());
        let proposed = self.concluded.map(|concluded| concluded.message.clone());
        let proposed = proposed.filter(|message| !message.is_empty());
        let written = how.message.clone().or(kept).or(proposed);
        let message = written.unwrap_or_else(|| self.wish.draft.to_owned());
        let message = git2::message_prettify(message, None).unwrap_or_default();
        if message.trim().is_empty() {
            return Err(KeepError::EmptyMessage);
        }
        let committer = self.wish.author.signature()?;
        let mut make = || -> Result<(Oid, usize), git2::Error> {
            let picked = self.concluded.and_then(|concluded| concluded.author_of);
            let picked = picked.map(|commit| self.repository.find_commit(commit)).transpose()?;
            let author_of = amended.or(picked.as_ref());
            let author = author_of.map_or_else(|| committer.clone(), |commit| commit.author().to_owned());
            let tree = self.repository.find_tree(self.staged_tree(index)?)?;
            let mut parents: Vec<Commit<'_>> = match amended {
                Some(head) => head.parents().collect(),
                None => self.head.cloned().into_iter().collect(),
            };
            for merged in self.concluded.iter().flat_map(|concluded| &concluded.parents) {
                parents.push(self.repository.find_commit(*merged)?);
            }
            let before = parents.first().map(Commit::tree).transpose()?;
            let mut changed = self.repository.diff_tree_to_tree(before.as_ref(), Some(&tree), None)?;
            changed.find_similar(Some(DiffFindOptions::new().renames(true)))?;
            let parents: Vec<&Commit<'_>> = parents.iter().collect();
            let made = self
                .repository
                .commit(None, &author, &committer, &message, &tree, &parents)?;
            Ok((made, changed.deltas().len()))
        };
        Ok(make())
    }
}
