//! Ends what git has begun in a clone: goes on with a rebase whose conflicts are resolved, or calls off whatever it is.
//!
//! Git itself does it, in a git directory of parlour's own that has the clone's state. What an agent wrote into that state is
//! read first: a plan may hold commands (git-rebase(1), `exec`), and an option may name a program. Where there is more in it
//! than steps that only make commits, the end is left to a person's own git.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use git2::{Oid, Repository};

use super::commit::conflicts;
use super::error::{KeepError, UnderWayError};
use super::place::{ClonePlace, MODE};
use super::scratch::{KeepTools, Scratch};
use super::target::CommitAuthor;
use super::under_way::is_sign;
use crate::fs::Dir;
use crate::git::checkpoint::CheckedOut;
use crate::git::checkpoint::gitdir::{GitState, STATE};
use crate::git::{BranchName, Error, GitStage};
use crate::model::keep::{EndWay, GitUnderWay};

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedUnderWay {
    pub what: GitUnderWay,
    /// None while no branch is checked out.
    pub branch: Option<String>,
    pub commit: Oid,
    /// The next commit stopped it; else it is over.
    pub stopped: bool,
    /// The files in which that commit conflicts.
    pub conflicts: Vec<String>,
}

/// Steps that make, take or leave a commit, and run nothing. `reword` would ask for words.
const STEPS: [&str; 15] = [
    "pick", "p", "edit", "e", "squash", "s", "fixup", "f", "drop", "d", "break", "b", "noop", "revert", "#",
];

/// What git keeps of a rebase that only makes commits (`rebase_path_*` in git's `sequencer.c`). A stash, other branches to
/// move, a strategy and its options are left out.
const OF_REBASE: [&str; 28] = [
    "allow_rerere_autoupdate",
    "amend",
    "author-script",
    "current-fixups",
    "done",
    "drop_redundant_commits",
    "end",
    "git-rebase-todo",
    "git-rebase-todo.backup",
    "gpg_sign_opt",
    "head-name",
    "interactive",
    "keep_redundant_commits",
    "message",
    "message-fixup",
    "message-squash",
    "msgnum",
    "no-reschedule-failed-exec",
    "onto",
    "orig-head",
    "patch",
    "quiet",
    "rewritten-list",
    "rewritten-pending",
    "squash-onto",
    "stopped-sha",
    "verbose",
    "dropped",
];
/// The same of a row of commits that are picked or reverted. Their options stand in a file that is left out.
const OF_ROW: [&str; 3] = ["abort-safety", "head", "todo"];

/// Commits here are not signed, and nothing is remembered of how a conflict was resolved.
const LEFT_BEHIND: [&str; 2] = ["rebase-merge/gpg_sign_opt", "rebase-merge/allow_rerere_autoupdate"];

/// Ends what is under way in the clone at `files`. `begins` is called before the first change of the clone: an error without
/// it has changed nothing.
pub fn end(
    tools: &KeepTools<'_>,
    files: &Dir,
    (committer, way): (&CommitAuthor, EndWay),
    begins: impl FnOnce() -> Result<(), KeepError>,
) -> Result<EndedUnderWay, KeepError> {
    let found = ClonePlace::open(files)?;
    let lock = found.lock("index")?;
    // As it stands while nobody else goes on with it.
    let place = ClonePlace::open(files)?;
    let what = place.under_way().ok_or(UnderWayError::Nothing)?;
    if way == EndWay::Continue && place.concludes().is_ok() {
        return Err(UnderWayError::ByCommit { what }.into());
    }
    // Whoever checked out a branch amid a rebase has it go on there.
    let is_elsewhere = what == GitUnderWay::Rebase && place.state.head.branch().is_some();
    if is_elsewhere || !place.only_makes_commits() {
        return Err(UnderWayError::ByGit { what }.into());
    }
    let scratch = Scratch::of_clone(tools, &place.git, &place.state)?;
    let kept = place.kept();
    for (path, content) in &kept {
        put(&scratch.git, path, content)?;
    }
    let repository = scratch.repository_over(files)?;
    let failed = |source| KeepError::Git(scratch.failed(source));
    let in_conflict = || conflicts(&repository.index()?);
    if way == EndWay::Continue {
        let files = in_conflict().map_err(failed)?;
        if !files.is_empty() {
            return Err(KeepError::Conflicts { files });
        }
    }
    let head = place.lock_head()?;
    begins()?;
    let ended = run(&scratch, files, committer, (what, way));
    let left = GitState::read(files, &scratch.git, None)?.ok_or_else(|| changing(files))?;
    let stopped = left.state.keys().any(|path| is_sign(path));
    let is_same = stopped && left.raw_head == place.state.raw_head && left.state == kept;
    match ended {
        // It stopped at the next conflict.
        Err(Error::Git { .. }) if stopped && !is_same && way == EndWay::Continue => {}
        ended => drop(ended?),
    }
    let now = repository
        .head()
        .and_then(|head| head.peel_to_commit())
        .map_err(failed)?;
    scratch.bring_objects(&place.git)?;
    let branch = branch_of(&repository, &left)?;
    place.put_state(&left)?;
    match (&place.state.head, &branch) {
        (CheckedOut::Branch { name, .. }, Some(now_on)) if name == now_on => {
            head.put(format!("{}\n", now.id()).as_bytes(), MODE)?;
        }
        (CheckedOut::Detached(_), Some(name)) => {
            place.move_branch(name, now.id())?;
            head.put(&left.raw_head, MODE)?;
        }
        (CheckedOut::Detached(_), None) => head.put(&left.raw_head, MODE)?,
        (CheckedOut::Branch { .. } | CheckedOut::Gone, _) => return Err(changing(files)),
    }
    lock.put(&scratch.index()?, MODE)?;
    let mut reopened = repository.index().map_err(failed)?;
    reopened.read(true).map_err(failed)?;
    Ok(EndedUnderWay {
        what,
        branch,
        commit: now.id(),
        stopped,
        conflicts: conflicts(&reopened).map_err(failed)?,
    })
}

