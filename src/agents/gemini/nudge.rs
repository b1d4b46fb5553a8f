//! What Gemini CLI tells its model of its own accord where that answered with nothing. It looks like a prompt, calls the hook
//! of one, and nobody typed it.

use crate::model::Happened;

const NUDGES: &[&str] = &[
    "[System: You successfully executed a tool but returned an empty response.",
    "[System: You previously generated thoughts but failed to provide",
    "[System: You previously returned an empty response",
];

pub(super) fn is_one(prompt: &str) -> bool {
    NUDGES.iter().any(|nudge| prompt.starts_with(nudge))
}

/// It belongs to the turn that goes on.
pub(super) fn told() -> Happened {
    Happened::Note {
        text: "Gemini CLI asked its model to go on, which had answered with nothing".into(),
    }
}
