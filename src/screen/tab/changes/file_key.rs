//! Which file is shown, and how.

use std::path::PathBuf;

/// A file, or, without one, a directory or a clone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileKey {
    pub project: String,
    pub path: PathBuf,
}

/// How lines are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiffLook {
    pub context: u32,
    pub ignore_whitespace: bool,
    /// `None`: where there is room.
    pub side_by_side: Option<bool>,
}
