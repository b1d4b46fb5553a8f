//! The person's own repository, to which a branch is brought: where its parts lie, and what is checked out there.

use std::path::{Path, PathBuf};

use git2::{Oid, Repository, RepositoryOpenFlags};

use super::error::KeepError;
use crate::fs::{Dir, DirEntryKind};
use crate::git::Error;
use crate::git::root::{RepositoryPlace, repository_at};

const MAX_HEAD: u64 = 4096;

/// The repository that the branch goes to.
pub struct HomeTarget {
    pub root: PathBuf,
    /// Of this working tree: its `HEAD` and index.
    pub own: Dir,
    /// Of all its working trees: refs and objects.
    pub common: Dir,
    pub is_bare: bool,
}

impl HomeTarget {
    pub fn open(root: &Path) -> Result<HomeTarget, KeepError> {
        let gone = || Error::NotARepository {
            path: root.to_path_buf(),
        };
        let RepositoryPlace { root, git_dir: own } = repository_at(root).ok_or_else(gone)?;
        let is_bare = root == own;
        let own = Dir::open(own).map_err(Error::from)?;
        let common = match own.read("commondir", MAX_HEAD).map_err(Error::from)? {
            Some(path) => own.path().join(String::from_utf8_lossy(&path).trim()),
            None => own.path().to_path_buf(),
        };
        let common = Dir::open(common.canonicalize().map_err(|_| gone())?).map_err(Error::from)?;
        if common.metadata("reftable").map_err(Error::from)?.is_some() {
            return Err(KeepError::Reftable { path: root });
        }
        Ok(HomeTarget {
            root,
            own,
            common,
            is_bare,
        })
    }

    pub fn failed(&self, source: git2::Error) -> KeepError {
        KeepError::Git(Error::Repository {
            path: self.root.clone(),
            source,
        })
    }

    /// All refs of the repository that lead to something, by name.
    pub fn refs(&self) -> Result<Vec<(String, Oid)>, KeepError> {
        let none: [&Path; 0] = [];
        let list = || -> Result<Vec<(String, Oid)>, git2::Error> {
            let flags = RepositoryOpenFlags::NO_SEARCH | RepositoryOpenFlags::BARE;
            let repository = Repository::open_ext(self.common.path(), flags, none)?;
            let mut refs = Vec::new();
            for reference in repository.references()? {
                let reference = reference?;
                if let (Ok(name), Some(oid)) = (reference.name(), reference.target()) {
                    refs.push((name.to_owned(), oid));
                }
            }
            Ok(refs)
        };
        list().map_err(|source| self.failed(source))
    }

    /// The working tree in which this branch is checked out.
    pub fn checked_out(&self, branch: &str) -> Result<Option<PathBuf>, KeepError> {
        let wanted = format!("ref: refs/heads/{branch}");
        let is_at = |git: &Dir, head: &str| -> Result<bool, KeepError> {
            let head = git.read(head, MAX_HEAD).map_err(Error::from)?.unwrap_or_default();
            Ok(String::from_utf8_lossy(&head).trim() == wanted)
        };
        if !self.is_bare && (is_at(&self.own, "HEAD")? || is_at(&self.common, "HEAD")?) {
            return Ok(Some(self.root.clone()));
        }
        for entry in self.common.entries("worktrees").unwrap_or_default() {
            let name = Path::new("worktrees").join(&entry.name);
            if entry.kind != DirEntryKind::Dir {
                continue;
            }
            let git = self.common.dir(&name).map_err(Error::from)?;
            if is_at(&git, "HEAD")? {
                let at = git.read("gitdir", MAX_HEAD).map_err(Error::from)?.unwrap_or_default();
                let at = PathBuf::from(String::from_utf8_lossy(&at).trim());
                return Ok(Some(at.parent().unwrap_or(&at).to_path_buf()));
            }
        }
        Ok(None)
    }
}
