//! A line of one saved state, looked for in others.

use std::collections::HashMap;
use std::path::PathBuf;

use git2::Oid;

use super::Store;
use super::diff::SavedFiles;
use super::file::TreeFile;
use super::line_ends::LineRule;
use crate::git::Error;
use crate::git::compare::{HunkOptions, RawLine, hunks, is_binary};
use crate::model::diff::LineKind;
use crate::model::origin::{AskedLine, LineAsk};
use crate::model::review::FileKind;

/// A line that is looked for.
pub struct LineTrace<'s> {
    store: &'s Store,
    line: AskedLine,
    ignore_whitespace: bool,
    /// The file that has it.
    content: Vec<u8>,
    /// Names that the file had; the one that is looked for first comes first.
    paths: Vec<PathBuf>,
    /// The last state that has it.
    newer: SavedFiles,
    /// Contents that were compared before.
    known: HashMap<Oid, bool>,
}

impl Store {
    /// A line as a comparison shows it. None where the file is not there on that side.
    pub fn trace(&self, ask: &LineAsk) -> Result<Option<LineTrace<'_>>, Error> {
        let (old, new) = self.sides(&ask.file)?;
        let file = match ask.line {
            AskedLine::There(_) => new,
            AskedLine::Removed(_) => old,
        };
        let Some(file) = file.filter(|file| !file.is_commit()) else {
            return Ok(None);
        };
        Ok(Some(LineTrace {
            store: self,
            line: ask.line,
            ignore_whitespace: ask.file.ignore_whitespace,
            content: with_line_feeds(&self.blob(file.id)?),
            paths: ask.paths(),
            newer: self.files_of(&ask.file.after)?,
            known: HashMap::new(),
        }))
    }
}

impl LineTrace<'_> {
    /// Says whether this state, which is older than those before, has the line.
    pub fn look_in(&mut self, files: SavedFiles) -> Result<bool, Error> {
        let Some(file) = self.find(files)? else {
            return Ok(false);
        };
        let is_there = match self.known.get(&file.id) {
            Some(known) => *known,
            None => {
                let is_there = self.has_line(file)?;
                self.known.insert(file.id, is_there);
                is_there
            }
        };
        if is_there {
            self.newer = files;
        }
        Ok(is_there)
    }

    /// The file in this state, also under a name that it had before.
    fn find(&mut self, files: SavedFiles) -> Result<Option<TreeFile>, Error> {
        for path in &self.paths {
            if let Some(file) = self.store.file_in(files, path)? {
                return Ok(Some(file).filter(|file| !file.is_commit()));
            }
        }
        if let AskedLine::Removed(_) = self.line {
            return Ok(None);
        }
        let changes = self.store.changes(Some(files), self.newer)?;
        let is_it = |path: &PathBuf| self.paths.contains(path);
        let renamed = changes
            .into_iter()
            .find(|change| change.kind == FileKind::Renamed && is_it(&change.path));
        let Some(from) = renamed.and_then(|change| change.from) else {
            return Ok(None);
        };
        let file = self.store.file_in(files, &from)?;
        self.paths.insert(0, from);
        Ok(file)
    }

    fn has_line(&self, file: TreeFile) -> Result<bool, Error> {
        let other = self.store.blob(file.id)?;
        if is_binary(&other) {
            return Ok(false);
        }
        let other = with_line_feeds(&other);
        let how = HunkOptions {
            context: 0,
            ignore_whitespace: self.ignore_whitespace,
            most: usize::MAX,
        };
        // As it is shown: what is removed is on the side before.
        let (old, new) = match self.line {
            AskedLine::There(_) => (&other, &self.content),
            AskedLine::Removed(_) => (&self.content, &other),
        };
        let (found, _) = hunks(old, new, how).map_err(|source| self.store.failed(source))?;
        let is_it = |line: &RawLine| match self.line {
            AskedLine::There(number) => line.kind == LineKind::Added && line.new == Some(number),
            AskedLine::Removed(number) => line.kind == LineKind::Removed && line.old == Some(number),
        };
        Ok(!found.iter().flat_map(|hunk| &hunk.lines).any(is_it))
    }
}

/// Compared with a commit, a file is shown as git stores it; checkpoints have it as it lies in the clone.
fn with_line_feeds(content: &[u8]) -> Vec<u8> {
    LineRule {
        is_guess: false,
        has_returns: false,
    }
    .stored(content, || None)
    .into_owned()
}
