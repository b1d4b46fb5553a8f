//! What is chosen from a list in the Changes tab.

use super::key::FileKey;

#[derive(Clone, Debug, PartialEq)]
pub enum DiffChoice {
    File(FileKey),
    /// The remark with this number.
    Remark(u64),
    SendRemarks,
}
