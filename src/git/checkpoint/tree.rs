//! Reads of stored trees.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use git2::{ObjectType, Oid, Repository, TreeWalkMode, TreeWalkResult};

/// A file or link of a stored tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stored {
    pub id: Oid,
    pub mode: u32,
}

/// All files and links below `tree`, by path.
pub(super) fn files(repository: &Repository, tree: Oid) -> Result<BTreeMap<PathBuf, Stored>, git2::Error> {
    let mut found = BTreeMap::new();
    repository
        .find_tree(tree)?
        .walk(TreeWalkMode::PreOrder, |root, entry| {
            if entry.kind() == Some(ObjectType::Blob) {
                let path = [root.as_bytes(), entry.name_bytes()].concat();
                let stored = Stored {
                    id: entry.id(),
                    mode: entry.filemode().unsigned_abs(),
                };
                found.insert(PathBuf::from(OsStr::from_bytes(&path)), stored);
            }
            TreeWalkResult::Ok
        })?;
    Ok(found)
}
