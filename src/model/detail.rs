//! What workers find out for somebody who reads a comparison.

use serde::{Deserialize, Serialize};

use super::Timestamp;
use super::diff::FileAsk;
use super::pick::PickedPart;
use super::search::{FoundLines, SearchAsk};

#[derive(Clone, Debug, PartialEq)]
pub enum DetailWork {
    Search(SearchAsk),
    /// A patch of what was chosen of a file; of all of it, if nothing was.
    Patch(FileAsk, Vec<PickedPart>),
    /// The last commits of each clone.
    Commits,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Detail {
    Found(FoundLines),
    Patch(String),
    Commits(Vec<CommitLine>),
}

/// A commit of a clone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitLine {
    pub project: String,
    /// As git names it, in full.
    pub id: String,
    pub subject: String,
    pub at: Timestamp,
}
