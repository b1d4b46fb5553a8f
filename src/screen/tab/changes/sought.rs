//! What is searched for in the Changes tab, and what was found of it.

use std::collections::BTreeMap;

use super::file_key::{DiffLook, FileKey};
use crate::model::search::Needle;
use crate::screen::dialog::Field;
use crate::screen::way::StepWay;

#[derive(Default)]
pub struct DiffSearch {
    /// What is being typed.
    pub typing: Option<Field>,
    pub sought: Option<Sought>,
}

/// What is looked for, until the search is ended.
pub struct Sought {
    pub words: String,
    pub needle: Needle,
    /// How many lines have the words in them, by file. None until a worker has told.
    pub files: Option<BTreeMap<FileKey, usize>>,
    /// Files that there was no time for.
    pub unread: usize,
    /// The file that is selected is to be shown where the words are: at the first such line, or at the last.
    pub(super) landing: Option<StepWay>,
    pub(super) stale: bool,
    pub(super) asked: bool,
    /// What was searched is shown in this way.
    pub(super) look: DiffLook,
}

impl DiffSearch {
    pub fn is_on(&self) -> bool {
        self.sought.is_some()
    }

    /// Other lines may be there.
    pub fn renew(&mut self) {
        if let Some(sought) = &mut self.sought {
            sought.stale = true;
        }
    }

    /// How many lines of a file have the words in them.
    pub fn lines_of(&self, key: &FileKey) -> usize {
        let files = self.sought.as_ref().and_then(|sought| sought.files.as_ref());
        files.and_then(|files| files.get(key)).copied().unwrap_or(0)
    }

    /// It has a row of its own at the bottom.
    pub fn has_row(&self) -> bool {
        self.typing.is_some() || self.sought.is_some()
    }
}
