//! Checks a branch out in the person's own repository, if that would lose nothing and run nothing.
//!
//! The index and `HEAD` are locked before anything there is looked at. The branch moves after its files: if this is cut
//! off, what came shows as changes. A branch ahead of its files would show all that came as taken back, and the person's
//! next commit would do so.

use git2::{Oid, Repository, RepositoryOpenFlags};

use super::commit::filter;
use super::error::KeepError;
use super::home_target::HomeTarget;
use super::place::MODE;
use super::scratch::{KeepTools, Scratch};
use super::tree;
use crate::fs::Dir;
use crate::git::Error;
use crate::git::checkpoint::gitdir::GitState;
use crate::git::lock_file::LockFile;

/// A checkout that was looked into, and whose place is locked.
pub struct HomeCheckout<'a> {
    files: Dir,
    scratch: Scratch<'a>,
    index: LockFile<'a>,
    head: LockFile<'a>,
    raw_head: Vec<u8>,
    /// What is checked out; none where there is no commit yet.
    from: Option<Oid>,
    to: Oid,
}

impl<'a> HomeCheckout<'a> {
    /// Refuses here whatever can be refused: nothing is changed yet.
    pub fn prepare(
        target: &'a HomeTarget,
        tools: &'a KeepTools<'a>,
        fetched: &Scratch<'_>,
        to: Oid,
    ) -> Result<HomeCheckout<'a>, KeepError> {
        let place = target.root.display().to_string();
        if target.is_bare {
            return Err(KeepError::Git(Error::Place {
                path: target.root.clone(),
                why: "it has no files, so nothing is checked out there".into(),
            }));
        }
        let files = Dir::open(&target.root).map_err(Error::from)?;
        let index = LockFile::take(&target.own, "index")?;
        let head = LockFile::take(&target.own, "HEAD")?;
        let state = GitState::read(&files, &target.own, None)?.ok_or_else(|| Error::NotARepository {
            path: target.root.clone(),
        })?;
        let from = {
            let none: [&std::path::Path; 0] = [];
            let repository = Repository::open_ext(&target.root, RepositoryOpenFlags::NO_SEARCH, none);
            let repository = repository.map_err(|source| target.failed(source))?;
            repository.head().ok().and_then(|head| head.target())
        };
        let scratch = Scratch::standing(tools, (&target.own, &target.common), &state)?;
        let repository = scratch.repository_over(&files)?;
        let failed = |source| KeepError::Git(scratch.failed(source));
        if let Some(from) = from {
            repository.set_head_detached(from).map_err(failed)?;
        }
        if tree::is_changed(&repository).map_err(failed)? {
            return Err(KeepError::Unclean { place });
        }
        let objects = fetched.repository()?;
        for path in tree::changed_paths(&objects, from, to).map_err(failed)? {
            if let Some(filter) = filter(&repository, &path).map_err(failed)? {
                return Err(KeepError::Filtered {
                    file: path.to_string_lossy().into_owned(),
                    filter,
                });
            }
        }
        fetched.bring_objects(&scratch.git)?;
        tree::can_move_files(&scratch, &files, from, to)?;
        Ok(HomeCheckout {
            files,
            scratch,
            index,
            head,
            raw_head: state.raw_head,
            from,
            to,
        })
    }

    /// The files, then the index, then the branch, then `HEAD`.
    pub fn carry_out(
        &self,
        branch: &str,
        move_branch: impl FnOnce() -> Result<(), KeepError>,
    ) -> Result<(), KeepError> {
        tree::move_files(&self.scratch, &self.files, self.from, self.to).map_err(|error| KeepError::HalfMoved {
            place: self.files.path().display().to_string(),
            said: error.to_string(),
        })?;
        let moved = || -> Result<(), KeepError> {
            self.index.write(&self.scratch.index()?, MODE)?;
            move_branch()?;
            let head = format!("ref: refs/heads/{branch}\n");
            match self.raw_head == head.as_bytes() {
                true => Ok(()),
                false => Ok(self.head.write(head.as_bytes(), MODE)?),
            }
        };
        moved().inspect_err(|_| self.go_back())
    }

    /// The files are those of the branch, and it is not checked out. What stays of them shows as changes.
    fn go_back(&self) {
        let back = || -> Result<(), KeepError> {
            let Some(from) = self.from else {
                return Ok(());
            };
            tree::move_files(&self.scratch, &self.files, Some(self.to), from)?;
            Ok(self.index.write(&self.scratch.index()?, MODE)?)
        };
        if let Err(error) = back() {
            tracing::warn!("{} keeps the files of a branch: {error}", self.files.path().display());
        }
    }
}
