//! Brings a clone's branch into the repository on this machine that the clone came from.
//!
//! New objects and one branch are all that comes to that repository. Its working tree, and whatever is checked out there,
//! stay as they are, unless a checkout was asked for.

use std::path::{Path, PathBuf};

use git2::{Branch, Oid, Repository, RepositoryOpenFlags};

use super::commit::filter;
use super::error::KeepError;
use super::place::{ClonePlace, MODE, replace};
use super::scratch::{KeepTools, Scratch};
use super::tree;
use crate::fs::{Dir, DirEntryKind};
use crate::git::checkout::can_stand_beside;
use crate::git::checkpoint::gitdir::GitState;
use crate::git::lock_file::LockFile;
use crate::git::program::operands;
use crate::git::root::repository_at;
use crate::git::{Error, GitStage};

const MAX_HEAD: u64 = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HomeWish<'a> {
    /// The branch's name there; that of the clone's where there is none.
    pub name: Option<&'a str>,
    /// Check it out there, or move it on where it is checked out, if nothing there is uncommitted.
    pub checkout: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReachedHome {
    pub branch: String,
    pub from: Option<Oid>,
    pub commit: Oid,
    pub checked_out: bool,
}

/// The repository that the branch goes to.
struct Target {
    root: PathBuf,
    /// Of this working tree: its `HEAD` and index.
    own: Dir,
    /// Of all its working trees: refs and objects.
    common: Dir,
    is_bare: bool,
}

/// Brings what is checked out in the clone at `files` into the repository at `root`.
pub fn bring_home(
    tools: &KeepTools<'_>,
    files: &Dir,
    root: &Path,
    wish: HomeWish<'_>,
) -> Result<ReachedHome, KeepError> {
    let place = ClonePlace::open(files)?;
    let (own, commit) = place.branch()?;
    let branch = wish.name.unwrap_or(own);
    if !Branch::name_is_valid(branch).unwrap_or(false) {
        return Err(KeepError::BadName {
            branch: branch.to_owned(),
        });
    }
    let target = Target::open(root)?;
    let refs = target.refs()?;
    let name = format!("refs/heads/{branch}");
    let from = refs.iter().find(|(known, _)| *known == name).map(|(_, oid)| *oid);
    let other = refs.iter().find_map(|(known, _)| {
        let known = known.strip_prefix("refs/heads/")?;
        (known != branch && !can_stand_beside(known, branch)).then(|| known.to_owned())
    });
    if let Some(other) = other {
        return Err(KeepError::InTheWay {
            branch: branch.to_owned(),
            other,
            into: target.root,
        });
    }
    let reached = ReachedHome {
        branch: branch.to_owned(),
        from,
        commit,
        checked_out: wish.checkout,
    };
    let checked_out_at = target.checked_out(branch)?;
    if from == Some(commit) && (!wish.checkout || checked_out_at.is_some()) {
        return Ok(reached);
    }
    if let Some(at) = checked_out_at.filter(|at| !wish.checkout || *at != target.root) {
        return Err(KeepError::CheckedOutThere {
            branch: branch.to_owned(),
            at,
        });
    }
    let scratch = Scratch::new(tools, &[&target.common])?;
    fetch(&scratch, tools, (files, own, branch), &refs)?;
    let repository = scratch.repository()?;
    let failed = |source| KeepError::Git(scratch.failed(source));
    if let Some(from) = from.filter(|from| *from != commit)
        && !repository.graph_descendant_of(commit, from).map_err(failed)?
    {
        return Err(KeepError::Diverged {
            branch: branch.to_owned(),
            into: target.root,
        });
    }
    let tree_wanted = match wish.checkout {
        false => None,
        true => Some(target.ready_to_check_out(tools, &scratch, commit)?),
    };
    scratch.bring_objects(&target.common)?;
    let lock = LockFile::take(&target.common, &name)?;
    let now = target.refs()?.into_iter().find(|(known, _)| *known == name);
    if now.map(|(_, oid)| oid) != from {
        return Err(KeepError::Git(Error::Changing { path: target.root }));
    }
    lock.put(format!("{commit}\n").as_bytes(), MODE)?;
    if let Some(moving) = tree_wanted {
        moving.carry_out(&target, &scratch, branch, commit)?;
    }
    Ok(reached)
}

