//! Puts a clone's branch on top of the base branch, as the remote has it now.
//!
//! The commits are made anew in memory first, so files change only if none of them conflicts. A rebase whose conflicts
//! are to be kept is left under way in the clone as git itself would leave it.

use std::ffi::OsString;
use std::path::Path;

use git2::{ErrorCode, Oid, RebaseOptions, Repository};

use super::commit::conflicts;
use super::error::KeepError;
use super::place::{ClonePlace, MODE, replace};
use super::scratch::{KeepTools, Scratch};
use super::target::{self, CommitAuthor};
use super::tree;
use crate::fs::Dir;
use crate::git::checkpoint::gitdir::GitState;
use crate::git::fetch::{address, reaching};
use crate::git::program::operands;
use crate::git::{BranchName, Error, GitStage, Origin, read};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnConflict {
    /// Nothing changes, and the conflict is told.
    CallOff,
    LeaveUnderWay,
}

/// What the commits are put on top of, as the remote has it now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RebaseOnto {
    Base,
    /// The branch itself: what others pushed to it is taken up.
    Upstream,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RebasedBranch {
    pub branch: String,
    pub onto: String,
    pub base: Oid,
    pub commit: Oid,
    pub up_to_date: bool,
    pub conflict: Option<RebaseConflict>,
}

/// The first commit that cannot be put on top of the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RebaseConflict {
    pub commit: Oid,
    pub subject: String,
    pub files: Vec<String>,
}

/// Rebases what is checked out in the clone at `files`. `begins` is called before the first change of the clone: an error
/// without it has changed nothing.
pub fn rebase(
    tools: &KeepTools<'_>,
    (files, origin): (&Dir, &Origin),
    (committer, onto, on_conflict): (&CommitAuthor, RebaseOnto, OnConflict),
    begins: impl FnOnce() -> Result<(), KeepError>,
) -> Result<RebasedBranch, KeepError> {
    let place = ClonePlace::open(files)?;
    place.nothing_under_way()?;
    let (branch, commit) = place.branch()?;
    let onto = match onto {
        RebaseOnto::Base => read::default_branch(files.path()).ok_or(KeepError::NoBase)?,
        RebaseOnto::Upstream => branch.to_owned(),
    };
    BranchName::parse(&onto)?;
    let lock = place.lock("index")?;
    let scratch = Scratch::of_clone(tools, &place.git, &place.state)?;
    let repository = scratch.repository_over(files)?;
    let failed = |source| KeepError::Git(scratch.failed(source));
    if tree::is_changed(&repository).map_err(failed)? {
        return Err(KeepError::Unclean {
            place: "the clone".into(),
        });
    }
    let seen = format!("refs/remotes/origin/{onto}");
    fetch(tools, &scratch, origin, (&onto, &seen))?;
    let base = repository.refname_to_id(&seen).map_err(failed)?;
    let mut rebased = RebasedBranch {
        branch: branch.to_owned(),
        onto,
        base,
        commit,
        up_to_date: false,
        conflict: None,
    };
    let is_above = |one, other| repository.graph_descendant_of(one, other);
    let replayed = if base == commit || is_above(commit, base).map_err(failed)? {
        rebased.up_to_date = true;
        Replayed::To(commit)
    } else if is_above(base, commit).map_err(failed)? {
        Replayed::To(base)
    } else {
        replay(&repository, (commit, base), committer)?.map_err(failed)?
    };
    match (replayed, on_conflict) {
        (Replayed::Conflict(conflict), OnConflict::CallOff) => {
            return Err(KeepError::RebaseConflict {
                branch: rebased.branch,
                onto: rebased.onto,
                subject: conflict.subject,
                files: conflict.files,
            });
        }
        (Replayed::Conflict(conflict), OnConflict::LeaveUnderWay) => {
            begins()?;
            leave_under_way(&place, &scratch, (base, committer))?;
            rebased.conflict = Some(conflict);
        }
        (Replayed::To(tip), OnConflict::CallOff | OnConflict::LeaveUnderWay) => {
            scratch.bring_objects(&place.git)?;
            if tip != commit {
                let head = place.lock_head()?;
                begins()?;
                tree::move_files(&scratch, files, Some(commit), tip)?;
                head.put(format!("{tip}\n").as_bytes(), MODE)?;
                replace(&place.git, "ORIG_HEAD", format!("{commit}\n").as_bytes())?;
            }
            rebased.commit = tip;
        }
    }
    if !rebased.up_to_date {
        lock.put(&scratch.index()?, MODE)?;
    }
    replace(&place.git, &seen, format!("{base}\n").as_bytes())?;
    Ok(rebased)
}

