//! Words that are looked for in a file of two saved states.

use super::Store;
use super::file::TreeFile;
use crate::git::Error;
use crate::git::compare::{HunkOptions, MOST_LINES, found, is_binary};
use crate::model::diff::FileAsk;
use crate::model::search::Needle;

/// Bytes of a file; a larger one is not searched.
const LARGEST: usize = 64 << 20;

impl Store {
    /// How many lines of a difference have the words in them, as far as it is shown.
    pub fn found_lines(&self, ask: &FileAsk, needle: &Needle) -> Result<usize, Error> {
        let (old, new) = self.sides(ask)?;
        let is_text = |file: &TreeFile| !file.is_commit();
        if ![old, new].iter().flatten().all(is_text) || old.map(|file| file.id) == new.map(|file| file.id) {
            return Ok(0);
        }
        let (Some(old), Some(new)) = (self.searched(old)?, self.searched(new)?) else {
            return Ok(0);
        };
        found(&old, &new, how(ask), needle).map_err(|source| self.failed(source))
    }

    /// None where it is binary or too large.
    fn searched(&self, file: Option<TreeFile>) -> Result<Option<Vec<u8>>, Error> {
        let Some(file) = file else {
            return Ok(Some(Vec::new()));
        };
        let odb = self.repository.odb().map_err(|source| self.failed(source))?;
        let (size, _) = odb.read_header(file.id).map_err(|source| self.failed(source))?;
        match size <= LARGEST {
            true => Ok(Some(self.blob(file.id)?).filter(|content| !is_binary(content))),
            false => Ok(None),
        }
    }
}

/// As it is shown.
pub(super) fn how(ask: &FileAsk) -> HunkOptions {
    HunkOptions {
        context: ask.context,
        ignore_whitespace: ask.ignore_whitespace,
        most: MOST_LINES,
    }
}