/// Whether the repository at `root` has this branch checked out, so that it cannot be brought there as it is.
pub fn is_checked_out_home(root: &Path, branch: &str) -> bool {
    Target::open(root).is_ok_and(|target| target.checked_out(branch).is_ok_and(|at| at.is_some()))
}

/// From the clone into the scratch, which has what the target has.
fn fetch(
    scratch: &Scratch<'_>,
    tools: &KeepTools<'_>,
    (files, own, branch): (&Dir, &str, &str),
    refs: &[(String, Oid)],
) -> Result<(), KeepError> {
    let mut packed = String::from("# pack-refs with: sorted \n");
    for (number, (_, oid)) in refs.iter().enumerate() {
        packed.push_str(&format!("{oid} refs/have/{number:09}\n"));
    }
    scratch.git.write_unsynced("packed-refs", packed).map_err(Error::from)?;
    let mut command = scratch.at_git_dir(tools.program.isolated());
    command.args(["fetch", "--progress", "--no-tags", "--no-write-fetch-head"]);
    command.args(["--no-recurse-submodules", "--no-auto-gc"]);
    operands(&mut command, [files.path()]);
    command.arg(format!("refs/heads/{own}:refs/heads/{branch}"));
    scratch.run("fetch", GitStage::Copying, command)?;
    Ok(())
}

impl Target {
    fn open(root: &Path) -> Result<Target, KeepError> {
        let gone = || Error::NotARepository {
            path: root.to_path_buf(),
        };
        let (root, own) = repository_at(root).ok_or_else(gone)?;
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
        Ok(Target {
            root,
            own,
            common,
            is_bare,
        })
    }

    fn failed(&self, source: git2::Error) -> KeepError {
        KeepError::Git(Error::Repository {
            path: self.root.clone(),
            source,
        })
    }

    /// All refs of the repository that lead to something, by name.
    fn refs(&self) -> Result<Vec<(String, Oid)>, KeepError> {
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
    fn checked_out(&self, branch: &str) -> Result<Option<PathBuf>, KeepError> {
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

    /// What a checkout needs, if it would lose nothing and run nothing.
    fn ready_to_check_out<'a>(
        &self,
        tools: &'a KeepTools<'a>,
        fetched: &Scratch<'_>,
        to: Oid,
    ) -> Result<Moving<'a>, KeepError> {
        let place = self.root.display().to_string();
        if self.is_bare {
            return Err(KeepError::Git(Error::Place {
                path: self.root.clone(),
                why: "it has no files, so nothing is checked out there".into(),
            }));
        }
        let files = Dir::open(&self.root).map_err(Error::from)?;
        let state = GitState::read(&files, &self.own, None)?.ok_or_else(|| Error::NotARepository {
            path: self.root.clone(),
        })?;
        let head = {
            let none: [&Path; 0] = [];
            let repository = Repository::open_ext(&self.root, RepositoryOpenFlags::NO_SEARCH, none);
            let repository = repository.map_err(|source| self.failed(source))?;
            repository.head().ok().and_then(|head| head.target())
        };
        let scratch = Scratch::standing(tools, (&self.own, &self.common), &state)?;
        let repository = scratch.repository_over(&files)?;
        let failed = |source| KeepError::Git(scratch.failed(source));
        if let Some(head) = head {
            repository.set_head_detached(head).map_err(failed)?;
        }
        if tree::is_changed(&repository).map_err(failed)? {
            return Err(KeepError::Unclean { place });
        }
        let fetched = fetched.repository()?;
        for path in tree::changed_paths(&fetched, head, to).map_err(failed)? {
            if let Some(filter) = filter(&repository, &path).map_err(failed)? {
                return Err(KeepError::Filtered {
                    file: path.to_string_lossy().into_owned(),
                    filter,
                });
            }
        }
        Ok(Moving { files, scratch, head })
    }
}

/// A checkout that was looked into.
struct Moving<'a> {
    files: Dir,
    scratch: Scratch<'a>,
    head: Option<Oid>,
}

impl Moving<'_> {
    fn carry_out(&self, target: &Target, fetched: &Scratch<'_>, branch: &str, to: Oid) -> Result<(), KeepError> {
        let lock = LockFile::take(&target.own, "index")?;
        fetched.bring_objects(&self.scratch.git)?;
        tree::move_files(&self.scratch, &self.files, self.head, to)?;
        lock.put(&self.scratch.index()?, MODE)?;
        replace(&target.own, "HEAD", format!("ref: refs/heads/{branch}\n").as_bytes())
    }
}
