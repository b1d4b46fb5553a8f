//! Builds a clone from a cache in a staging folder.
//!
//! Written file by file rather than by `git clone`, which would hard-link the objects or take a second pass to copy them.

use std::path::Path;
use std::process::Command;

use super::config::{self, Setting};
use super::fetch::{Fetch, Shape, init};
use super::objects::{self, Brought};
use super::program::Program;
use super::refs::{Refs, Start};
use super::run::{Run, Stage};
use super::{Error, Progress};
use crate::fs::Dir;

/// Fills the empty directory `clone`. The refs are read before the objects are brought, so none can lack its objects.
pub(super) fn build(
    fetch: &Fetch<'_>,
    cache: &Dir,
    clone: &Dir,
    refs: &Refs,
    start: &Start,
    copy_limit: u64,
) -> Result<Brought, Error> {
    (fetch.progress)(Progress {
        stage: Stage::Copying,
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
    write_config(fetch, &git, start)?;
    check_out(fetch, clone.path())?;
    Ok(brought)
}

fn write_refs(git: &Dir, refs: &Refs, start: &Start) -> Result<(), Error> {
    let branch = &start.branch;
    let remote = refs
        .branches
        .iter()
        .map(|(name, oid)| (format!("refs/remotes/origin/{name}"), oid));
    let tags = refs.tags.iter().map(|(name, oid)| (format!("refs/tags/{name}"), oid));
    let own = (format!("refs/heads/{branch}"), &start.commit);
    let mut all: Vec<_> = remote.chain(tags).chain([own]).collect();
    all.sort();
    // Git finds a ref by bisection where the header says that they are sorted.
    let mut packed = String::from("# pack-refs with: sorted \n");
    for (name, oid) in all {
        packed.push_str(&format!("{oid} {name}\n"));
    }
    git.write_atomic("packed-refs", packed)?;
    if let Some(default) = &refs.default {
        git.create_dir("refs/remotes/origin")?;
        git.write_atomic(
            "refs/remotes/origin/HEAD",
            format!("ref: refs/remotes/origin/{default}\n"),
        )?;
    }
    Ok(git.write_atomic("HEAD", format!("ref: refs/heads/{branch}\n"))?)
}

fn write_config(fetch: &Fetch<'_>, git: &Dir, start: &Start) -> Result<(), Error> {
    let setting = |key: &str, value: &str| Setting {
        key: key.to_string(),
        value: value.to_string(),
    };
    let mut settings = vec![
        setting("remote.origin.url", &fetch.origin.url),
        setting("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
    ];
    if !start.created {
        settings.push(setting(&format!("branch.{}.remote", start.branch), "origin"));
        settings.push(setting(
            &format!("branch.{}.merge", start.branch),
            &format!("refs/heads/{}", start.branch),
        ));
    }
    settings.extend(config::identity(fetch.program, fetch.origin)?);
    let mut config = git.read("config", 1 << 20)?.unwrap_or_default();
    config.extend(config::text(&settings).into_bytes());
    Ok(git.write_atomic("config", config)?)
}

/// No filter, hook or monitor is configured here: the configuration is ours and the person's is out of force.
pub(super) fn check_out(fetch: &Fetch<'_>, clone: &Path) -> Result<(), Error> {
    let mut command = at(fetch.program, clone);
    command.args(["-c", "checkout.workers=0", "read-tree", "-v", "-u", "--reset", "HEAD"]);
    let run = Run {
        verb: "checkout",
        stage: Stage::CheckingOut,
        limits: fetch.limits,
        growing: None,
        progress: fetch.progress,
        cancel: fetch.cancel,
    };
    run.output(command).map(drop)
}

fn at(program: &Program, clone: &Path) -> Command {
    let mut command = program.isolated();
    command
        .current_dir(clone)
        .env("GIT_DIR", clone.join(".git"))
        .env("GIT_WORK_TREE", clone);
    command
}
