//! What workers find out for somebody who reads a comparison.

use serde::{Deserialize, Serialize};

use super::diff::FileAsk;
use super::pick::PickedPart;
use super::search::{FoundLines, SearchAsk};

#[derive(Clone, Debug, PartialEq)]
pub enum DetailWork {
    Search(SearchAsk),
    /// A patch of what was chosen of a file; of all of it, if nothing was.
    Patch(FileAsk, Vec<PickedPart>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Detail {
    Found(FoundLines),
    Patch(String),
}
