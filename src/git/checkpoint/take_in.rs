//! The files of a clone of another chat, copied into a store, so that both can be compared there.

use git2::{ObjectType, Odb, Oid};

use super::Store;
use super::diff::SavedFiles;
use super::stored_file::store_loose;
use crate::git::Error;

impl Store {
    /// Copies what the other store has of these files and this one lacks.
    pub fn take_in(&self, other: &Store, files: SavedFiles) -> Result<(), Error> {
        let copy = || {
            let (from, into) = (other.repository.odb()?, self.repository.odb()?);
            let copying = Copying {
                other,
                from: &from,
                into: &into,
            };
            copying.tree(files.0)
        };
        copy().map_err(|source| self.failed(source))
    }
}

struct Copying<'a> {
    other: &'a Store,
    from: &'a Odb<'a>,
    into: &'a Odb<'a>,
}

impl Copying<'_> {
    /// What lies in it comes first: a tree that is there is whole.
    fn tree(&self, id: Oid) -> Result<(), git2::Error> {
        if self.into.exists(id) {
            return Ok(());
        }
        for entry in &self.other.repository.find_tree(id)? {
            match entry.kind() {
                Some(ObjectType::Tree) => self.tree(entry.id())?,
                Some(ObjectType::Blob) if !self.into.exists(entry.id()) => self.object(entry.id())?,
                // The commit of a repository within is in neither store.
                _ => {}
            }
        }
        self.object(id)
    }

    fn object(&self, id: Oid) -> Result<(), git2::Error> {
        if let Some(large) = self.other.large(id) {
            return store_loose(self.into, large).map(drop);
        }
        let object = self.from.read(id)?;
        self.into.write(object.kind(), object.data()).map(drop)
    }
}
