//! What is chosen from a list in the Changes tab.

use crate::model::review::DiffSet;

use super::key::FileKey;

#[derive(Clone, Debug, PartialEq)]
pub enum DiffChoice {
    File(FileKey),
    /// The remark with this number.
    Remark(u64),
    SendRemarks,
    /// This agent CLI is to review what is shown.
    Reviewer(String),
    /// Compares this.
    Set(DiffSet),
    /// Compares what this turn did.
    Turn(u32),
    Turns,
    Checkpoints,
    Commits,
}
