//! A row as it is shown: pieces of text with what they mean. Colours are found when it is drawn.

use crate::model::diff::{LineKind, Syntax};
use crate::term::ansi::AnsiInk;

/// What a piece of text means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextInk {
    #[default]
    Text,
    Dim,
    Accent,
    Heading,
    Code,
    Link,
    Border,
    Failed,
    Waiting,
    Running,
    Done,
    Syntax(Syntax),
    /// A line of an edit, and whether it is what differs from the line that it replaces.
    Diff(LineKind, bool),
    DiffSign(LineKind),
    /// As the program that printed it wants it.
    Terminal(AnsiInk),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shade {
    pub ink: TextInk,
    pub bold: bool,
    pub italic: bool,
    pub struck: bool,
}

/// A piece of text in one shade, with nothing hidden in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub text: String,
    pub shade: Shade,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextRow {
    pub pieces: Vec<Piece>,
    /// What stands behind the first so many pieces can be scrolled sideways.
    pub held: Option<usize>,
    /// The block of code that it is a line of, counted within its item.
    pub code: Option<usize>,
    /// It is a line of an edit: its colour goes to the right edge.
    pub ground: Option<LineKind>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranscriptRow {
    Blank,
    /// The line above a turn.
    Turn,
    Text(TextRow),
    /// The one line of a call: drawn from its card.
    Card,
}

impl TranscriptRow {
    /// The block of code that it is a line of.
    pub fn code(&self) -> Option<usize> {
        match self {
            TranscriptRow::Text(text) => text.code,
            TranscriptRow::Blank | TranscriptRow::Turn | TranscriptRow::Card => None,
        }
    }
}

impl TextInk {
    pub fn shade(self) -> Shade {
        Shade {
            ink: self,
            ..Shade::default()
        }
    }
}

impl Piece {
    pub fn new(text: impl Into<String>, shade: impl Into<Shade>) -> Piece {
        Piece {
            text: text.into(),
            shade: shade.into(),
        }
    }
}

impl From<TextInk> for Shade {
    fn from(ink: TextInk) -> Shade {
        ink.shade()
    }
}

impl TextRow {
    pub fn of(pieces: Vec<Piece>) -> TextRow {
        TextRow {
            pieces,
            ..TextRow::default()
        }
    }
}
