//! Brings a clone's branch into the repository on this machine that the clone came from.
//!
//! New objects and one branch are all that comes to that repository. Its working tree, and whatever is checked out there,
//! stay as they are, unless a checkout was asked for.

use std::path::{Path, PathBuf};

use git2::{Branch, Oid};

use super::error::KeepError;
use super::home_checkout::HomeCheckout;
use super::home_target::HomeTarget;
use super::place::{ClonePlace, MODE};
use super::radar::tip;
use super::scratch::{KeepTools, Scratch};
use crate::fs::Dir;
use crate::git::checkout::can_stand_beside;
use crate::git::lock_file::LockFile;
use crate::git::program::operands;
use crate::git::{Error, GitStage};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HomeWish<'a> {
    /// The branch's name there; that of the clone's where there is none.
    pub name: Option<&'a str>,
    /// Check it out there, or move it on where it is checked out, if nothing there is uncommitted.
    pub checkout: bool,
    /// What parlour itself made there: a branch that is still exactly there may be replaced, as after a rebase.
    pub brought: Option<BroughtBefore<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BroughtBefore<'a> {
    pub branch: &'a str,
    pub commit: &'a str,
}

impl HomeWish<'_> {
    fn may_replace(&self, branch: &str, from: Oid) -> bool {
        let is_it = |brought: BroughtBefore<'_>| brought.branch == branch && brought.commit == from.to_string();
        self.brought.is_some_and(is_it)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReachedHome {
    pub branch: String,
    pub from: Option<Oid>,
    pub commit: Oid,
    pub checked_out: bool,
    /// The commits that the branch had there are not in it any more.
    pub replaced: bool,
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
    let target = HomeTarget::open(root)?;
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
    let mut reached = ReachedHome {
        branch: branch.to_owned(),
        from,
        commit,
        checked_out: wish.checkout,
        replaced: false,
    };
    let checked_out_at = target.checked_out(branch)?;
    // Where it is checked out here, its files count too: they are looked at below.
    let is_elsewhere = |at: &PathBuf| *at != target.root;
    if from == Some(commit) && (!wish.checkout || checked_out_at.as_ref().is_some_and(is_elsewhere)) {
        return Ok(reached);
    }
    if let Some(at) = checked_out_at.filter(|at| !wish.checkout || is_elsewhere(at)) {
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
        if !wish.may_replace(branch, from) {
            return Err(KeepError::Diverged {
                branch: branch.to_owned(),
                into: target.root,
            });
        }
        reached.replaced = true;
    }
    let checkout = match wish.checkout {
        false => None,
        true => Some(HomeCheckout::prepare(&target, tools, &scratch, commit)?),
    };
    scratch.bring_objects(&target.common)?;
    let lock = LockFile::take(&target.common, &name)?;
    let now = target.refs()?.into_iter().find(|(known, _)| *known == name);
    if now.map(|(_, oid)| oid) != from {
        return Err(KeepError::Git(Error::Changing {
            path: target.root.clone(),
        }));
    }
    let move_branch = || Ok(lock.put(format!("{commit}\n").as_bytes(), MODE)?);
    match checkout {
        None => move_branch()?,
        Some(checkout) => checkout.carry_out(branch, move_branch)?,
    }
    Ok(reached)
}

/// Whether the repository at `root` has no such branch, or one to which the work of the clone at `files` was brought
/// before: it is past the base branch, and past `started`, where the clone was when it was first saved.
pub fn is_free_at_home(
    tools: &KeepTools<'_>,
    files: &Dir,
    root: &Path,
    branch: &str,
    started: Option<&str>,
) -> Result<bool, KeepError> {
    let name = format!("refs/heads/{branch}");
    let refs = HomeTarget::open(root)?.refs()?;
    let Some((_, there)) = refs.into_iter().find(|(known, _)| *known == name) else {
        return Ok(true);
    };
    let tip = tip(files)?;
    if there == tip.commit {
        return Ok(true);
    }
    let scratch = Scratch::new(tools, &[&tip.git])?;
    let repository = scratch.repository()?;
    let started = started.and_then(|commit| Oid::from_str(commit).ok());
    let mut bases = tip.base.into_iter().chain(started).peekable();
    // What a clone does not have, it did not bring.
    let is_past = |base| repository.graph_descendant_of(there, base).unwrap_or(false);
    Ok(bases.peek().is_some() && bases.all(is_past))
}

/// Whether the repository at `root` still has what was brought there, as it was left.
pub fn is_at_home(root: &Path, brought: Option<BroughtBefore<'_>>) -> Result<bool, KeepError> {
    let Some(BroughtBefore { branch, commit }) = brought else {
        return Ok(false);
    };
    let name = format!("refs/heads/{branch}");
    let refs = HomeTarget::open(root)?.refs()?;
    Ok(refs
        .iter()
        .any(|(known, oid)| *known == name && oid.to_string() == commit))
}

/// Whether the repository at `root` has this branch checked out, so that it cannot be brought there as it is.
pub fn is_checked_out_home(root: &Path, branch: &str) -> bool {
    HomeTarget::open(root).is_ok_and(|target| target.checked_out(branch).is_ok_and(|at| at.is_some()))
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
