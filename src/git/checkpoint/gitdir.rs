//! What a clone's git directory says beside its objects: `HEAD`, refs, the index, a merge or rebase under way.
//!
//! Everything is read as bytes and by handle. libgit2 lists the refs; it runs nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use git2::{Oid, Repository, RepositoryOpenFlags};

use crate::fs::{Dir, DirEntryKind};
use crate::git::Error;
use crate::git::checkout::can_stand_beside;

/// Files that say what is under way. Directories are taken whole.
pub(in crate::git) const STATE: [&str; 20] = [
    "AUTO_MERGE",
    "BISECT_ANCESTORS_OK",
    "BISECT_EXPECTED_REV",
    "BISECT_LOG",
    "BISECT_NAMES",
    "BISECT_RUN",
    "BISECT_START",
    "BISECT_TERMS",
    "CHERRY_PICK_HEAD",
    "MERGE_AUTOSTASH",
    "MERGE_HEAD",
    "MERGE_MODE",
    "MERGE_MSG",
    "MERGE_RR",
    "REBASE_HEAD",
    "REVERT_HEAD",
    "SQUASH_MSG",
    "rebase-apply",
    "rebase-merge",
    "sequencer",
];
/// A ref has some 60 bytes.
const MAX_PACKED: u64 = 1 << 30;
const MAX_STATE: u64 = 16 << 20;
const SMALL: u64 = 64 * 1024;

/// What is checked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckedOut {
    /// No commit yet where it has none.
    Branch {
        name: String,
        commit: Option<Oid>,
    },
    Detached(Oid),
    /// The git directory is gone, or says nothing that can be read.
    Gone,
}

impl CheckedOut {
    /// From the bytes of `HEAD` and lines of commit and name.
    pub(super) fn read(raw: &[u8], refs: &str) -> CheckedOut {
        let refs = refs.lines().filter_map(|line| {
            let (oid, name) = line.split_once(' ')?;
            Some((name.to_owned(), Oid::from_str(oid).ok()?))
        });
        head(raw, &refs.collect())
    }

    pub fn commit(&self) -> Option<Oid> {
        match self {
            CheckedOut::Branch { commit, .. } => *commit,
            CheckedOut::Detached(commit) => Some(*commit),
            CheckedOut::Gone => None,
        }
    }

    pub fn branch(&self) -> Option<&str> {
        match self {
            CheckedOut::Branch { name, .. } => Some(name),
            CheckedOut::Detached(_) | CheckedOut::Gone => None,
        }
    }
}

/// A branch that will point elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchMove {
    pub name: String,
    /// None where it is made.
    pub from: Option<Oid>,
    /// None where it goes: the checkpoint was on that branch before its first commit.
    pub to: Option<Oid>,
}

pub(in crate::git) struct GitState {
    pub head: CheckedOut,
    pub raw_head: Vec<u8>,
    /// The index, as the store holds it; none where the clone has none.
    pub index: Option<Oid>,
    /// Lines of commit and name, sorted.
    pub refs: String,
    /// By path in the git directory.
    pub state: BTreeMap<PathBuf, Vec<u8>>,
}

impl GitState {
    /// Of the clone's git directory, with its index as it was stored. `None` where nothing can be read.
    pub fn read(clone: &Dir, git: &Dir, index: Option<Oid>) -> Result<Option<GitState>, Error> {
        let Some(raw_head) = git.read("HEAD", SMALL)? else {
            return Ok(None);
        };
        let refs = refs(clone.path());
        let head = head(&raw_head, &refs);
        let mut state = BTreeMap::new();
        for name in STATE {
            read_state(git, Path::new(name), &mut state)?;
        }
        Ok(Some(GitState {
            head,
            raw_head,
            index,
            refs: refs.iter().map(|(name, oid)| format!("{oid} {name}\n")).collect(),
            state,
        }))
    }

    /// Of a clone without a git directory.
    pub(super) fn gone() -> GitState {
        GitState {
            head: CheckedOut::Gone,
            raw_head: Vec::new(),
            index: None,
            refs: String::new(),
            state: BTreeMap::new(),
        }
    }

    /// The commit of a ref by its full name.
    pub fn commit_of(&self, wanted: &str) -> Option<Oid> {
        self.refs.lines().find_map(|line| {
            let (oid, name) = line.split_once(' ')?;
            (name == wanted).then(|| Oid::from_str(oid).ok())?
        })
    }

    /// Commits that what is under way names, beside `HEAD`.
    pub fn named_commits(&self) -> Vec<Oid> {
        let whole = self.state.values().filter(|text| text.len() < 4096);
        whole
            .flat_map(|text| text.split(|byte| *byte == b'\n'))
            .filter_map(|line| std::str::from_utf8(line).ok())
            .filter_map(|line| line.trim().get(..40))
            .filter_map(|word| Oid::from_str(word).ok())
            .collect()
    }
}

