//! The files of a clone of another chat, copied into a store, so that both can be compared there.

use git2::{ObjectType, Odb, Oid, Repository};

use super::Store;
use super::diff::SavedFiles;
use crate::git::Error;

impl Store {
    /// Copies what the other store has of these files and this one lacks.
    pub fn take_in(&self, other: &Store, files: SavedFiles) -> Result<(), Error> {
        let copy = || {
            let (from, into) = (other.repository.odb()?, self.repository.odb()?);
            copy_tree(&other.repository, (&from, &into), files.0)
        };
        copy().map_err(|source| self.failed(source))
    }
}

/// What lies in it comes first: a tree that is there is whole.
fn copy_tree(other: &Repository, (from, into): (&Odb<'_>, &Odb<'_>), id: Oid) -> Result<(), git2::Error> {
    if into.exists(id) {
        return Ok(());
    }
    for entry in &other.find_tree(id)? {
        match entry.kind() {
            Some(ObjectType::Tree) => copy_tree(other, (from, into), entry.id())?,
            Some(ObjectType::Blob) if !into.exists(entry.id()) => copy_object((from, into), entry.id())?,
            // The commit of a repository within is in neither store.
            _ => {}
        }
    }
    copy_object((from, into), id)
}

fn copy_object((from, into): (&Odb<'_>, &Odb<'_>), id: Oid) -> Result<(), git2::Error> {
    let object = from.read(id)?;
    into.write(object.kind(), object.data()).map(|_| ())
}
