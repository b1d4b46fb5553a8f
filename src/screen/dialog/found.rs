//! A moment that the search of all transcripts found.

use crate::model::ChatId;

/// Where a hit leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundMoment {
    pub chat: ChatId,
    pub seq: u64,
    /// As they stand there.
    pub words: String,
}
