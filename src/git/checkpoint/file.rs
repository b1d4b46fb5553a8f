//! One file of two saved states.

use std::path::Path;

use git2::{ErrorCode, ObjectType, OdbObject, Oid};

use super::Store;
use super::diff::SavedFiles;
use super::pointer::LfsPointer;
use super::seen::GITLINK;
use crate::git::Error;
use crate::git::compare::{BodyOptions, body, is_binary};
use crate::model::diff::{BinaryContent, DiffBody, FileAsk, FileDiff, ImageSize};
use crate::model::review::FileKind;

/// Bytes of a file; a larger one is shown by its size alone, as a binary file is.
pub(super) const LARGEST: usize = 128 << 20;

/// What a tree says of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::git) struct TreeFile {
    pub id: Oid,
    pub mode: u32,
}

impl TreeFile {
    pub fn is_commit(self) -> bool {
        self.mode == GITLINK
    }
}

impl SavedFiles {
    /// The name of its tree, as [`FileAsk`] names it.
    pub fn tree(self) -> String {
        self.0.to_string()
    }
}

impl Store {
    /// What differs in one file.
    pub fn file_diff(&self, ask: &FileAsk) -> Result<FileDiff, Error> {
        let (old, new) = self.sides(ask)?;
        let is_renamed = ask.from.as_ref().is_some_and(|from| *from != ask.path);
        let kind = match (old, new) {
            (old, new) if ask.index.is_some() && old == new && !is_renamed => FileKind::Staged,
            (None, None) => {
                return Err(Error::Place {
                    path: ask.path.clone(),
                    why: "neither of the two states has such a file".into(),
                });
            }
            (old, new) if [old, new].into_iter().flatten().any(TreeFile::is_commit) => FileKind::Submodule,
            (None, Some(_)) => FileKind::Added,
            (Some(_), None) => FileKind::Deleted,
            (Some(_), Some(_)) if is_renamed => FileKind::Renamed,
            (Some(old), Some(new)) if old.id == new.id => FileKind::Mode,
            (Some(_), Some(_)) => FileKind::Modified,
        };
        let mut body = match kind {
            FileKind::Submodule => {
                let commit = |file: Option<TreeFile>| Some(file.filter(|file| file.is_commit())?.id.to_string());
                DiffBody::Submodule {
                    before: commit(old),
                    after: commit(new),
                }
            }
            FileKind::Staged => DiffBody::Equal,
            FileKind::Added | FileKind::Deleted | FileKind::Renamed | FileKind::Mode | FileKind::Modified => {
                self.body(ask, old, new).map_err(|source| self.failed(source))?
            }
        };
        self.tell_staged_lines(ask, &mut body)?;
        Ok(FileDiff {
            ask: ask.clone(),
            kind,
            body,
        })
    }

    /// A file's content in a saved state.
    pub fn content(&self, tree: &str, path: &Path) -> Result<Option<Vec<u8>>, Error> {
        let file = self.file_in(self.files_of(tree)?, path)?;
        file.filter(|file| !file.is_commit())
            .map(|file| self.blob(file.id))
            .transpose()
    }

    /// The same as git writes it, with `prefix` before its path. What is no UTF-8 is shown as such.
    pub fn file_patch(&self, ask: &FileAsk, prefix: &str) -> Result<String, Error> {
        let from = ask.before.as_deref().map(|tree| self.files_of(tree)).transpose()?;
        let paths: Vec<&Path> = [Some(&ask.path), ask.from.as_ref()]
            .into_iter()
            .flatten()
            .map(|path| path.as_path())
            .collect();
        let patch = self.patch_of(from, self.files_of(&ask.after)?, prefix, &paths)?;
        Ok(String::from_utf8_lossy(&patch).into_owned())
    }

