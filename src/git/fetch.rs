//! Brings a bare cache up to date with its origin, or makes it.
//!
//! Refs follow the origin, objects only ever grow: nothing is collected, because clones and checkpoints borrow.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::advertised_refs::{BRANCHES, OriginOffer, REMOTE_BRANCHES, REMOTE_HEAD};
use super::branches::BranchName;
use super::damage::damaged_files;
use super::origin::Reach;
use super::program::{Program, operands};
use super::run::{CancelFlag, GitLimits, GitProgress, GitRun, GitStage};
use super::staged::staged_name;
use super::{Error, Kin, Origin, config};
use crate::fs::{self, Dir, DirEntryKind};

/// How current the cache is after it was asked to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Freshness {
    Fetched,
    /// The origin could not be reached, and why; what the cache had must do.
    Offline(String),
}

/// The tools of one fetch.
pub(super) struct Fetch<'a> {
    pub program: &'a Program,
    pub origin: &'a Origin,
    pub caches: &'a Dir,
    pub staging: &'a Dir,
    /// Other places that have the same project.
    pub kin: &'a [Kin],
    pub limits: GitLimits,
    pub progress: &'a dyn Fn(GitProgress),
    pub cancel: &'a CancelFlag,
}

/// In each cache: where it came from, credentials stripped, to be offered again.
pub(super) const ORIGIN: &str = "parlour-origin";

/// In the cache of a local source: its path.
pub(super) const SOURCE: &str = "parlour-source";

/// In a cache that took the place of a damaged one: the objects of that.
const EARLIER: &str = "earlier-objects";

/// An origin that has not said what it has by then counts as unreachable: a cache can serve instead.
const ANSWER: Duration = Duration::from_secs(90);

