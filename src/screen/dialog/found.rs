//! A moment that the search of all transcripts found.

use crate::model::ChatId;

/// Where a hit leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundMoment {
    pub chat: ChatId,
    pub seq: u64,
    /// What was looked for: words and phrases.
    pub typed: Vec<String>,
    /// Those that are known to be there, as they stand there.
    pub marked: Vec<String>,
    /// They are in a whole output, from this byte on.
    pub output: Option<FoundOutput>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundOutput {
    pub tool: String,
    pub file: String,
    pub from: u64,
}
