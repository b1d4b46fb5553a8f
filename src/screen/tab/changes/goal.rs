//! A place that a person goes to, once the comparison and the file that have it are here.

use std::collections::BTreeSet;

use crate::model::review::DiffSet;

use super::file_key::FileKey;

/// The first of these files that differs, and a line of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    pub files: Vec<FileKey>,
    pub line: GoalLine,
    /// What is compared instead, in this order, until one of them has the file.
    pub elsewhere: Vec<DiffSet>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum GoalLine {
    /// The remark with this number.
    Remark(u64),
    /// The first changed line that says one of these, without the white space around it; else the first change.
    Says(BTreeSet<String>),
}
