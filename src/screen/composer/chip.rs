//! A prompt that waits for an agent, as a person sees it above the field.

use crate::model::queue::{PromptKind, WaitingPrompt};

/// A prompt that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedChip {
    pub id: String,
    pub kind: PromptKind,
    /// Its beginning, in a line.
    pub words: String,
    /// What it waits for.
    pub why: String,
    /// It waits for a moment.
    pub is_timed: bool,
    /// There is no turn that it could enter: it begins the next one.
    pub begins_turn: bool,
    /// Why it cannot be changed any more.
    pub fixed: Option<String>,
}

impl From<WaitingPrompt> for QueuedChip {
    fn from(waits: WaitingPrompt) -> QueuedChip {
        QueuedChip {
            id: waits.id,
            kind: waits.kind,
            words: waits.text,
            why: waits.why,
            is_timed: false,
            begins_turn: false,
            fixed: waits.fixed,
        }
    }
}
