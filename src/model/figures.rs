//! What a chat takes on disk, and how far its clones are from what they were made of.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatFigures {
    pub bytes: u64,
    /// There is more than was counted.
    pub more: bool,
    /// Commits that no remote has.
    pub ahead: u64,
    /// Files that differ from the last commit.
    pub changed: u64,
}
