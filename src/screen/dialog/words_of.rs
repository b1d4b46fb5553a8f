//! What words were typed for, in a dialog that was left.

use crate::model::ChatId;

use super::super::tab::changes::choice::KeepWay;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordsOf {
    /// A remark on this place.
    Remark(ChatId, String),
    Keep(ChatId, KeepWay),
}
