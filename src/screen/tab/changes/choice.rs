//! What is chosen from a list in the Changes tab.

use crate::model::review::DiffSet;

use super::file_key::FileKey;

#[derive(Clone, Debug, PartialEq)]
pub enum DiffChoice {
    File(FileKey),
    /// The remark with this number.
    Remark(u64),
    SendRemarks,
    Keep(KeepChoice),
    /// This agent CLI is to review what is shown.
    Reviewer(String),
    /// Compares this.
    Set(DiffSet),
    /// Compares what this turn did.
    Turn(u32),
    Turns,
    Checkpoints,
    Commits,
    Attempts,
}

/// Of the menu of what can be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepChoice {
    Way(KeepWay),
    PullStatus,
    Radar,
}

/// A way to keep what an agent did, about which a dialog asks first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepWay {
    Commit,
    Amend,
    Push,
    Pull,
    Home,
    Rebase,
}