    fn body(&self, ask: &FileAsk, old: Option<TreeFile>, new: Option<TreeFile>) -> Result<DiffBody, git2::Error> {
        if old.map(|file| file.id) == new.map(|file| file.id) {
            return Ok(DiffBody::Equal);
        }
        let odb = self.repository.odb()?;
        let size = |file: Option<TreeFile>| file.map(|file| odb.read_header(file.id)).transpose();
        let sizes = (size(old)?, size(new)?);
        let sizes = (sizes.0.map(|(size, _)| size), sizes.1.map(|(size, _)| size));
        let binary = |file: fn(&[u8]) -> Option<ImageSize>, (old, new): (&[u8], &[u8])| {
            let side = |size: Option<usize>, content: &[u8]| {
                size.map(|size| BinaryContent {
                    bytes: size as u64,
                    image: file(content),
                })
            };
            DiffBody::Binary {
                before: side(sizes.0, old),
                after: side(sizes.1, new),
            }
        };
        if [sizes.0, sizes.1].into_iter().flatten().any(|size| size > LARGEST) {
            return Ok(binary(|_| None, (&[], &[])));
        }
        let read = |file: Option<TreeFile>| file.map(|file| odb.read(file.id)).transpose();
        let (old, new) = (read(old)?, read(new)?);
        if let Some(sizes) = pointers(&old, &new) {
            return Ok(sizes);
        }
        let (old, new) = (content(&old), content(&new));
        if is_binary(old) || is_binary(new) {
            return Ok(binary(image, (old, new)));
        }
        let options = BodyOptions {
            path: &ask.path,
            context: ask.context,
            ignore_whitespace: ask.ignore_whitespace,
        };
        body(old, new, &options)
    }

    pub(super) fn sides(&self, ask: &FileAsk) -> Result<(Option<TreeFile>, Option<TreeFile>), Error> {
        let old = match &ask.before {
            Some(tree) => self.file_in(self.files_of(tree)?, ask.from.as_ref().unwrap_or(&ask.path))?,
            None => None,
        };
        Ok((old, self.file_in(self.files_of(&ask.after)?, &ask.path)?))
    }

    /// A state by the name of its tree.
    pub fn files_of(&self, tree: &str) -> Result<SavedFiles, Error> {
        let id = Oid::from_str(tree).map_err(|source| self.failed(source))?;
        let odb = self.repository.odb().map_err(|source| self.failed(source))?;
        match odb.read_header(id) {
            Ok((_, ObjectType::Tree)) => Ok(SavedFiles(id)),
            Ok(_) | Err(_) => Err(Error::Forgotten),
        }
    }

    pub(in crate::git) fn file_in(&self, files: SavedFiles, path: &Path) -> Result<Option<TreeFile>, Error> {
        let find = || match self.repository.find_tree(files.0)?.get_path(path) {
            Ok(entry) if entry.kind() == Some(ObjectType::Tree) => Ok(None),
            Ok(entry) => Ok(Some(TreeFile {
                id: entry.id(),
                mode: entry.filemode().unsigned_abs(),
            })),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(error) => Err(error),
        };
        find().map_err(|source| self.failed(source))
    }
}

/// Where git LFS keeps the file, its lines would say nothing.
fn pointers(old: &Option<OdbObject<'_>>, new: &Option<OdbObject<'_>>) -> Option<DiffBody> {
    let size = |object: &Option<OdbObject<'_>>| match object {
        Some(object) => LfsPointer::parse(object.data()).map(|pointer| Some(pointer.size)),
        None => Some(None),
    };
    Some(DiffBody::Lfs {
        before: size(old)?,
        after: size(new)?,
    })
}

/// What a picture says of itself in its first bytes.
fn image(content: &[u8]) -> Option<ImageSize> {
    let kind = imagesize::image_type(content).ok()?;
    let size = imagesize::blob_size(content).ok()?;
    Some(ImageSize {
        kind: format!("{kind:?}").split(['(', '{', ' ']).next()?.to_uppercase(),
        width: size.width as u64,
        height: size.height as u64,
    })
}

/// A file that is not there is empty.
fn content<'a>(object: &'a Option<OdbObject<'_>>) -> &'a [u8] {
    object.as_ref().map_or(&[], |object| object.data())
}
