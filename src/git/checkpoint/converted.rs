//! How git stores a file differently from how it lies in the working tree: by its attributes and the settings of lines.
//!
//! The attributes are read from what was saved, never from the clone: a FIFO in place of `.gitattributes` would hold us.
//! No filter is ever run.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use git2::{AttrCheckFlags, AttrValue, Index};

use super::Store;
use super::diff::SavedFiles;
use super::line_ends::LineRule;
use super::snapshot;
use super::stored_file::store_bytes;
use crate::fs::Dir;
use crate::git::Error;
use crate::git::line_settings::{AutoCrlf, LineSettings};

const ATTRIBUTES: &str = ".gitattributes";
const MAX: u64 = 1 << 20;

/// What git does to a file as it stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conversion {
    None,
    Lines(LineRule),
    /// git LFS stores a pointer to it.
    Pointer,
    /// A program, or a change of encoding or `$Id$`, which parlour does not do.
    Filter,
}

impl Conversion {
    /// Why parlour leaves such a file to git.
    pub fn refusal(self) -> Option<&'static str> {
        match self {
            Conversion::None | Conversion::Lines(_) => None,
            Conversion::Pointer => Some("git LFS stores it, which parlour does not run"),
            Conversion::Filter => Some("git stores it through a filter, which parlour does not run"),
        }
    }
}

/// What the attributes of one saved state say of these paths.
pub(super) struct Conversions<'s> {
    store: &'s Store,
    settings: LineSettings,
    has_attributes: bool,
}

impl Store {
    /// By the settings in the git directory, if there is one.
    pub(super) fn conversions<'p>(
        &self,
        git: Option<&Dir>,
        files: SavedFiles,
        paths: impl Iterator<Item = &'p Path>,
    ) -> Result<Conversions<'_>, Error> {
        let settings = git.and_then(|git| LineSettings::read(git).ok());
        let own = git.and_then(|git| git.read("info/attributes", MAX).ok().flatten());
        let folders: BTreeSet<&Path> = paths.flat_map(|path| path.ancestors().skip(1)).collect();
        let mut index = Index::new().map_err(|source| self.failed(source))?;
        for folder in folders.into_iter().chain([Path::new("")]) {
            let place: PathBuf = folder.join(ATTRIBUTES);
            let found = self.file_in(files, &place)?;
            let is_top = folder.as_os_str().is_empty();
            let id = match (found, &own) {
                // What the clone alone says comes last, so it counts.
                (found, Some(own)) if is_top => {
                    let shared = found.map(|file| self.blob(file.id)).transpose()?.unwrap_or_default();
                    let all = [&shared, &b"\n"[..], own].concat();
                    store_bytes(&self.repository, &all).map_err(|source| self.failed(source))?
                }
                (Some(file), _) => file.id,
                (None, _) => continue,
            };
            let entry = snapshot::entry(place.as_os_str().as_bytes().to_vec(), id, super::seen::PLAIN);
            index.add(&entry).map_err(|source| self.failed(source))?;
        }
        self.repository
            .set_index(&mut index)
            .map_err(|source| self.failed(source))?;
        Ok(Conversions {
            store: self,
            settings: settings.unwrap_or_default(),
            has_attributes: !index.is_empty(),
        })
    }

    /// Of one file.
    pub(super) fn conversion(&self, clone: &Dir, files: SavedFiles, path: &Path) -> Result<Conversion, Error> {
        let git = clone.dir(".git").ok();
        self.conversions(git.as_ref(), files, [path].into_iter())?.of(path)
    }
}

impl Conversions<'_> {
    /// Whether any file may be converted.
    pub fn any(&self) -> bool {
        self.has_attributes || self.settings.auto != AutoCrlf::Off
    }

    pub fn of(&self, path: &Path) -> Result<Conversion, Error> {
        self.find(path).map_err(|source| self.store.failed(source))
    }

    fn find(&self, path: &Path) -> Result<Conversion, git2::Error> {
        if !self.any() {
            return Ok(Conversion::None);
        }
        match self.value(path, "filter")? {
            AttributeValue::Word(word) if word == "lfs" => return Ok(Conversion::Pointer),
            AttributeValue::Word(_) | AttributeValue::Set => return Ok(Conversion::Filter),
            AttributeValue::Unset | AttributeValue::Nothing => {}
        }
        for name in ["ident", "working-tree-encoding"] {
            if matches!(self.value(path, name)?, AttributeValue::Word(_) | AttributeValue::Set) {
                return Ok(Conversion::Filter);
            }
        }
        // As git itself goes through them: the old name counts where the new one says nothing.
        let text = match self.value(path, "text")? {
            AttributeValue::Nothing => self.value(path, "crlf")?,
            told => told,
        };
        let eol = match self.value(path, "eol")? {
            AttributeValue::Word(word) if word == "crlf" => Some(true),
            AttributeValue::Word(word) if word == "lf" => Some(false),
            AttributeValue::Word(_) | AttributeValue::Set | AttributeValue::Unset | AttributeValue::Nothing => None,
        };
        let is_guess = matches!(&text, AttributeValue::Word(word) if word == "auto");
        let (is_guess, has_returns) = match (text, eol) {
            (AttributeValue::Unset, _) => return Ok(Conversion::None),
            (AttributeValue::Word(word), None) if word == "input" => (false, false),
            (_, Some(has_returns)) => (is_guess, has_returns),
            (AttributeValue::Set, None) => (false, self.settings.has_returns),
            (AttributeValue::Word(_), None) if is_guess => (true, self.settings.has_returns),
            (AttributeValue::Word(_) | AttributeValue::Nothing, None) => match self.settings.auto {
                AutoCrlf::Off => return Ok(Conversion::None),
                AutoCrlf::Input => (true, false),
                AutoCrlf::Both => (true, true),
            },
        };
        Ok(Conversion::Lines(LineRule { is_guess, has_returns }))
    }

    fn value(&self, path: &Path, name: &str) -> Result<AttributeValue, git2::Error> {
        let flags = AttrCheckFlags::INDEX_ONLY | AttrCheckFlags::NO_SYSTEM;
        let value = self.store.repository.get_attr_bytes(path, name, flags)?;
        Ok(match AttrValue::from_bytes(value) {
            AttrValue::True => AttributeValue::Set,
            AttrValue::False => AttributeValue::Unset,
            AttrValue::Unspecified => AttributeValue::Nothing,
            AttrValue::String(word) => AttributeValue::Word(word.to_owned()),
            AttrValue::Bytes(word) => AttributeValue::Word(String::from_utf8_lossy(word).into_owned()),
        })
    }
}

/// What an attribute says.
enum AttributeValue {
    Set,
    Unset,
    Nothing,
    Word(String),
}
