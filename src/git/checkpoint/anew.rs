//! The refs of a clone whose git directory was made anew: going back moves what was checked out alone.

use std::collections::{BTreeMap, BTreeSet};

use git2::Oid;

use super::gitdir::GitState;
use super::snapshot::Snapshot;
use super::{Store, gitdir};
use crate::fs::{Dir, DirEntryKind};
use crate::git::Error;

const PACKED: &str = "packed-refs";
const BRANCHES: &str = "refs/heads/";
const STASH: &str = "refs/stash";

/// What is known of the branches and stashes of a clone whose git directory is gone.
pub(super) struct KnownRefs {
    /// Those whose commits are kept, also if the clone had moved them on since.
    pub kept: BTreeMap<String, Oid>,
    /// Those whose last commits nothing has kept, as git calls them in short.
    pub without: Vec<String>,
}

/// Whether a clone has no git directory, or an empty one: a directory that forbids writing keeps that.
pub fn has_no_git(clone: &Dir) -> Result<bool, Error> {
    Ok(match clone.metadata(".git")? {
        None => true,
        Some(found) => found.kind == DirEntryKind::Dir && clone.entries(".git")?.is_empty(),
    })
}

impl Store {
    /// What was checked out at a checkpoint. None if there was no git directory.
    pub fn checked_out(&self, snapshot: &Snapshot) -> Result<Option<gitdir::CheckedOut>, Error> {
        let state = snapshot.git_state(&self.repository);
        Ok(state.map_err(|source| self.failed(source))?.map(|state| state.head))
    }

    /// Whether nothing of the clone was there: no git directory, no file, and nothing that is left out.
    pub fn is_of_nothing(&self, snapshot: &Snapshot) -> Result<bool, Error> {
        let look = || {
            let extras = snapshot.extras(&self.repository)?;
            let files = self.repository.find_tree(snapshot.files)?;
            Ok(files.is_empty() && extras.left_out.is_empty() && extras.bare_dirs.is_empty())
        };
        let is_bare = look().map_err(|source: git2::Error| self.failed(source))?;
        Ok(is_bare && !snapshot.has_git())
    }

    /// By a checkpoint, and by the newest one that has a git directory: the clone has moved on since.
    pub(super) fn known_refs(&self, wanted: &GitState) -> Result<KnownRefs, Error> {
        let failed = |source| self.failed(source);
        let numbers = self.numbers()?.into_iter().collect::<BTreeSet<u64>>().into_iter().rev();
        let mut newest = None;
        for number in numbers {
            let Some(snapshot) = self.snapshot(number)?.filter(Snapshot::has_git) else {
                continue;
            };
            newest = snapshot.git_state(&self.repository).map_err(failed)?;
            break;
        }
        let mut known: BTreeMap<&str, Vec<Oid>> = BTreeMap::new();
        for state in newest.iter().chain([wanted]) {
            for (id, name) in state.refs.lines().filter_map(|line| line.split_once(' ')) {
                let is_own = name.starts_with(BRANCHES) || name == STASH;
                if let Some(id) = Oid::from_str(id).ok().filter(|_| is_own) {
                    known.entry(name).or_default().push(id);
                }
            }
        }
        let checked_out = wanted.head.branch().map(|name| format!("{BRANCHES}{name}"));
        let mut refs = KnownRefs {
            kept: BTreeMap::new(),
            without: Vec::new(),
        };
        for (name, ids) in known {
            if checked_out.as_deref() == Some(name) {
                continue;
            }
            let is_kept = |id: &&Oid| self.repository.find_commit(**id).is_ok();
            if ids.first().filter(is_kept).is_none() {
                refs.without
                    .push(name.strip_prefix(BRANCHES).unwrap_or(name).to_owned());
            }
            if let Some(id) = ids.iter().find(is_kept) {
                refs.kept.insert(name.to_owned(), *id);
            }
        }
        Ok(refs)
    }

    /// What is to come back beside what was checked out, if the clone has no packed refs: every clone is made with some, so
    /// its git directory was made anew.
    pub(super) fn refs_to_bring(&self, git: &Dir, wanted: &GitState) -> Result<Option<KnownRefs>, Error> {
        match git.metadata(PACKED)? {
            Some(_) => Ok(None),
            None => self.known_refs(wanted).map(Some),
        }
    }

    /// Those that are known, and those of the checkpoint of which the clone has the objects.
    pub(super) fn bring_refs(
        &self,
        clone: &Dir,
        git: &Dir,
        (wanted, known): (&GitState, &KnownRefs),
    ) -> Result<(), Error> {
        let failed = |source| self.failed(source);
        let repository = gitdir::open(clone.path()).map_err(failed)?;
        let odb = repository.odb().map_err(failed)?;
        let is_wanted = |name: &str, id: Oid| repository.find_reference(name).is_err() && odb.exists(id);
        let saved = wanted.refs.lines().filter_map(|line| {
            let (id, name) = line.split_once(' ')?;
            Some((name, Oid::from_str(id).ok().filter(|_| name.starts_with("refs/"))?))
        });
        let known = known.kept.iter().map(|(name, id)| (name.as_str(), *id));
        let refs = saved.chain(known).filter(|(name, id)| is_wanted(name, *id));
        let refs: BTreeMap<&str, Oid> = refs.collect();
        let lines = refs.iter().map(|(name, id)| format!("{id} {name}\n"));
        let packed = format!("# pack-refs with: sorted \n{}", lines.collect::<String>());
        Ok(git.replace_unsynced(PACKED, packed.as_bytes(), 0o644)?)
    }
}