/// By name. What cannot be listed is none: the rest of a checkpoint does not need it.
fn refs(clone: &Path) -> BTreeMap<String, Oid> {
    let Ok(repository) = open(clone) else {
        return BTreeMap::new();
    };
    let Ok(references) = repository.references() else {
        return BTreeMap::new();
    };
    let named = references.flatten().filter_map(|reference| {
        let name = reference.name().ok()?.to_owned();
        Some((name, reference.target()?))
    });
    named.collect()
}

/// The git directory of a clone; none where there is none, or it cannot be read.
pub(super) fn of(clone: &Dir) -> Result<Option<Dir>, Error> {
    match clone.dir(".git") {
        Ok(git) => Ok(Some(git)),
        Err(error) if error.is_of_the_file() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A clone that an agent may have changed, and no repository above it.
pub(super) fn open(clone: &Path) -> Result<Repository, git2::Error> {
    let none: [&Path; 0] = [];
    Repository::open_ext(clone, RepositoryOpenFlags::NO_SEARCH, none)
}

fn head(raw: &[u8], refs: &BTreeMap<String, Oid>) -> CheckedOut {
    let text = String::from_utf8_lossy(raw);
    let text = text.trim();
    if let Some(name) = text.strip_prefix("ref:") {
        let name = name.trim();
        return CheckedOut::Branch {
            commit: refs.get(name).copied(),
            name: name.strip_prefix("refs/heads/").unwrap_or(name).to_owned(),
        };
    }
    Oid::from_str(text).map_or(CheckedOut::Gone, CheckedOut::Detached)
}

fn read_state(git: &Dir, path: &Path, into: &mut BTreeMap<PathBuf, Vec<u8>>) -> Result<(), Error> {
    let Some(found) = git.metadata(path)? else {
        return Ok(());
    };
    match found.kind {
        DirEntryKind::File => {
            if let Some(bytes) = git.read(path, MAX_STATE)? {
                into.insert(path.to_path_buf(), bytes);
            }
        }
        DirEntryKind::Dir => {
            for entry in git.entries(path)? {
                read_state(git, &path.join(entry.name), into)?;
            }
        }
        DirEntryKind::Link | DirEntryKind::Other => {}
    }
    Ok(())
}

/// The branches that going from one state to another moves: those that are checked out at either end. All others stay.
pub(super) fn moves(from: &GitState, to: &GitState) -> Vec<BranchMove> {
    let is_at = |state: &GitState, name: &str| state.commit_of(&format!("refs/heads/{name}"));
    let arrived = to.head.branch();
    // A branch that the checkpoint did not know is no work of its time: it stays.
    let left = from
        .head
        .branch()
        .filter(|name| Some(*name) != arrived && is_at(to, name).is_some());
    let names = arrived.into_iter().chain(left);
    names
        .map(|name| BranchMove {
            name: name.to_owned(),
            from: is_at(from, name),
            to: is_at(to, name),
        })
        .filter(|branch| branch.from != branch.to)
        .collect()
}

/// The refs beside which git cannot keep a branch that is to be made, as paths in the clone.
pub(super) fn in_the_way(there: &GitState, moves: &[BranchMove]) -> Vec<PathBuf> {
    let made = moves
        .iter()
        .filter(|branch| branch.from.is_none() && branch.to.is_some());
    let names = || there.refs.lines().filter_map(|line| line.split_once(" refs/heads/"));
    made.flat_map(|branch| {
        let others = names().filter(move |(_, other)| *other != branch.name && !can_stand_beside(other, &branch.name));
        others.map(|(_, other)| Path::new(".git/refs/heads").join(other))
    })
    .collect()
}

/// Points a branch at a commit, or removes it. Written as files: no hook runs and no link is followed.
pub(super) fn set_branch(git: &Dir, branch: &str, commit: Option<Oid>) -> Result<(), Error> {
    let name = format!("refs/heads/{branch}");
    if let Some(commit) = commit {
        if let Some((folder, _)) = name.rsplit_once('/') {
            git.create_dir(folder)?;
        }
        // Of branches below it that are gone.
        git.remove_empty_dirs(&name)?;
        return Ok(git.replace_unsynced(&name, format!("{commit}\n").as_bytes(), 0o644)?);
    }
    git.remove_file(&name)?;
    let packed = git.read("packed-refs", MAX_PACKED)?.unwrap_or_default();
    let is_it = |line: &&[u8]| {
        line.get(41..)
            .is_some_and(|rest| rest.trim_ascii_end() == name.as_bytes())
    };
    let lines: Vec<&[u8]> = packed.split_inclusive(|byte| *byte == b'\n').collect();
    if lines.iter().any(is_it) {
        let rest: Vec<u8> = lines
            .into_iter()
            .filter(|line| !is_it(line))
            .flatten()
            .copied()
            .collect();
        git.replace_unsynced("packed-refs", &rest, 0o644)?;
    }
    Ok(())
}
