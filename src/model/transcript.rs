//! A stretch of a transcript, as it is read for somebody's screen.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Entry;
use super::diff::Syntax;

/// Which stretch is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PageAt {
    /// The newest lines.
    End,
    /// The oldest lines.
    Start,
    /// The lines that end at this byte.
    Before(u64),
    /// The lines that begin at this byte.
    After(u64),
    /// The lines before and behind the entry of this number.
    Around(u64),
}

/// Lines that stand one behind the other in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TranscriptPage {
    /// As it was asked for.
    pub at: PageAt,
    pub lines: Vec<PageLine>,
    /// The byte at which its first line begins, and the one behind its last.
    pub from: u64,
    pub to: u64,
    /// How many bytes of finished lines the file had.
    pub whole: u64,
    /// How many prompts stand before it; counted only where nothing beside it is known.
    pub prompts_before: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PageLine {
    Entry(Arc<Entry>),
    /// Bytes that are no entry.
    Gap(u64),
}

/// A block of code in an answer, as it is copied and coloured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeBlock {
    /// As the text names it; empty where it does not.
    pub language: String,
    pub text: String,
}

/// For each line of a block of code, its parts: each ends before this byte.
pub type ColouredCode = Vec<Vec<(usize, Syntax)>>;
