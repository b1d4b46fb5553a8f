//! The whole output of a call, as a person looks through it: some of its lines at a time, however long it is.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::ChatId;

/// The most bytes that are copied at once: terminals take no more.
pub const LONGEST_COPY: usize = 1 << 20;

/// Something that a person wants of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputAsk {
    pub chat: ChatId,
    /// `outputs/{tool}`, in the record.
    pub file: String,
    pub wanted: OutputWanted,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputWanted {
    Page(LinesAt),
    /// How many lines it has, and the number of the one that begins at this byte.
    Lines(u64),
    /// What stands between these bytes, to be copied.
    Text(u64, u64),
    /// A copy of all of it in a new file.
    Save(PathBuf),
}

/// Where an output is opened outside of parlour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputPlace {
    pub chat: ChatId,
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    pub with: OpenedWith,
}

/// A program of the person's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenedWith {
    Editor,
    Pager,
    /// A shell, which opens no file.
    Shell,
}

/// The same, as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutputFound {
    Page(OutputPage),
    Lines {
        lines: u64,
        /// The byte that was asked about, and the number of the line that begins there, from 0.
        at: u64,
        number: u64,
    },
    Text {
        text: String,
        is_whole: bool,
    },
    Saved {
        path: String,
        bytes: u64,
    },
}

/// Which lines are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinesAt {
    /// Those that begin at this byte.
    After(u64),
    /// Those that end before it.
    Before(u64),
    /// Those around the line of this number, counted from 0.
    Line(u64),
    /// Those around the next place of these words from this byte on.
    Next(String, u64),
    /// Those around their last place before this byte.
    Last(String, u64),
}

/// Lines that stand one behind the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputPage {
    pub lines: Vec<OutputLine>,
    /// The first byte of the first line, the one behind the last, and how many there are in all.
    pub from: u64,
    pub to: u64,
    pub whole: u64,
    /// The number of the first line, from 0; none as long as the lines were not counted.
    pub number: Option<u64>,
    /// Where the words are that were looked for; none where there are none, or nobody looked.
    pub found: Option<u64>,
}

/// A line, without its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputLine {
    /// Its first byte.
    pub at: u64,
    pub text: String,
    /// Bytes of it that are left out before the text and behind it: one may have millions.
    pub before: u64,
    pub after: u64,
}

impl OutputPage {
    /// The line in which this byte is.
    pub fn line_with(&self, byte: u64) -> Option<usize> {
        let behind = self.lines.partition_point(|line| line.at <= byte);
        behind.checked_sub(1)
    }
}
