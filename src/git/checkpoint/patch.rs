//! A patch of one file of two saved states, or of some of its lines, for somebody to apply.

use std::path::Path;

use git2::Oid;
use git2::build::TreeUpdateBuilder;

use super::Store;
use super::diff::SavedFiles;
use super::file::TreeFile;
use super::search::how;
use super::seen::{LINK, PROGRAM};
use crate::git::Error;
use crate::git::compare::{ChosenLines, PickWay, picked};
use crate::model::diff::FileAsk;
use crate::model::pick::PickedPart;

impl Store {
    /// A patch that `git apply` takes, of what was chosen of a file; of all that differs, if nothing was.
    pub fn chosen_patch(&self, ask: &FileAsk, parts: &[PickedPart]) -> Result<Vec<u8>, Error> {
        let after = self.files_of(&ask.after)?;
        let after = match parts.is_empty() {
            true => after.0,
            false => self.with_chosen(ask, parts)?,
        };
        let before = ask.before.as_deref().map(|tree| self.files_of(tree)).transpose()?;
        let paths: Vec<&Path> = [Some(&ask.path), ask.from.as_ref()]
            .into_iter()
            .flatten()
            .map(|path| path.as_path())
            .collect();
        self.whole_patch(before, SavedFiles(after), &paths)
    }

    /// What is before, with the chosen changes.
    fn with_chosen(&self, ask: &FileAsk, parts: &[PickedPart]) -> Result<Oid, Error> {
        let refused = |why| Error::Pick {
            path: ask.path.clone(),
            why,
        };
        let (was, is) = self.sides(ask)?;
        let is_plain = |file: &TreeFile| !file.is_commit() && file.mode != LINK;
        if ![was, is].iter().flatten().all(is_plain) {
            return Err(refused("it has no lines: copy the whole file"));
        }
        let text = |file: Option<TreeFile>| file.map_or(Ok(Vec::new()), |file| self.blob(file.id));
        let (old, new) = (text(was)?, text(is)?);
        let make = || -> Result<Option<Oid>, git2::Error> {
            let Some(chosen) = ChosenLines::of(&old, &new, how(ask), parts)? else {
                return Ok(None);
            };
            let content = picked(&old, &new, PickWay::Forth, false, &chosen)?;
            let mut update = TreeUpdateBuilder::new();
            if let Some(from) = ask.from.as_ref().filter(|from| **from != ask.path) {
                update.remove(from);
            }
            match is.or(was) {
                Some(file) if is.is_some() || !content.is_empty() => {
                    let id = self.repository.blob(&content)?;
                    update.upsert(&ask.path, id, file_mode(file));
                }
                Some(_) | None => drop(update.remove(&ask.path)),
            }
            let base = match &ask.before {
                Some(tree) => self.repository.find_tree(Oid::from_str(tree)?)?,
                None => self.repository.find_tree(self.repository.treebuilder(None)?.write()?)?,
            };
            update.create_updated(&self.repository, &base).map(Some)
        };
        let made = make().map_err(|source| self.failed(source))?;
        made.ok_or_else(|| refused("there is no such change in it"))
    }
}

fn file_mode(file: TreeFile) -> git2::FileMode {
    match file.mode == PROGRAM {
        true => git2::FileMode::BlobExecutable,
        false => git2::FileMode::Blob,
    }
}
