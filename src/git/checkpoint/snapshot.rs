//! One checkpoint as it is stored: a commit over a tree of the files, the git directory's state, and the extras.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use git2::{ObjectType, Oid, Repository, Signature, Time, TreeWalkMode, TreeWalkResult};

use super::extras::Extras;
use super::gitdir::{CheckedOut, GitState};
use crate::model::Timestamp;

/// What is saved of one clone at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The checkpoint that it belongs to, the same in each clone of a chat.
    pub number: u64,
    pub at: Timestamp,
    pub(super) commit: Oid,
    /// The tree of files.
    pub(super) files: Oid,
    /// What the git directory said; none where there was no git directory.
    pub(super) git: Option<Oid>,
    pub(super) extras: Oid,
}

/// All but the time and the number: two snapshots with the same parts saved the same.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts {
    pub files: Oid,
    pub git: Option<Oid>,
    pub extras: Oid,
}

const FILES: &str = "files";
const GIT: &str = "git";
const EXTRAS: &str = "extras";
const BLOB: i32 = 0o100_644;
const TREE: i32 = 0o040_000;

impl Snapshot {
    pub(super) fn load(repository: &Repository, number: u64, commit: Oid) -> Result<Snapshot, git2::Error> {
        let found = repository.find_commit(commit)?;
        let tree = found.tree()?;
        let part = |name| tree.get_name(name).map(|entry| entry.id());
        let missing = |name| git2::Error::from_str(&format!("checkpoint {number} lacks its {name}"));
        Ok(Snapshot {
            number,
            at: Timestamp(found.time().seconds() * 1000),
            commit,
            files: part(FILES).ok_or_else(|| missing(FILES))?,
            git: part(GIT),
            extras: part(EXTRAS).ok_or_else(|| missing(EXTRAS))?,
        })
    }

    /// The commit of the store that holds it.
    pub fn commit(&self) -> String {
        self.commit.to_string()
    }

    /// Whether there was a git directory.
    pub fn has_git(&self) -> bool {
        self.git.is_some()
    }

    pub(super) fn parts(&self) -> Parts {
        Parts {
            files: self.files,
            git: self.git,
            extras: self.extras,
        }
    }

    pub(super) fn extras(&self, repository: &Repository) -> Result<Extras, git2::Error> {
        Ok(Extras::parse(repository.find_blob(self.extras)?.content()))
    }

    pub(super) fn git_state(&self, repository: &Repository) -> Result<Option<GitState>, git2::Error> {
        git_state(repository, self.git)
    }
}

/// The git directory's state again, from where [`store_git`] put it.
pub(super) fn git_state(repository: &Repository, tree: Option<Oid>) -> Result<Option<GitState>, git2::Error> {
    let Some(tree) = tree else {
        return Ok(None);
    };
    let tree = repository.find_tree(tree)?;
    let blob = |name: &str| match tree.get_name(name) {
        Some(entry) => Ok(Some(repository.find_blob(entry.id())?.content().to_vec())),
        None => Ok::<_, git2::Error>(None),
    };
    let mut state = BTreeMap::new();
    if let Some(entry) = tree.get_name("state") {
        let mut paths = Vec::new();
        repository
            .find_tree(entry.id())?
            .walk(TreeWalkMode::PreOrder, |root, entry| {
                if entry.kind() == Some(ObjectType::Blob) {
                    let path = [root.as_bytes(), entry.name_bytes()].concat();
                    paths.push((PathBuf::from(OsStr::from_bytes(&path)), entry.id()));
                }
                TreeWalkResult::Ok
            })?;
        for (path, id) in paths {
            state.insert(path, repository.find_blob(id)?.content().to_vec());
        }
    }
    let raw_head = blob("HEAD")?.unwrap_or_default();
    let refs = String::from_utf8_lossy(&blob("refs")?.unwrap_or_default()).into_owned();
    Ok(Some(GitState {
        head: CheckedOut::read(&raw_head, &refs),
        raw_head,
        index: tree.get_name("index").map(|entry| entry.id()),
        refs,
        state,
    }))
}

/// Stores the git directory's state as a tree.
pub(super) fn store_git(repository: &Repository, git: &GitState) -> Result<Oid, git2::Error> {
    let mut tree = repository.treebuilder(None)?;
    tree.insert("HEAD", repository.blob(&git.raw_head)?, BLOB)?;
    tree.insert("refs", repository.blob(git.refs.as_bytes())?, BLOB)?;
    if let Some(index) = git.index {
        tree.insert("index", index, BLOB)?;
    }
    if !git.state.is_empty() {
        let mut index = git2::Index::new()?;
        for (path, content) in &git.state {
            let id = repository.blob(content)?;
            index.add(&entry(path.as_os_str().as_bytes().to_vec(), id, BLOB.unsigned_abs()))?;
        }
        tree.insert("state", index.write_tree_to(repository)?, TREE)?;
    }
    tree.write()
}

/// An index entry without a stamp.
pub(super) fn entry(path: Vec<u8>, id: Oid, mode: u32) -> git2::IndexEntry {
    git2::IndexEntry {
        ctime: git2::IndexTime::new(0, 0),
        mtime: git2::IndexTime::new(0, 0),
        dev: 0,
        ino: 0,
        mode,
        uid: 0,
        gid: 0,
        file_size: 0,
        id,
        flags: 0,
        flags_extended: 0,
        path,
    }
}

/// Makes the commit of a checkpoint. It has no parent: what is thinned out must not be kept by what came later.
pub(super) fn commit(repository: &Repository, parts: Parts, at: Timestamp) -> Result<Oid, git2::Error> {
    let mut tree = repository.treebuilder(None)?;
    tree.insert(FILES, parts.files, TREE)?;
    tree.insert(EXTRAS, parts.extras, BLOB)?;
    if let Some(git) = parts.git {
        tree.insert(GIT, git, TREE)?;
    }
    let tree = repository.find_tree(tree.write()?)?;
    let who = Signature::new("parlour", "parlour@localhost", &Time::new(at.0.div_euclid(1000), 0))?;
    repository.commit(None, &who, &who, "checkpoint", &tree, &[])
}
