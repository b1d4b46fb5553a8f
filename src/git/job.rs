//! Opens a repository: cache, clone, the caller's finish, and one rename into place.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::branches::{CloneStart, OriginRelation, Refs};
use super::cache::Caches;
use super::fetch::{Fetch, Freshness};
use super::objects::BroughtObjects;
use super::run::{CancelFlag, GitLimits, GitProgress};
use super::staged::staged_name;
use super::{BranchName, Error, Kin, Origin, Program, checkout, copied_branches};
use crate::fs::{self, Dir, SafeName};

/// Beyond this someone is not naming projects but filling a disk.
const SAME_NAMES: usize = 1000;

#[derive(Debug)]
pub struct OpenJob<'a> {
    pub program: &'a Program,
    pub caches: &'a Caches,
    /// Where clones are built, on the file system of `projects`; see [`sweep`].
    pub staging: &'a Dir,
    /// Where the clone appears.
    pub projects: &'a Dir,
    pub origin: &'a Origin,
    pub branch: Option<BranchName>,
    /// Where a new branch starts: a branch, a tag or a commit, as the caller wrote it.
    pub base: Option<String>,
    /// Another clone of this origin whose branches come along; without a wanted one, the one it has checked out.
    pub carried: Option<PathBuf>,
    /// Other places that have the same project.
    pub kin: Vec<Kin>,
    /// The clone's name; `name-2` and so on where it is taken.
    pub name: SafeName,
    /// Above this many bytes of objects the clone borrows them from the cache.
    pub copy_limit: u64,
    pub limits: GitLimits,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedClone {
    pub name: String,
    pub path: PathBuf,
    pub branch: BranchName,
    pub created: bool,
    pub commit: String,
    /// Branches of a local source with commits that its own remote is not known to have.
    pub unpushed: Vec<String>,
    /// Why the origin could not be asked, where the cache had to do.
    pub offline: Option<String>,
    /// The clone reads the cache's objects in place.
    pub borrowed: bool,
    /// The cache was damaged, and is fetched anew.
    pub renewed: bool,
}

/// Clones. `finish` gets the whole clone before anyone can see it, to add to it; if it fails, no clone appears.
pub fn open<E: From<Error>>(
    job: &OpenJob<'_>,
    progress: &dyn Fn(GitProgress),
    cancel: &CancelFlag,
    finish: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<OpenedClone, E> {
    let caches = job.caches.root()?;
    let fetch = Fetch {
        program: job.program,
        origin: job.origin,
        caches: &caches,
        staging: job.staging,
        kin: &job.kin,
        limits: job.limits,
        progress,
        cancel,
    };
    let _use = job.caches.begin_use(&job.origin.cache);
    let read = job.caches.inode(job.origin)?;
    let begun = begin(job, &fetch);
    let renewed = match &begun {
        Err(error) => error.may_be_damage() && job.caches.mend(&fetch, read)?,
        Ok(_) => false,
    };
    let BegunClone {
        freshness,
        staged,
        mut start,
        refs,
        brought,
    } = match renewed {
        true => begin(job, &fetch)?,
        false => begun?,
    };
    if let Some(from) = &job.carried {
        let wanted = copied_branches::WantedBranches {
            branch: job.branch.as_ref(),
            base: job.base.as_deref(),
            default: refs.default.as_deref(),
        };
        start = copied_branches::carry(&fetch, from, &staged.dir, &wanted)?.unwrap_or(start);
    }
    finish(staged.dir.path())?;
    cancel.check()?;
    // The rename must not last longer than what it makes appear: after a power cut a clone would be full of empty files.
    staged.dir.sync_file_system().map_err(Error::from)?;
    let name = appear(job, &staged)?;
    Ok(OpenedClone {
        path: job.projects.path().join(&name),
        name,
        branch: start.branch,
        created: start.created,
        commit: start.commit.to_string(),
        unpushed: refs.unpushed.into_keys().collect(),
        offline: match freshness {
            Freshness::Fetched => None,
            Freshness::Offline(why) => Some(why),
        },
        borrowed: brought == BroughtObjects::Borrowed,
        renewed,
    })
}

/// A clone that nobody sees yet, as it was taken from the cache.
struct BegunClone<'a> {
    freshness: Freshness,
    staged: Staged<'a>,
    start: CloneStart,
    refs: Refs,
    brought: BroughtObjects,
}

