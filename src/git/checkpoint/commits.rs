//! Commits of a clone, as far as its checkpoints know them.

use git2::{Commit, ErrorCode, ObjectType, Oid, Sort};

use super::Store;
use super::diff::SavedFiles;
use super::snapshot::Snapshot;
use crate::git::Error;

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

    /// The newest first, from what is checked out.
    pub fn commits(&self, now: &Snapshot, most: usize) -> Result<Vec<ListedCommit>, Error> {
        let list = || -> Result<Vec<ListedCommit>, git2::Error> {
            let state = now.git_state(&self.repository)?;
            let Some(head) = state.and_then(|git| git.head.commit()) else {
                return Ok(Vec::new());
            };
            let mut walk = self.repository.revwalk()?;
            walk.set_sorting(Sort::TIME)?;
            walk.push(head)?;
            let line = |id: Result<Oid, git2::Error>| {
                let commit = self.repository.find_commit(id?)?;
                Ok(ListedCommit {
                    id: commit.id().to_string(),
                    subject: String::from_utf8_lossy(commit.summary_bytes().unwrap_or_default()).into_owned(),
                    at: commit.time().seconds(),
                })
            };
            walk.take(most).map(line).collect()
        };
        list().map_err(|source| self.failed(source))
    }
}
