//! A clone's git directory, as an agent left it: where it stands, and how refs and the index in it are changed.
//!
//! All is written by handle, so no link leads elsewhere, and under the lock files that git itself respects.

use git2::Oid;

use super::error::KeepError;
use crate::fs::Dir;
use crate::git::checkpoint::CheckedOut;
use crate::git::checkpoint::gitdir::GitState;
use crate::git::{BranchName, Error};

/// A clone whose git directory can be read.
pub struct ClonePlace<'a> {
    pub files: &'a Dir,
    pub git: Dir,
    pub state: GitState,
}

impl<'a> ClonePlace<'a> {
    pub fn open(files: &'a Dir) -> Result<ClonePlace<'a>, KeepError> {
        let gone = || Error::NotARepository {
            path: files.path().to_path_buf(),
        };
        let git = files.dir(".git").map_err(|_| gone())?;
        let state = GitState::read(files, &git, None)?.ok_or_else(gone)?;
        match &state.head {
            CheckedOut::Gone => return Err(gone().into()),
            CheckedOut::Detached(_) => {}
            CheckedOut::Branch { name, .. } => {
                BranchName::parse(name)?;
                if !state.raw_head.starts_with(b"ref: refs/heads/") {
                    return Err(KeepError::NoBranch);
                }
            }
        }
        Ok(ClonePlace { files, git, state })
    }

    /// The branch that is checked out, with its commit.
    pub fn branch(&self) -> Result<(&str, Oid), KeepError> {
        match &self.state.head {
            CheckedOut::Branch {
                name,
                commit: Some(commit),
            } => Ok((name, *commit)),
            CheckedOut::Branch { commit: None, .. } => Err(KeepError::NoCommit),
            CheckedOut::Detached(_) | CheckedOut::Gone => Err(KeepError::NoBranch),
        }
    }

    /// Fails while a merge or the like waits for its end.
    pub fn nothing_under_way(&self) -> Result<(), KeepError> {
        let has = |name: &str| self.state.state.keys().any(|path| path.starts_with(name));
        let what = [
            ("rebase-merge", "a rebase"),
            ("rebase-apply", "a rebase"),
            ("MERGE_HEAD", "a merge"),
            ("CHERRY_PICK_HEAD", "a cherry-pick"),
            ("REVERT_HEAD", "a revert"),
        ];
        match what.into_iter().find(|(name, _)| has(name)) {
            Some((_, what)) => Err(KeepError::UnderWay { what }),
            None => Ok(()),
        }
    }

    /// Takes git's lock of a file in the git directory, with what is to stand there.
    pub fn lock(&self, name: &str, content: &[u8]) -> Result<LockedFile<'_>, KeepError> {
        LockedFile::new(&self.git, name, content)
    }

    /// Points what is checked out at another commit, if it still is where it was read.
    pub fn move_head(&self, to: Oid) -> Result<(), KeepError> {
        let name = match &self.state.head {
            CheckedOut::Branch { name, .. } => format!("refs/heads/{name}"),
            CheckedOut::Detached(_) | CheckedOut::Gone => "HEAD".to_owned(),
        };
        let lock = LockedFile::new(&self.git, &name, format!("{to}\n").as_bytes())?;
        let now = GitState::read(self.files, &self.git, None)?;
        let is_same = |now: &GitState| now.head == self.state.head && now.raw_head == self.state.raw_head;
        match now.as_ref().is_some_and(is_same) {
            true => lock.put(),
            false => Err(KeepError::Git(Error::Changing {
                path: self.files.path().to_path_buf(),
            })),
        }
    }
}

/// A file under git's lock: until it is put in place, it is as it was.
pub struct LockedFile<'a> {
    git: &'a Dir,
    name: String,
    is_put: bool,
}

impl<'a> LockedFile<'a> {
    pub fn new(git: &'a Dir, name: &str, content: &[u8]) -> Result<LockedFile<'a>, KeepError> {
        if let Some((folder, _)) = name.rsplit_once('/') {
            git.create_dir(folder).map_err(Error::from)?;
        }
        let temporary = format!("{name}.{}", uuid::Uuid::new_v4().simple());
        git.write_atomic_as(&temporary, content, 0o644).map_err(Error::from)?;
        let taken = git.rename_new(&temporary, git, format!("{name}.lock"));
        if let Err(error) = taken {
            // The lock's owner matters more than what is left of ours.
            let _ = git.remove_file(&temporary);
            return Err(match error.kind() {
                std::io::ErrorKind::AlreadyExists => KeepError::Git(Error::Changing {
                    path: git.path().join(name),
                }),
                _ => Error::from(error).into(),
            });
        }
        Ok(LockedFile {
            git,
            name: name.to_owned(),
            is_put: false,
        })
    }

    /// Replaces what is to stand there.
    pub fn rewrite(&self, content: &[u8]) -> Result<(), KeepError> {
        let lock = format!("{}.lock", self.name);
        Ok(self.git.write_atomic_as(lock, content, 0o644).map_err(Error::from)?)
    }

    pub fn put(mut self) -> Result<(), KeepError> {
        let lock = format!("{}.lock", self.name);
        self.git.rename(lock, self.git, &self.name).map_err(Error::from)?;
        self.is_put = true;
        Ok(())
    }
}

impl Drop for LockedFile<'_> {
    fn drop(&mut self) {
        if !self.is_put {
            let _ = self.git.remove_file(format!("{}.lock", self.name));
        }
    }
}
