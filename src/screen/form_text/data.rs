//! How far what is typed in the dialogs of one screen is written down.

use crate::model::Timestamp;
use crate::model::preferences::LeftWords;

#[derive(Default)]
pub struct FormText {
    /// What was written down last.
    pub kept: String,
    /// When that is done next.
    pub due: Option<Timestamp>,
}

/// The same of a message or a remark in the dialog that is open.
#[derive(Default)]
pub struct DialogText {
    pub kept: Option<LeftWords>,
    pub due: Option<Timestamp>,
}
