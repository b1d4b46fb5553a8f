//! Saved files as git would store them: with the ends of lines of the repository, and pointers in place of what git LFS
//! keeps. So a comparison with a commit shows what was really changed.
//!
//! What was found out of a content is kept in a file of the store: a clone may have thousands of such files, and is
//! compared once a second.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::PathBuf;

use git2::build::TreeUpdateBuilder;
use git2::{DiffOptions, ErrorCode, FileMode, ObjectType, Oid};

use super::Store;
use super::converted::Conversion;
use super::diff::SavedFiles;
use super::file::{LARGEST, TreeFile};
use super::line_ends::LineRule;
use super::pointer::LfsPointer;
use super::scan::bytes;
use super::seen::{PLAIN, PROGRAM};
use super::snapshot::Snapshot;
use super::stored_file::store_bytes;
use crate::fs::Dir;
use crate::git::Error;

const FILE: &str = "stored-forms";
const HEAD: &str = "parlour stored forms 1";
const MAX: u64 = 256 << 20;

/// A file or program that differs from what was committed.
struct ChangedFile {
    path: PathBuf,
    was: Option<TreeFile>,
    is: TreeFile,
}

impl Store {
    /// The files of `now` as the clone's git would store them on top of `committed`.
    pub fn as_stored(&self, clone: &Dir, now: &Snapshot, committed: Option<SavedFiles>) -> Result<SavedFiles, Error> {
        let forms = self.stored_forms(clone.dir(".git").ok().as_ref(), now.files(), committed)?;
        let mut update = TreeUpdateBuilder::new();
        for (path, form) in &forms {
            let mode = if form.mode == PROGRAM {
                FileMode::BlobExecutable
            } else {
                FileMode::Blob
            };
            update.upsert(bytes(path), form.id, mode);
        }
        let mut make = || -> Result<Oid, git2::Error> {
            update.create_updated(&self.repository, &self.repository.find_tree(now.files().0)?)
        };
        match forms.is_empty() {
            true => Ok(now.files()),
            false => make().map(SavedFiles).map_err(|source| self.failed(source)),
        }
    }

    /// What git would store otherwise than it lies there, by the settings in its git directory.
    pub(super) fn stored_forms(
        &self,
        git: Option<&Dir>,
        now: SavedFiles,
        committed: Option<SavedFiles>,
    ) -> Result<Vec<(PathBuf, TreeFile)>, Error> {
        let changed = self
            .changed_files(committed, now)
            .map_err(|source| self.failed(source))?;
        let paths = changed.iter().map(|file| file.path.as_path());
        let conversions = self.conversions(git, now, paths)?;
        if !conversions.any() {
            return Ok(Vec::new());
        }
        let (before, mut forms) = (KnownForms::load(&self.dir), KnownForms::default());
        let mut other = Vec::new();
        for ChangedFile { path, was, is } in changed {
            let conversion = conversions.of(&path)?;
            let id = self
                .stored_form((is, was), conversion, (&before, &mut forms))
                .map_err(|source| self.failed(source))?;
            if id != is.id {
                other.push((path, TreeFile { id, ..is }));
            }
        }
        if forms != before {
            forms.save(&self.dir)?;
        }
        Ok(other)
    }

    /// One file as git would store it in place of `was`.
    pub(super) fn stored_file(
        &self,
        conversion: Conversion,
        is: TreeFile,
        was: Option<TreeFile>,
    ) -> Result<TreeFile, Error> {
        if !matches!(is.mode, PLAIN | PROGRAM) {
            return Ok(is);
        }
        let (none, mut forms) = (KnownForms::default(), KnownForms::default());
        let id = self
            .stored_form((is, was), conversion, (&none, &mut forms))
            .map_err(|source| self.failed(source))?;
        Ok(TreeFile { id, ..is })
    }

