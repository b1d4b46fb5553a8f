//! Commits of a clone, as far as its checkpoints know them.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use git2::{Commit, ErrorCode, ObjectType, Oid};

use super::Store;
use super::diff::SavedFiles;
use super::snapshot::Snapshot;
use crate::git::Error;
use crate::model::Timestamp;

/// A commit in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedCommit {
    pub id: String,
    pub subject: String,
    /// In seconds.
    pub at: i64,
}

impl Store {
    /// What one commit did; its first parent is before. None where this clone has no such commit.
    pub fn commit(&self, now: &Snapshot, name: &str) -> Result<Option<(Option<SavedFiles>, SavedFiles)>, Error> {
        let find = || -> Result<Option<(Option<SavedFiles>, SavedFiles)>, git2::Error> {
            let Some(commit) = self.named_commit(now, name)? else {
                return Ok(None);
            };
            let before = match commit.parent(0) {
                Ok(parent) => Some(SavedFiles(parent.tree_id())),
                Err(error) if error.code() == ErrorCode::NotFound => None,
                Err(error) => return Err(error),
            };
            Ok(Some((before, SavedFiles(commit.tree_id()))))
        };
        find().map_err(|source| self.failed(source))
    }

    /// What was checked out when the clone was first saved. None where nothing was, or that had no commit.
    pub fn first_commit(&self) -> Result<Option<String>, Error> {
        let Some(first) = self.snapshots()?.into_iter().next() else {
            return Ok(None);
        };
        let state = first.git_state(&self.repository);
        let state = state.map_err(|source| self.failed(source))?;
        let commit = state.and_then(|git| git.head.commit());
        Ok(commit.map(|commit| commit.to_string()))
    }

    /// When a commit was made. None where this clone has none with this hash.
    pub fn committed_at(&self, hash: &str) -> Option<Timestamp> {
        let commit = self.repository.find_commit(Oid::from_str(hash).ok()?).ok()?;
        Some(Timestamp(commit.time().seconds().saturating_mul(1000)))
    }

    /// Names are those of the clone when it was saved; the store has no refs of that kind.
    fn named_commit(&self, now: &Snapshot, name: &str) -> Result<Option<Commit<'_>>, git2::Error> {
        let (base, way) = name.split_at(name.find(['~', '^', '@', ':']).unwrap_or(name.len()));
        let state = now.git_state(&self.repository)?;
        let named = state.as_ref().and_then(|git| match base {
            "HEAD" => git.head.commit(),
            _ => ["refs/heads/", "refs/remotes/", "refs/tags/", ""]
                .iter()
                .find_map(|kind| git.commit_of(&format!("{kind}{base}"))),
        });
        let is_hash = base.len() >= 4 && base.bytes().all(|byte| byte.is_ascii_hexdigit());
        let full = match named {
            Some(id) => id.to_string(),
            None if is_hash => base.to_owned(),
            None => return Ok(None),
        };
        let found = match self.repository.revparse_single(&format!("{full}{way}")) {
            Ok(found) => found,
            Err(error) if matches!(error.code(), ErrorCode::NotFound | ErrorCode::InvalidSpec) => return Ok(None),
            Err(error) => return Err(error),
        };
        match found.peel(ObjectType::Commit) {
            Ok(commit) => Ok(commit.into_commit().ok()),
            Err(_) => Ok(None),
        }
    }

    /// The newest first, from what is checked out: as `git log` orders them, which reads no more than it shows. (libgit2's
    /// walk by time reads the whole history, and puts a parent before its child where both are of one second.)
    pub fn commits(&self, now: &Snapshot, most: usize) -> Result<Vec<ListedCommit>, Error> {
        let list = || -> Result<Vec<ListedCommit>, git2::Error> {
            let state = now.git_state(&self.repository)?;
            let Some(head) = state.and_then(|git| git.head.commit()) else {
                return Ok(Vec::new());
            };
            let head = self.repository.find_commit(head)?;
            let mut seen = HashSet::from([head.id()]);
            let mut next = BinaryHeap::from([(head.time().seconds(), Reverse(0), head.id())]);
            let mut listed = Vec::new();
            while let Some((at, _, id)) = next.pop() {
                if listed.len() == most {
                    break;
                }
                let commit = self.repository.find_commit(id)?;
                // In a shallow clone some are not here.
                for parent in commit.parents() {
                    if seen.insert(parent.id()) {
                        next.push((parent.time().seconds(), Reverse(seen.len()), parent.id()));
                    }
                }
                listed.push(ListedCommit {
                    id: id.to_string(),
                    subject: String::from_utf8_lossy(commit.summary_bytes().unwrap_or_default()).into_owned(),
                    at,
                });
            }
            Ok(listed)
        };
        list().map_err(|source| self.failed(source))
    }
}