impl Fetch<'_> {
    /// With a cache at hand, an origin that fails us is no error: each ref that the cache has is whole.
    pub fn refresh(&self) -> Result<Freshness, Error> {
        let cached = self.caches.metadata(&self.origin.cache)?.is_some();
        let fetched = self
            .ask(&self.origin.reach)
            .and_then(|offer| if cached { self.update(&offer) } else { self.make(&offer) });
        match fetched {
            Ok(()) => Ok(Freshness::Fetched),
            Err(e @ (Error::Git { .. } | Error::Slow { .. })) if cached || self.make_of_kin()? => {
                Ok(Freshness::Offline(e.to_string()))
            }
            Err(e) => Err(e),
        }
    }

    /// Made aside and renamed in, so that a cache is whole from its first moment.
    fn make(&self, offer: &OriginOffer) -> Result<(), Error> {
        if !offer.has_branches() {
            return Err(Error::Empty {
                origin: self.origin.url.clone(),
            });
        }
        self.make_with(offer, |dir| {
            self.begin_with_kin(dir);
            self.fill(dir, offer)
        })
    }

    /// Of a remote that cannot be asked: as a checkout of it has seen it. Whether there is one.
    fn make_of_kin(&self) -> Result<bool, Error> {
        if !matches!(self.origin.reach, Reach::Remote { .. }) {
            return Ok(false);
        }
        for kin in self.kin {
            let reach = kin.reach();
            let Ok(seen) = self.ask(&reach).map(|offer| kin.seen(offer)) else {
                continue;
            };
            if !seen.has_branches() {
                continue;
            }
            let made = self.make_with(&seen, |dir| {
                self.fetch(dir, &reach, &kin.refspecs(BRANCHES), Prune::No)?;
                self.point_head(dir, &seen)
            });
            match made {
                Ok(()) => return Ok(true),
                Err(error) if error.is_cancelled() => return Err(error),
                Err(error) => tracing::debug!("{} cannot stand for its remote: {error}", self.origin.key),
            }
        }
        Ok(false)
    }

    /// What others have of the remote need not come over the network: the fetch after this brings the rest, and drops what
    /// the remote has no more. Whatever is wrong with them, all of it can come from there.
    fn begin_with_kin(&self, cache: &Dir) {
        let into = match &self.origin.reach {
            Reach::Remote { .. } => BRANCHES,
            Reach::Local { whole: Some(_), .. } => REMOTE_BRANCHES,
            Reach::Local { whole: None, .. } => return,
        };
        for kin in self.kin {
            if let Err(error) = self.fetch(cache, &kin.reach(), &kin.refspecs(into), Prune::No) {
                tracing::debug!("{} does not begin with what is here: {error}", self.origin.key);
            }
        }
    }

    /// Puts a new cache in the place of a damaged one.
    pub fn renew(&self) -> Result<(), Error> {
        let offer = self.ask(&self.origin.reach)?;
        let away = staged_name();
        let renewed = self.make_with(&offer, |dir| {
            self.fill(dir, &offer)?;
            self.hand_down(dir)?;
            Ok(self.caches.rename(&self.origin.cache, self.staging, &away)?)
        });
        // What is left of it is swept at the next start.
        let _ = self.staging.remove_tree(&away);
        renewed
    }

    /// Clones and checkpoints may borrow what the origin has no more.
    fn hand_down(&self, cache: &Dir) -> Result<(), Error> {
        let objects = self.origin.cache.join("objects");
        let is_dir = |found: fs::Metadata| found.kind == DirEntryKind::Dir;
        for place in [&self.origin.cache, &objects] {
            if !self.caches.metadata(place)?.is_some_and(is_dir) {
                return Ok(());
            }
        }
        self.caches.rename(&objects, cache, EARLIER)?;
        let earlier = self.caches.path().join(&self.origin.cache).join(EARLIER);
        let line = [earlier.as_os_str().as_bytes(), b"\n"].concat();
        Ok(cache.create_dir("objects/info")?.write_atomic("alternates", line)?)
    }

    /// Whether something of the cache cannot be read back, by a look at its files and by git's own.
    pub fn is_damaged(&self) -> Result<bool, Error> {
        let found = self.caches.metadata(&self.origin.cache)?;
        if found.is_some_and(|found| found.kind != DirEntryKind::Dir) {
            return Ok(true);
        }
        let cache = self.caches.dir(&self.origin.cache)?;
        match damaged_files(&cache) {
            Ok(files) if files.is_empty() => {}
            Ok(_) | Err(Error::Repository { .. }) => return Ok(true),
            Err(error) => return Err(error),
        }
        let at_cache = |verb: &str| {
            let mut command = self.program.isolated();
            command.env("GIT_DIR", cache.path()).arg(verb);
            command
        };
        let packs = cache.entries("objects/pack")?.into_iter().map(|entry| entry.name);
        let indexes = packs.filter(|name| name.as_encoded_bytes().ends_with(b".idx"));
        let indexes: Vec<PathBuf> = indexes
            .map(|name| cache.path().join("objects/pack").join(name))
            .collect();
        let mut verify = at_cache("verify-pack");
        let is_any_packed = !indexes.is_empty();
        operands(&mut verify, indexes);
        let mut reach = at_cache("rev-list");
        reach.args(["--objects", "--all", "--quiet"]);
        let looks = [
            ("verify-pack", is_any_packed.then_some(verify)),
            ("rev-list", Some(reach)),
        ];
        for (verb, command) in looks {
            match command.map(|command| self.run(verb, None).output(command)) {
                Some(Err(Error::Git { .. })) => return Ok(true),
                Some(Err(error)) => return Err(error),
                Some(Ok(_)) | None => {}
            }
        }
        Ok(false)
    }

    fn make_with(&self, offer: &OriginOffer, fill: impl FnOnce(&Dir) -> Result<(), Error>) -> Result<(), Error> {
        let name = staged_name();
        let made = self.staging.create_new_dir(&name).map_err(Error::from).and_then(|dir| {
            init(self, dir.path(), offer.is_sha256(), Shape::Bare)?;
            fill(&dir)?;
            dir.write_atomic(ORIGIN, &self.origin.url)?;
            self.note_source(&dir)?;
            if let Some(parent) = self.origin.cache.parent() {
                self.caches.create_dir(parent)?;
            }
            Ok(self.staging.rename(&name, self.caches, &self.origin.cache)?)
        });
        if made.is_err() {
            // The error that matters is the one returned; a leftover is swept at the next start.
            let _ = self.staging.remove_tree(&name);
        }
        made
    }

    /// So that the path is found again by its name, whatever its remote is called.
    fn note_source(&self, cache: &Dir) -> Result<(), Error> {
        let Some(path) = self.origin.checkout() else {
            return Ok(());
        };
        let path = path.into_os_string().into_encoded_bytes();
        if cache.read(SOURCE, 8 << 10)?.as_ref() == Some(&path) {
            return Ok(());
        }
        Ok(cache.write_atomic(SOURCE, path)?)
    }

    fn update(&self, offer: &OriginOffer) -> Result<(), Error> {
        let cache = self.caches.dir(&self.origin.cache)?;
        self.note_source(&cache)?;
        if offer.is_in(cache.path(), &self.origin.reach)? {
            return self.point_head(&cache, offer);
        }
        super::cache_cleanup::tidy(&cache)?;
        self.fill(&cache, offer)
    }

    fn fill(&self, cache: &Dir, offer: &OriginOffer) -> Result<(), Error> {
        if let Reach::Local { whole: Some(whole), .. } = &self.origin.reach {
            // First the history without holes; what the source itself adds then stands on it.
            self.fetch(
                cache,
                whole,
                &["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"],
                Prune::No,
            )?;
        }
        let mut refspecs = vec!["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
        if matches!(self.origin.reach, Reach::Local { whole: None, .. }) {
            refspecs.extend([
                "+refs/remotes/origin/*:refs/remotes/origin/*",
                "^refs/remotes/origin/HEAD",
            ]);
        }
        self.fetch(cache, &self.origin.reach, &refspecs, Prune::Refs)?;
        if cache.metadata("shallow")?.is_some() {
            return Err(Error::Place {
                path: self.origin.url.clone().into(),
                why: "its history stays shallow even with its remote; run git fetch --unshallow there".into(),
            });
        }
        self.point_head(cache, offer)
    }

    fn ask(&self, reach: &Reach) -> Result<OriginOffer, Error> {
        let mut command = self.command(reach);
        command.args(["ls-remote", "--symref", "--quiet"]);
        operands(&mut command, [address(reach)]);
        let mut run = self.run("ls-remote", None);
        run.limits.time = run.limits.time.min(ANSWER);
        Ok(OriginOffer::parse(&String::from_utf8_lossy(&run.output(command)?)))
    }

    pub fn fetch(&self, cache: &Dir, reach: &Reach, refspecs: &[impl AsRef<OsStr>], prune: Prune) -> Result<(), Error> {
        let mut command = self.command(reach);
        command.env("GIT_DIR", cache.path());
        command.args([
            "fetch",
            "--progress",
            "--force",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
        ]);
        command.args(["--no-auto-gc", "--update-head-ok"]);
        if prune == Prune::Refs {
            command.arg("--prune");
        }
        operands(&mut command, [address(reach)]);
        command.args(refspecs);
        self.run("fetch", Some(cache.path())).output(command)?;
        // A fast one is over before anyone has looked at its size.
        self.limits.check(cache.path(), &self.origin.url)
    }

    fn command(&self, reach: &Reach) -> Command {
        reaching(self.program, reach)
    }

    fn run(&self, verb: &'static str, growing: Option<&Path>) -> GitRun<'_> {
        GitRun {
            verb,
            stage: GitStage::Fetching,
            limits: self.limits,
            growing: growing.map(|path| (path.to_path_buf(), self.origin.url.clone())),
            progress: self.progress,
            cancel: self.cancel,
        }
    }

    /// Makes the cache's HEAD what the origin's is: the default branch. So with what a source knows of its remote's.
    fn point_head(&self, cache: &Dir, offer: &OriginOffer) -> Result<(), Error> {
        let heads = [
            ("HEAD", BRANCHES, &offer.head),
            (REMOTE_HEAD, REMOTE_BRANCHES, &offer.remote_head),
        ];
        for (head, prefix, name) in heads {
            let Some(branch) = name.as_deref().and_then(|name| BranchName::parse(name).ok()) else {
                continue;
            };
            let line = format!("ref: {prefix}{branch}\n");
            if cache.read(head, 4096)?.as_deref() == Some(line.as_bytes()) {
                continue;
            }
            if let Some(folder) = Path::new(head).parent().filter(|folder| !folder.as_os_str().is_empty()) {
                cache.create_dir(folder)?;
            }
            cache.write_atomic(head, line)?;
        }
        Ok(())
    }
}

/// A command that can reach this place and no other, with what a person configured for remotes.
pub(super) fn reaching(program: &Program, reach: &Reach) -> Command {
    let Reach::Remote {
        protocols, credentials, ..
    } = reach
    else {
        return program.isolated();
    };
    let mut command = program.personal();
    command.env("GIT_ALLOW_PROTOCOL", protocols);
    command.args(["-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60"]);
    if *protocols == "ssh" {
        command.env("GIT_SSH_COMMAND", config::ssh_command(program));
    }
    if let Some(credentials) = credentials {
        // By the environment: arguments can be read by every user of the machine.
        command
            .env("PARLOUR_USER", &credentials.user)
            .env("PARLOUR_PASSWORD", &credentials.password);
        command.args([
            "-c",
            "credential.helper=",
            "-c",
            concat!(
                "credential.helper=!f() { test \"$1\" = get && ",
                "printf 'username=%s\\npassword=%s\\n' \"$PARLOUR_USER\" \"$PARLOUR_PASSWORD\"; }; f"
            ),
        ]);
    }
    command
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prune {
    /// Names the origin no longer has; their objects stay.
    Refs,
    No,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Bare,
    WithFiles,
}

/// An empty repository without templates, hooks or anything else of the machine's.
pub(super) fn init(fetch: &Fetch<'_>, path: &Path, sha256: bool, shape: Shape) -> Result<(), Error> {
    let mut command = fetch.program.isolated();
    command.args(["init", "--quiet", "--template=", "--initial-branch=main"]);
    if shape == Shape::Bare {
        command.arg("--bare");
    }
    if sha256 {
        command.arg("--object-format=sha256");
    }
    operands(&mut command, [path]);
    fetch.run("init", None).output(command).map(drop)
}

pub(super) fn address(reach: &Reach) -> &OsStr {
    match reach {
        Reach::Remote { url, .. } => url.as_ref(),
        Reach::Local { root, .. } => root.as_ref(),
    }
}
