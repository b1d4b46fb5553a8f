//! What was found of the words that are searched for in the Changes tab.

use std::collections::BTreeMap;

use super::file_key::{DiffLook, FileKey};
use crate::screen::tab::search_line::SearchLine;
use crate::screen::way::StepWay;

pub type DiffSearch = SearchLine<FoundInFiles>;

pub struct FoundInFiles {
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

impl FoundInFiles {
    /// Nothing yet.
    pub(super) fn new(look: DiffLook) -> FoundInFiles {
        FoundInFiles {
            files: None,
            unread: 0,
            landing: None,
            stale: true,
            asked: false,
            look,
        }
    }
}

impl DiffSearch {
    pub(super) fn found(&self) -> Option<&FoundInFiles> {
        self.sought.as_ref().map(|sought| &sought.found)
    }

    pub(super) fn found_mut(&mut self) -> Option<&mut FoundInFiles> {
        self.sought.as_mut().map(|sought| &mut sought.found)
    }

    /// Other lines may be there.
    pub fn renew(&mut self) {
        if let Some(found) = self.found_mut() {
            found.stale = true;
        }
    }

    /// How many lines of a file have the words in them.
    pub fn lines_of(&self, key: &FileKey) -> usize {
        let files = self.found().and_then(|found| found.files.as_ref());
        files.and_then(|files| files.get(key)).copied().unwrap_or(0)
    }
}
