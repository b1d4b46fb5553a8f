//! Lines that a person selects, and words that they look for.

use crate::model::search::Needle;

/// Lines that are selected: each by its first byte and the one behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkedLines {
    pub anchor: (u64, u64),
    pub at: (u64, u64),
}

impl MarkedLines {
    pub fn stretch(&self) -> (u64, u64) {
        (self.anchor.0.min(self.at.0), self.anchor.1.max(self.at.1))
    }

    pub fn holds(&self, line: u64) -> bool {
        let (from, to) = self.stretch();
        (from..to.max(from + 1)).contains(&line)
    }
}

/// Words that are looked for.
#[derive(Default)]
pub struct OutputSearch {
    pub words: String,
    pub needle: Option<Needle>,
    /// The line and the byte where they were found last.
    pub found: Option<(u64, u64)>,
    /// They are looked for from the other end by now.
    pub is_around: bool,
}