/// The base's news, from its remote; from the checkout that the clone came from, if that has none.
fn fetch(
    tools: &KeepTools<'_>,
    scratch: &Scratch<'_>,
    origin: &Origin,
    (onto, seen): (&str, &str),
) -> Result<(), KeepError> {
    let reach = match target::remote(origin) {
        Err(KeepError::NoRemote { .. }) => origin.reach.clone(),
        other => other?,
    };
    let mut command = scratch.at_git_dir(reaching(tools.program, &reach));
    command.args(["fetch", "--progress", "--no-tags", "--no-write-fetch-head"]);
    command.args(["--no-recurse-submodules", "--no-auto-gc"]);
    let refspec = OsString::from(format!("+refs/heads/{onto}:{seen}"));
    operands(&mut command, [address(&reach), &refspec]);
    scratch.run("fetch", GitStage::Fetching, command)?;
    Ok(())
}

enum Replayed {
    To(Oid),
    Conflict(RebaseConflict),
}

/// The commits of a branch that its base lacks, made anew on top of it. Merges are left out, as git leaves them out.
fn replay(
    repository: &Repository,
    (commit, base): (Oid, Oid),
    committer: &CommitAuthor,
) -> Result<Result<Replayed, git2::Error>, KeepError> {
    let committer = committer.signature()?;
    let replay = || -> Result<Replayed, git2::Error> {
        let (own, upstream) = (
            repository.find_annotated_commit(commit)?,
            repository.find_annotated_commit(base)?,
        );
        let mut options = RebaseOptions::new();
        options.inmemory(true);
        let mut rebase = repository.rebase(Some(&own), Some(&upstream), None, Some(&mut options))?;
        let mut tip = base;
        while let Some(step) = rebase.next() {
            let step = step?.id();
            let index = rebase.inmemory_index()?;
            if index.has_conflicts() {
                let subject = repository.find_commit(step)?;
                return Ok(Replayed::Conflict(RebaseConflict {
                    commit: step,
                    subject: String::from_utf8_lossy(subject.summary_bytes().unwrap_or_default()).into_owned(),
                    files: conflicts(&index)?,
                }));
            }
            match rebase.commit(None, &committer, None) {
                Ok(made) => tip = made,
                // The base has it already.
                Err(error) if error.code() == ErrorCode::Applied => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Replayed::To(tip))
    };
    Ok(replay())
}

/// Has git itself rebase over the clone's files, and puts what it leaves under way into the clone.
fn leave_under_way(
    place: &ClonePlace<'_>,
    scratch: &Scratch<'_>,
    (base, committer): (Oid, &CommitAuthor),
) -> Result<(), KeepError> {
    let mut command = scratch.over(place.files);
    command
        .env("GIT_COMMITTER_NAME", &committer.name)
        .env("GIT_COMMITTER_EMAIL", &committer.email)
        .env("GIT_EDITOR", "true")
        .args([
            "rebase",
            "--merge",
            "--no-autostash",
            "--no-gpg-sign",
            "--no-stat",
            "--no-verify",
        ])
        .arg(base.to_string());
    let ended = scratch.run("rebase", GitStage::CheckingOut, command);
    let left = GitState::read(place.files, &scratch.git, None)?;
    let is_under_way = |left: &GitState| left.state.keys().any(|path| path.starts_with("rebase-merge"));
    let Some(left) = left.filter(is_under_way) else {
        // It failed for another reason, or found a way that libgit2 did not.
        ended?;
        return Err(KeepError::Git(Error::Changing {
            path: place.files.path().to_path_buf(),
        }));
    };
    scratch.bring_objects(&place.git)?;
    for (path, content) in &left.state {
        if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) {
            place.git.create_dir(folder).map_err(Error::from)?;
        }
        place.git.write_atomic_as(path, content, 0o644).map_err(Error::from)?;
    }
    replace(&place.git, "HEAD", &left.raw_head)
}
