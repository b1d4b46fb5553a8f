//! Pushes a clone's branch to the project's remote.
//!
//! The push starts from a git directory of parlour's own, so the remote is the one that parlour knows, whatever the clone
//! says of it, and credentials are asked for as for a fetch.

use std::ffi::OsString;
use std::time::{Duration, Instant};

use git2::Oid;

use super::error::KeepError;
use super::place::{ClonePlace, MODE};
use super::scratch::{KeepTools, Scratch};
use super::target;
use crate::fs::Dir;
use crate::git::config::{self, GitSetting};
use crate::git::fetch::{address, reaching};
use crate::git::lock_file::LockFile;
use crate::git::origin::Reach;
use crate::git::program::operands;
use crate::git::{Error, GitStage, Origin, read};
use crate::model::keep::PushTarget;

/// A remote on this machine is a repository that an agent may have made: its hooks are left out.
const WITHOUT_HOOKS: &str = "--receive-pack=git -c core.hooksPath=/dev/null receive-pack";
const MAX_CONFIG: u64 = 1 << 20;

/// A person waits for the end of the push.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);
const LOCK_LOOK: Duration = Duration::from_millis(20);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushedBranch {
    pub branch: String,
    pub remote: String,
    pub commit: Oid,
    pub up_to_date: bool,
    /// Why the clone was not told, which changes nothing of the push.
    pub untold: Option<String>,
}

/// Where [`push`] would send what is checked out in the clone at `files`, as far as the clone knows its remote.
pub fn push_target(files: &Dir, origin: &Origin) -> Result<PushTarget, KeepError> {
    target::remote(origin)?;
    let place = ClonePlace::open(files)?;
    let (branch, _) = place.branch()?;
    let seen = place.state.commit_of(&format!("refs/remotes/origin/{branch}"));
    Ok(PushTarget {
        remote: origin.url.clone(),
        is_new: seen.is_none(),
        commits: read::unpushed(files.path())?,
    })
}

/// Pushes what is checked out in the clone at `files`. With `lease`, what the remote has is replaced, if it is still what
/// the clone saw there last.
pub fn push(tools: &KeepTools<'_>, files: &Dir, origin: &Origin, lease: bool) -> Result<PushedBranch, KeepError> {
    let reach = target::remote(origin)?;
    let place = ClonePlace::open(files)?;
    let (branch, commit) = place.branch()?;
    let scratch = Scratch::of_clone(tools, &place.git, &place.state)?;
    let seen = place.state.commit_of(&format!("refs/remotes/origin/{branch}"));
    let mut command = scratch.at_git_dir(reaching(tools.program, &reach));
    command.args(["push", "--progress", "--no-verify", "--no-follow-tags"]);
    command.args(["--recurse-submodules=no", "--no-signed"]);
    if lease {
        let seen = seen.map(|seen| seen.to_string()).unwrap_or_default();
        command.arg(format!("--force-with-lease=refs/heads/{branch}:{seen}"));
    }
    if let Reach::Local { .. } = reach {
        command.arg(WITHOUT_HOOKS);
    }
    let refspec = OsString::from(format!("{commit}:refs/heads/{branch}"));
    operands(&mut command, [address(&reach), &refspec]);
    let remote = origin.url.clone();
    scratch
        .run("push", GitStage::Pushing, command)
        .map_err(|error| match error {
            Error::Git { said, .. } if said.contains("failed to push some refs") => KeepError::PushRefused {
                branch: branch.to_owned(),
                remote: remote.clone(),
                said: reason(&said),
            },
            other => other.into(),
        })?;
    let told = follow(&place, branch, commit);
    Ok(PushedBranch {
        untold: told.err().map(|error| error.to_string()),
        branch: branch.to_owned(),
        up_to_date: seen == Some(commit),
        remote,
        commit,
    })
}

/// `! [rejected] abc -> main (fetch first); error: failed to push …` → `fetch first`.
fn reason(said: &str) -> String {
    let rejected = said.split("; ").find(|line| line.starts_with("! ["));
    let reason = rejected.and_then(|line| line.rsplit_once('(')?.1.strip_suffix(')'));
    match reason {
        Some("fetch first" | "non-fast-forward") => "it has commits that this branch lacks".to_owned(),
        Some("stale info") => "it has changed since this clone saw it last".to_owned(),
        Some(other) => other.to_owned(),
        None => said.to_owned(),
    }
}

/// The clone knows what its remote has now, and follows that.
fn follow(place: &ClonePlace<'_>, branch: &str, commit: Oid) -> Result<(), KeepError> {
    let name = format!("refs/remotes/origin/{branch}");
    locked(&place.git, &name)?.put(format!("{commit}\n").as_bytes(), MODE)?;
    let read = || -> Result<Vec<u8>, Error> { Ok(place.git.read("config", MAX_CONFIG)?.unwrap_or_default()) };
    let header = format!("[branch \"{branch}\"]");
    let follows = |text: &[u8]| String::from_utf8_lossy(text).lines().any(|line| line.trim() == header);
    if follows(&read()?) {
        return Ok(());
    }
    // Read again: whoever had the lock until now has changed it.
    let lock = locked(&place.git, "config")?;
    let text = read()?;
    if follows(&text) {
        return Ok(());
    }
    let setting = |key: String, value: String| GitSetting { key, value };
    let own = config::text(&[
        setting(format!("branch.{branch}.remote"), "origin".into()),
        setting(format!("branch.{branch}.merge"), format!("refs/heads/{branch}")),
    ]);
    let mut whole = text;
    if !whole.is_empty() && !whole.ends_with(b"\n") {
        whole.push(b'\n');
    }
    whole.extend_from_slice(own.as_bytes());
    Ok(lock.put(&whole, MODE)?)
}

/// Git holds its locks for moments; one that stays was left behind, or is held by an agent.
fn locked<'g>(git: &'g Dir, name: &str) -> Result<LockFile<'g>, Error> {
    let until = Instant::now() + LOCK_PATIENCE;
    loop {
        match LockFile::take(git, name) {
            Err(Error::Locked { .. }) if Instant::now() < until => std::thread::sleep(LOCK_LOOK),
            taken => return taken,
        }
    }
}
