//! Builds a clone from a cache in a staging folder.
//!
//! Written file by file rather than by `git clone`, which would hard-link the objects or take a second pass to copy them.

use std::path::Path;
use std::process::Command;

use super::advertised_refs::{BRANCHES, REMOTE_BRANCHES, REMOTE_HEAD};
use super::branches::{CloneStart, Refs};
use super::config::{self, GitSetting};
use super::fetch::{Fetch, Shape, init};
use super::objects::{self, BroughtObjects};
use super::program::Program;
use super::run::{GitRun, GitStage};
use super::{Error, GitProgress};
use crate::fs::Dir;

/// Fills the empty directory `clone`. The refs are read before the objects are brought, so none can lack its objects.
pub(super) fn build(
    fetch: &Fetch<'_>,
    cache: &Dir,
    clone: &Dir,
    refs: &Refs,
    start: &CloneStart,
    copy_limit: u64,
) -> Result<BroughtObjects, Error> {
    (fetch.progress)(GitProgress {
        stage: GitStage::Copying,
        percent: None,
    });
    init(
        fetch,
        clone.path(),
        start.commit.as_bytes().len() == 32,
        Shape::WithFiles,
    )?;
    let git = clone.dir(".git")?;
    let brought = objects::bring(cache, &git, copy_limit, fetch.cancel)?;
    write_refs(&git, refs, start)?;
    write_config(fetch, &git, refs, start)?;
    check_out(fetch, clone.path())?;
    Ok(brought)
}

fn write_refs(git: &Dir, refs: &Refs, start: &CloneStart) -> Result<(), Error> {
    let branch = &start.branch;
    let remote = refs
        .remote
        .iter()
        .map(|(name, oid)| (format!("{REMOTE_BRANCHES}{name}"), oid));
    let tags = refs.tags.iter().map(|(name, oid)| (format!("refs/tags/{name}"), oid));
    // What the remote lacks would be missing without a word; it stands as the clone's own, as it does in the source.
    let unpushed = refs
        .unpushed
        .iter()
        .filter(|(name, _)| can_stand_beside(name, branch.as_str()))
        .map(|(name, oid)| (format!("{BRANCHES}{name}"), oid));
    let own = (format!("{BRANCHES}{branch}"), &start.commit);
    let mut all: Vec<_> = remote.chain(tags).chain(unpushed).chain([own]).collect();
    all.sort();
    // Git finds a ref by bisection where the header says that they are sorted.
    let mut packed = String::from("# pack-refs with: sorted \n");
    for (name, oid) in all {
        packed.push_str(&format!("{oid} {name}\n"));
    }
    git.write_atomic("packed-refs", packed)?;
    if let Some(default) = &refs.remote_default {
        git.create_dir(REMOTE_BRANCHES)?;
        git.write_atomic(REMOTE_HEAD, format!("ref: {REMOTE_BRANCHES}{default}\n"))?;
    }
    // Git makes it with the first commit otherwise, when whoever watches the clone looks for it no more.
    git.create_dir("logs")?;
    Ok(git.write_atomic("HEAD", format!("ref: refs/heads/{branch}\n"))?)
}

/// Whether git can keep both: it cannot keep `a` beside `a/b`.
pub(super) fn can_stand_beside(name: &str, other: &str) -> bool {
    let is_above = |above: &str, below: &str| below.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'));
    name != other && !is_above(name, other) && !is_above(other, name)
}

fn write_config(fetch: &Fetch<'_>, git: &Dir, refs: &Refs, start: &CloneStart) -> Result<(), Error> {
    let mut settings = config::remote(&fetch.origin.url);
    if refs.remote.contains_key(start.branch.as_str()) {
        settings.push(GitSetting::new(&format!("branch.{}.remote", start.branch), "origin"));
        settings.push(GitSetting::new(
            &format!("branch.{}.merge", start.branch),
            &format!("refs/heads/{}", start.branch),
        ));
    }
    settings.extend(config::identity(fetch.program, Some(fetch.origin))?);
    let mut config = git.read("config", 1 << 20)?.unwrap_or_default();
    config.extend(config::text(&settings).into_bytes());
    Ok(git.write_atomic("config", config)?)
}

/// No filter, hook or monitor is configured here: the configuration is ours and the person's is out of force.
pub(super) fn check_out(fetch: &Fetch<'_>, clone: &Path) -> Result<(), Error> {
    let mut command = at(fetch.program, clone);
    command.args(["-c", "checkout.workers=0", "read-tree", "-v", "-u", "--reset", "HEAD"]);
    let run = GitRun {
        verb: "checkout",
        stage: GitStage::CheckingOut,
        limits: fetch.limits,
        growing: None,
        progress: fetch.progress,
        cancel: fetch.cancel,
    };
    run.output(command).map(drop)
}

fn at(program: &Program, clone: &Path) -> Command {
    let mut command = program.over_files(clone);
    command.env("GIT_DIR", clone.join(".git"));
    command
}