fn changing(files: &Dir) -> KeepError {
    KeepError::Git(Error::Changing {
        path: files.path().to_path_buf(),
    })
}

fn run(
    scratch: &Scratch<'_>,
    files: &Dir,
    committer: &CommitAuthor,
    (what, way): (GitUnderWay, EndWay),
) -> Result<Vec<u8>, Error> {
    let verb = match what {
        GitUnderWay::Merge => "merge",
        GitUnderWay::Rebase => "rebase",
        GitUnderWay::CherryPick => "cherry-pick",
        GitUnderWay::Revert => "revert",
    };
    let how = match way {
        EndWay::Continue => "--continue",
        EndWay::Abort => "--abort",
    };
    let mut command = scratch.over(files);
    command
        .env("GIT_COMMITTER_NAME", &committer.name)
        .env("GIT_COMMITTER_EMAIL", &committer.email)
        .env("GIT_EDITOR", "true")
        .args([verb, how]);
    scratch.run(verb, GitStage::CheckingOut, command)
}

fn comes_along(path: &Path) -> bool {
    !LEFT_BEHIND.iter().any(|left| path == Path::new(left))
}

fn put(git: &Dir, path: &Path, content: &[u8]) -> Result<(), KeepError> {
    if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) {
        git.create_dir(folder).map_err(Error::from)?;
    }
    git.write_atomic_as(path, content, 0o644).map_err(Error::from)?;
    Ok(())
}

/// The branch that is checked out in the end.
fn branch_of(repository: &Repository, left: &GitState) -> Result<Option<String>, KeepError> {
    if !left.raw_head.starts_with(b"ref: ") {
        return Ok(None);
    }
    let name = repository
        .head()
        .ok()
        .and_then(|head| Some(head.shorthand().ok()?.to_owned()));
    let name = name.ok_or(KeepError::NoBranch)?;
    BranchName::parse(&name)?;
    Ok(Some(name))
}

impl ClonePlace<'_> {
    /// What git reads of what is under way.
    fn kept(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let state = self.state.state.iter().filter(|(path, _)| comes_along(path));
        state.map(|(path, content)| (path.clone(), content.clone())).collect()
    }

    /// Nothing in the plan runs a program or touches more than the branch and the files.
    fn only_makes_commits(&self) -> bool {
        self.state.state.iter().all(|(path, content)| {
            let mut names = path.iter().filter_map(|name| name.to_str());
            let (first, second, more) = (names.next(), names.next(), names.next());
            match (first, second, more) {
                (Some("MERGE_AUTOSTASH" | "rebase-apply"), ..) => false,
                (Some("rebase-merge"), Some(name), None) if OF_REBASE.contains(&name) => match name {
                    "git-rebase-todo" => has_only_steps(content),
                    "head-name" => names_a_branch(content),
                    _ => true,
                },
                (Some("sequencer"), Some(name), None) if OF_ROW.contains(&name) => {
                    name != "todo" || has_only_steps(content)
                }
                (Some("rebase-merge" | "sequencer"), ..) => false,
                _ => true,
            }
        })
    }

    /// Points a branch that is not checked out at another commit, if it still is where it was read.
    fn move_branch(&self, name: &str, to: Oid) -> Result<(), KeepError> {
        let name = format!("refs/heads/{name}");
        let known = self.state.commit_of(&name);
        if known == Some(to) {
            return Ok(());
        }
        let lock = self.lock(&name)?;
        let now = GitState::read(self.files, &self.git, None)?;
        match now.is_some_and(|now| now.commit_of(&name) == known) {
            true => Ok(lock.put(format!("{to}\n").as_bytes(), MODE)?),
            false => Err(changing(self.files)),
        }
    }

    /// Puts what git left elsewhere into the clone, and takes away what is over.
    fn put_state(&self, left: &GitState) -> Result<(), KeepError> {
        let top = |path: &PathBuf| path.iter().next().map(OsStr::to_owned);
        let stays: BTreeSet<_> = left.state.keys().filter_map(top).collect();
        for name in STATE.into_iter().filter(|name| !stays.contains(OsStr::new(name))) {
            self.git.remove_tree(name).map_err(Error::from)?;
        }
        for path in self.kept().keys().filter(|path| !left.state.contains_key(*path)) {
            self.git.remove_file(path).map_err(Error::from)?;
        }
        left.state
            .iter()
            .try_for_each(|(path, content)| put(&self.git, path, content))
    }
}

fn has_only_steps(plan: &[u8]) -> bool {
    let Ok(plan) = std::str::from_utf8(plan) else {
        return false;
    };
    let steps = plan.lines().filter_map(|line| line.split_whitespace().next());
    steps
        .into_iter()
        .all(|step| STEPS.contains(&step) || step.starts_with('#'))
}

fn names_a_branch(content: &[u8]) -> bool {
    let name = std::str::from_utf8(content).map(str::trim).unwrap_or_default();
    let branch = name.strip_prefix("refs/heads/");
    name == "detached HEAD" || branch.is_some_and(|branch| BranchName::parse(branch).is_ok())
}
