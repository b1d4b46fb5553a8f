//! The chat that a query asks, and how far its transcript has come.

use serde_json::Value;

use super::super::output::text;

/// A chat that has been asked, and the last entry of its transcript before that.
pub struct AskedChat {
    pub id: String,
    pub handle: String,
    pub llm: String,
    pub after: u64,
    /// The id of the prompt that it was asked with.
    pub prompt: String,
}

impl AskedChat {
    pub fn of(chat: &Value, after: u64, prompt: String) -> AskedChat {
        let field = |name| text(chat, name).to_owned();
        AskedChat {
            id: field("id"),
            handle: field("handle"),
            llm: field("llm"),
            after,
            prompt,
        }
    }
}

/// Where the transcript has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnStage {
    /// The agent does not have the prompt: what it says answers others.
    Before,
    Within,
    /// Another prompt began the next turn.
    Behind,
}
