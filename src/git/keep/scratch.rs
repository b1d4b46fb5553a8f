//! A git directory of parlour's own that lasts for one piece of work.
//!
//! It reads the objects of other repositories in place and nothing of their configuration. New objects are made in it,
//! and are brought into a repository once all is well.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

use git2::{Repository, RepositoryOpenFlags};

use crate::fs::{Dir, DirEntryKind};
use crate::git::checkpoint::gitdir::GitState;
use crate::git::line_settings::LineSettings;
use crate::git::run::GitRun;
use crate::git::staged::staged_name;
use crate::git::{CancelFlag, Error, GitLimits, GitProgress, GitStage, Program};

const CONFIG: &str =
    "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfilemode = true\n\tlogallrefupdates = false\n";
/// Objects are read-only, so that a slip of a hand cannot spoil them.
const OBJECT_MODE: u32 = 0o444;
/// What these files say counts in a clone beside what is in its tree.
const INFO: [&str; 2] = ["info/exclude", "info/attributes"];
const MAX_INFO: u64 = 1 << 20;
const MAX_INDEX: u64 = 1 << 30;

/// What work on a clone is done with.
pub struct KeepTools<'a> {
    pub program: &'a Program,
    /// Where short-lived directories are made; swept at start.
    pub staging: &'a Dir,
    pub limits: GitLimits,
    pub progress: &'a dyn Fn(GitProgress),
    pub cancel: &'a CancelFlag,
}

pub struct Scratch<'a> {
    tools: &'a KeepTools<'a>,
    name: OsString,
    pub git: Dir,
}