fn begin<'a>(job: &OpenJob<'a>, fetch: &Fetch<'_>) -> Result<BegunClone<'a>, Error> {
    let freshness = job.caches.refresh(fetch)?;
    let staged = Staged::new(job.staging).map_err(Error::from)?;
    let cache = fetch.caches.dir(&job.origin.cache)?;
    let remote = match job.origin.is_seen_through_source() {
        true => OriginRelation::SeenBySource,
        false => OriginRelation::Itself,
    };
    let refs = Refs::of(cache.path(), remote).map_err(|error| match error {
        Error::Repository { source, .. } if source.message().contains("unknown object format") => Error::ObjectNames {
            origin: job.origin.url.clone(),
        },
        other => other,
    })?;
    let (branch, base) = match &job.carried {
        // The branch may come along only later, and its base too.
        Some(_) => (job.branch.as_ref().filter(|branch| refs.has(branch)), None),
        None => (job.branch.as_ref(), job.base.as_deref()),
    };
    let start = refs.start(cache.path(), &job.origin.place(), branch, base)?;
    let brought = checkout::build(fetch, &cache, &staged.dir, &refs, &start, job.copy_limit)?;
    staged.open_as_its_files()?;
    Ok(BegunClone {
        freshness,
        staged,
        start,
        refs,
        brought,
    })
}

fn appear(job: &OpenJob<'_>, staged: &Staged<'_>) -> Result<String, Error> {
    for number in 1..=SAME_NAMES {
        let name = if number == 1 {
            job.name.to_string()
        } else {
            format!("{}-{number}", job.name)
        };
        match staged.parent.rename_new(&staged.name, job.projects, &name) {
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            other => return other.map(|()| name).map_err(Error::from),
        }
    }
    let why = format!("{SAME_NAMES} clones of that name are there already");
    Err(Error::Place {
        path: job.projects.path().join(&job.name),
        why,
    })
}

/// A clone that nobody sees yet; whatever stops us, it goes.
struct Staged<'a> {
    parent: &'a Dir,
    name: OsString,
    dir: Dir,
}

impl<'a> Staged<'a> {
    fn new(parent: &'a Dir) -> Result<Staged<'a>, fs::Error> {
        let name = staged_name();
        let dir = parent.create_new_dir(&name)?;
        Ok(Staged { parent, name, dir })
    }

    /// The clone's own directory becomes as open as the files in it; its `.git` stays shut to others.
    fn open_as_its_files(&self) -> Result<(), Error> {
        // Git has just made it, with the mode of any file.
        if let Some(index) = self.dir.stamp(".git/index")? {
            let enters = (index.mode & 0o444) >> 2;
            self.parent.set_mode(&self.name, index.mode & 0o666 | enters | 0o700)?;
        }
        Ok(())
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        // After the rename nothing is there; else what cannot be removed now is swept at the next start.
        let _ = self.parent.remove_tree(&self.name);
    }
}

/// Takes a clone out of sight again that has just appeared, and removes it.
pub fn take_back(projects: &Dir, staging: &Dir, name: &str) -> Result<(), Error> {
    // A directory that forbids writing cannot be moved.
    projects.allow_writing(name, ".git")?;
    let aside = staged_name();
    projects.rename_new(name, staging, &aside)?;
    Ok(staging.remove_tree(&aside)?)
}

/// Removes what clones that were cut off left behind. Only at start: whatever is there then belongs to nobody.
pub fn sweep(staging: &Dir) -> Result<(), Error> {
    for entry in staging.entries(".")? {
        staging.remove_tree(&entry.name)?;
    }
    Ok(())
}
