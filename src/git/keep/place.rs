//! A clone's git directory, as an agent left it: where it stands, and how refs and the index in it are changed.
//!
//! All is written by handle, so no link leads elsewhere, and under the lock files that git itself respects.

use git2::Oid;

use super::error::KeepError;
use crate::fs::Dir;
use crate::git::checkpoint::CheckedOut;
use crate::git::checkpoint::gitdir::GitState;
use crate::git::lock_file::LockFile;
use crate::git::{BranchName, Error};

/// Permission bits of git's own files.
pub const MODE: u32 = 0o644;

/// Replaces a file in a git directory under git's lock of it.
pub fn replace(git: &Dir, name: &str, content: &[u8]) -> Result<(), KeepError> {
    Ok(LockFile::take(git, name)?.put(content, MODE)?)
}

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
            CheckedOut::Detached(_) | CheckedOut::Gone => {
                self.nothing_under_way()?;
                Err(KeepError::NoBranch)
            }
        }
    }

    /// Takes git's lock of a file in the git directory.
    pub fn lock(&self, name: &str) -> Result<LockFile<'_>, KeepError> {
        Ok(LockFile::take(&self.git, name)?)
    }

    /// Points what is checked out at another commit, if it still is where it was read.
    pub fn move_head(&self, to: Oid) -> Result<(), KeepError> {
        Ok(self.lock_head()?.put(format!("{to}\n").as_bytes(), MODE)?)
    }

    /// Locks what [`ClonePlace::move_head`] writes, if it still says what was read.
    pub fn lock_head(&self) -> Result<LockFile<'_>, KeepError> {
        let name = match &self.state.head {
            CheckedOut::Branch { name, .. } => format!("refs/heads/{name}"),
            CheckedOut::Detached(_) | CheckedOut::Gone => "HEAD".to_owned(),
        };
        let lock = self.lock(&name)?;
        let now = GitState::read(self.files, &self.git, None)?;
        let is_same = |now: &GitState| now.head == self.state.head && now.raw_head == self.state.raw_head;
        match now.as_ref().is_some_and(is_same) {
            true => Ok(lock),
            false => Err(KeepError::Git(Error::Changing {
                path: self.files.path().to_path_buf(),
            })),
        }
    }
}