impl<'a> Scratch<'a> {
    /// One that has the objects of these git directories.
    pub fn new(tools: &'a KeepTools<'a>, objects_of: &[&Dir]) -> Result<Scratch<'a>, Error> {
        let name = staged_name();
        let dir = tools.staging.create_new_dir(&name)?;
        let git = dir.create_dir(".git")?;
        for folder in ["objects/info", "objects/pack", "refs/heads", "info"] {
            git.create_dir(folder)?;
        }
        let mut alternates = Vec::new();
        for other in objects_of {
            // By handle first: a link there could lead anywhere.
            let objects = other.dir("objects")?;
            alternates.extend_from_slice(objects.path().as_os_str().as_bytes());
            alternates.push(b'\n');
        }
        git.write_unsynced("objects/info/alternates", alternates)?;
        git.write_unsynced("config", CONFIG)?;
        git.write_unsynced("HEAD", "ref: refs/heads/none\n")?;
        Ok(Scratch { tools, name, git })
    }

    /// One that stands where a working copy stands: its `HEAD`, refs, index and lists of ignored files.
    pub fn of_clone(tools: &'a KeepTools<'a>, git: &Dir, state: &GitState) -> Result<Scratch<'a>, Error> {
        Scratch::standing(tools, (git, git), state)
    }

    /// As [`Scratch::of_clone`], of a working copy whose objects and lists lie in the git directory `common`.
    pub fn standing(
        tools: &'a KeepTools<'a>,
        (git, common): (&Dir, &Dir),
        state: &GitState,
    ) -> Result<Scratch<'a>, Error> {
        let scratch = Scratch::new(tools, &[common])?;
        let mut packed = String::from("# pack-refs with: sorted \n");
        let mut refs: Vec<(&str, &str)> = state.refs.lines().filter_map(|line| line.split_once(' ')).collect();
        refs.sort_by_key(|(_, name)| *name);
        for (oid, name) in refs {
            packed.push_str(&format!("{oid} {name}\n"));
        }
        scratch.git.write_unsynced("packed-refs", packed)?;
        scratch.git.write_unsynced("HEAD", &state.raw_head)?;
        // A commit stores the files as the clone's own git would.
        scratch.add_settings(&LineSettings::read(common)?.to_config())?;
        if let Some(index) = git.read("index", MAX_INDEX)? {
            scratch.git.write_unsynced("index", index)?;
        }
        for name in INFO {
            if let Some(text) = common.read(name, MAX_INFO)? {
                scratch.git.write_unsynced(name, text)?;
            }
        }
        Ok(scratch)
    }

    pub fn repository(&self) -> Result<Repository, Error> {
        let none: [&Path; 0] = [];
        Repository::open_ext(self.git.path(), RepositoryOpenFlags::NO_SEARCH, none)
            .map_err(|source| self.failed(source))
    }

    /// Over the files of a working copy.
    pub fn repository_over(&self, files: &Dir) -> Result<Repository, Error> {
        let repository = self.repository()?;
        let set = repository.set_workdir(files.path(), false);
        set.map_err(|source| self.failed(source))?;
        Ok(repository)
    }

    /// Its own files: none.
    pub fn files(&self) -> &Path {
        self.git.path().parent().unwrap_or(self.git.path())
    }

    /// Adds to its configuration.
    pub fn add_settings(&self, settings: &str) -> Result<(), Error> {
        Ok(self.git.write_unsynced("config", format!("{CONFIG}{settings}"))?)
    }

    /// Points a command at this git directory.
    pub fn at_git_dir(&self, mut command: Command) -> Command {
        command.env("GIT_DIR", self.git.path());
        command
    }

    /// A command over the files of a working copy, under no configuration but ours.
    pub fn over(&self, files: &Dir) -> Command {
        self.at_git_dir(self.tools.program.over_files(files.path()))
    }

    pub fn run(&self, verb: &'static str, stage: GitStage, command: Command) -> Result<Vec<u8>, Error> {
        self.run_within(self.tools.limits, verb, stage, command)
    }

    pub fn run_within(
        &self,
        limits: GitLimits,
        verb: &'static str,
        stage: GitStage,
        command: Command,
    ) -> Result<Vec<u8>, Error> {
        self.run_with((limits, self.tools.cancel), verb, stage, command)
    }

    /// As [`Scratch::run`], until somebody sets this flag.
    pub fn run_until(
        &self,
        cancel: &CancelFlag,
        verb: &'static str,
        stage: GitStage,
        command: Command,
    ) -> Result<Vec<u8>, Error> {
        self.run_with((self.tools.limits, cancel), verb, stage, command)
    }

    fn run_with(
        &self,
        (limits, cancel): (GitLimits, &CancelFlag),
        verb: &'static str,
        stage: GitStage,
        command: Command,
    ) -> Result<Vec<u8>, Error> {
        let run = GitRun {
            verb,
            stage,
            limits,
            growing: Some((self.git.path().to_path_buf(), verb.to_owned())),
            progress: self.tools.progress,
            cancel,
        };
        run.output(command)
    }

    /// The bytes of its index, as it is now.
    pub fn index(&self) -> Result<Vec<u8>, Error> {
        Ok(self.git.read("index", MAX_INDEX)?.unwrap_or_default())
    }

    /// Brings the objects that were made here into another git directory. Each appears whole or not at all.
    pub fn bring_objects(&self, into: &Dir) -> Result<(), Error> {
        let (from, to) = (self.git.dir("objects")?, into.dir("objects")?);
        for folder in from
            .entries(".")?
            .into_iter()
            .filter(|entry| entry.kind == DirEntryKind::Dir)
        {
            if folder.name == "info" {
                continue;
            }
            let (from, to) = (from.dir(&folder.name)?, to.create_dir(&folder.name)?);
            let mut files = from.entries(".")?;
            files.retain(|entry| entry.kind == DirEntryKind::File);
            // Git takes a pack for whole once it sees its index.
            files.sort_by_key(|entry| entry.name.as_bytes().ends_with(b".idx"));
            for entry in files {
                self.tools.cancel.check()?;
                bring(&from, &to, &entry.name)?;
            }
        }
        to.sync_file_system()?;
        Ok(())
    }

    pub fn failed(&self, source: git2::Error) -> Error {
        Error::of_store(self.git.path(), source)
    }
}

fn bring(from: &Dir, to: &Dir, name: &std::ffi::OsStr) -> Result<(), Error> {
    if to.metadata(name)?.is_some() {
        return Ok(());
    }
    let Some(file) = from.open_file(name)? else {
        return Ok(());
    };
    // Git itself removes what is left of a name like this.
    let temporary = format!("tmp_obj_{}", uuid::Uuid::new_v4().simple());
    to.copy_file_in(&file, &temporary, OBJECT_MODE)?;
    Ok(to.rename(&temporary, to, name)?)
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        // What cannot be removed now is swept at the next start.
        let _ = self.tools.staging.remove_tree(&self.name);
    }
}