    /// The files and programs that differ, without a look at what is in them.
    fn changed_files(&self, from: Option<SavedFiles>, to: SavedFiles) -> Result<Vec<ChangedFile>, git2::Error> {
        let from = from.map(|files| self.repository.find_tree(files.0)).transpose()?;
        let to = self.repository.find_tree(to.0)?;
        let mut options = DiffOptions::new();
        let diff = self
            .repository
            .diff_tree_to_tree(from.as_ref(), Some(&to), Some(&mut options))?;
        let side = |file: git2::DiffFile<'_>| {
            let mode = u32::from(file.mode());
            matches!(mode, PLAIN | PROGRAM).then(|| TreeFile { id: file.id(), mode })
        };
        let changed = diff.deltas().filter_map(|delta| {
            let is = side(delta.new_file())?;
            let was = side(delta.old_file()).filter(|was| !was.id.is_zero());
            let path = delta.new_file().path()?.to_path_buf();
            (was.map(|was| was.id) != Some(is.id)).then_some(ChangedFile { path, was, is })
        });
        Ok(changed.collect())
    }

    fn stored_form(
        &self,
        (is, was): (TreeFile, Option<TreeFile>),
        conversion: Conversion,
        (before, now): (&KnownForms, &mut KnownForms),
    ) -> Result<Oid, git2::Error> {
        let kind = match conversion {
            Conversion::None | Conversion::Filter => return Ok(is.id),
            Conversion::Lines(rule) if rule.is_guess => "guess",
            Conversion::Lines(_) => "text",
            Conversion::Pointer => "lfs",
        };
        let odb = self.repository.odb()?;
        let key = StoredFormKey {
            kind,
            is: is.id,
            was: was.map_or(Oid::ZERO_SHA1, |was| was.id),
        };
        let known = before.get(&key).filter(|known| odb.exists(*known));
        let stored = match (known, conversion) {
            (Some(known), _) => known,
            (None, Conversion::Lines(rule)) => self.with_line_feeds(rule, is, was)?,
            (None, Conversion::Pointer) => self.pointer_to(is, was)?,
            (None, Conversion::None | Conversion::Filter) => is.id,
        };
        now.0.insert(key.to_text(), stored);
        Ok(stored)
    }

    fn with_line_feeds(&self, rule: LineRule, is: TreeFile, was: Option<TreeFile>) -> Result<Oid, git2::Error> {
        let odb = self.repository.odb()?;
        if odb.read_header(is.id)?.0 > LARGEST {
            return Ok(is.id);
        }
        let content = odb.read(is.id)?;
        let before = || Some(odb.read(was?.id).ok()?.data().to_vec());
        match rule.stored(content.data(), before) {
            Cow::Borrowed(_) => Ok(is.id),
            Cow::Owned(stored) => store_bytes(&self.repository, &stored),
        }
    }

    fn pointer_to(&self, is: TreeFile, was: Option<TreeFile>) -> Result<Oid, git2::Error> {
        if self.pointer(is.id)?.is_some() || self.repository.odb()?.read_header(is.id)?.0 == 0 {
            return Ok(is.id);
        }
        let pointer = self.hashed(is.id)?;
        if let Some(was) = was
            && self.pointer(was.id)?.as_ref() == Some(&pointer)
        {
            return Ok(was.id);
        }
        store_bytes(&self.repository, pointer.to_text().as_bytes())
    }

    /// What a content points to, if it is a pointer.
    pub(super) fn pointer(&self, id: Oid) -> Result<Option<LfsPointer>, git2::Error> {
        let odb = self.repository.odb()?;
        match odb.read_header(id)? {
            (size, ObjectType::Blob) if size < 1024 => Ok(LfsPointer::parse(odb.read(id)?.data())),
            (_, _) => Ok(None),
        }
    }

    fn hashed(&self, id: Oid) -> Result<LfsPointer, git2::Error> {
        let odb = self.repository.odb()?;
        // What is packed cannot be read piece by piece.
        let found = match odb.reader(id) {
            Ok((mut reader, ..)) => LfsPointer::of(&mut reader).ok(),
            Err(_) => None,
        };
        match found {
            Some(pointer) => Ok(pointer),
            None => LfsPointer::of(&mut odb.read(id)?.data())
                .map_err(|error| git2::Error::new(ErrorCode::GenericError, git2::ErrorClass::Os, error.to_string())),
        }
    }
}

/// A content, and what it would be stored in place of.
struct StoredFormKey {
    kind: &'static str,
    is: Oid,
    was: Oid,
}

impl StoredFormKey {
    fn to_text(&self) -> String {
        format!("{} {} {}", self.kind, self.is, self.was)
    }
}

/// What was found out before. A broken or missing file only costs reading contents again.
#[derive(Default, PartialEq, Eq)]
struct KnownForms(HashMap<String, Oid>);

impl KnownForms {
    fn load(dir: &Dir) -> KnownForms {
        let text = dir.read(FILE, MAX).ok().flatten().unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return KnownForms::default();
        }
        let form = |line: &str| {
            let (key, id) = line.rsplit_once(' ')?;
            Some((key.to_owned(), Oid::from_str(id).ok()?))
        };
        KnownForms(lines.filter_map(form).collect())
    }

    /// Not synced: it can be made again.
    fn save(&self, dir: &Dir) -> Result<(), Error> {
        let lines = self.0.iter().map(|(key, id)| format!("{key} {id}\n"));
        let text = format!("{HEAD}\n{}", lines.collect::<String>());
        Ok(dir.replace_unsynced(FILE, text.as_bytes(), 0o600)?)
    }

    fn get(&self, key: &StoredFormKey) -> Option<Oid> {
        self.0.get(&key.to_text()).copied()
    }
}
