//! What a person writes in the composer.

use std::collections::BTreeMap;

use crate::model::Timestamp;
use crate::model::queue::{PromptKind, TakenBack};

pub struct WrittenPrompt {
    pub text: String,
    pub kind: PromptKind,
    /// It is a command of the CLI's own.
    pub is_command: bool,
    /// It is not sent before this moment.
    pub not_before: Option<Timestamp>,
    /// It was taken out of the queue, and goes back there.
    pub taken_back: Option<TakenBack>,
    pub env: BTreeMap<String, String>,
}

impl WrittenPrompt {
    /// Plain text, for now.
    pub fn new(text: String, kind: PromptKind, env: BTreeMap<String, String>) -> WrittenPrompt {
        WrittenPrompt {
            text,
            kind,
            is_command: false,
            not_before: None,
            taken_back: None,
            env,
        }
    }
}
