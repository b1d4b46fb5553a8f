//! How far what is typed for a new chat on one screen is written down.

use crate::model::Timestamp;

#[derive(Default)]
pub struct FormText {
    /// What was written down last.
    pub kept: String,
    /// When that is done next.
    pub due: Option<Timestamp>,
}
