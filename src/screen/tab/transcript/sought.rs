//! The words that are looked for in a transcript.

use crate::model::search::Needle;
use crate::screen::dialog::Field;

#[derive(Default)]
pub struct TranscriptSearch {
    /// What is being typed.
    pub typing: Option<Field>,
    pub sought: Option<SoughtWords>,
}

pub struct SoughtWords {
    pub words: String,
    pub needle: Needle,
}

impl TranscriptSearch {
    /// It has a row of its own at the bottom.
    pub fn has_row(&self) -> bool {
        self.typing.is_some() || self.sought.is_some()
    }
}
