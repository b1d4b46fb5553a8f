//! A tool that an agent has begun and not ended.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use crate::model::{Happened, Timestamp};

/// A tool of the agent's own that begins so soon after its turn's end began before it. A later one belongs to a turn
/// that the CLI began by itself, without a prompt.
pub(in crate::domain::agent) const LATE_MS: u64 = 2_000;

/// Bytes of an input that is kept while its call is open.
const MOST_GIVEN: usize = 16 << 10;

/// Stands before the id that a tool has here while its CLI has not told its own.
pub(in crate::domain::agent) const OWN: &str = "own-";

pub struct OpenTool {
    pub id: String,
    pub name: String,
    /// A digest of its input, by which equal calls are found: whole inputs of many open calls would fill the memory.
    pub input: u64,
    /// The input itself, where it is short: a dialog that its CLI opens of its own may be about it.
    pub given: Value,
    /// The sub-agent that called it.
    pub parent: Option<String>,
    pub at: Timestamp,
    /// A rule denied it; to its CLI that is a failure of the tool.
    pub refused: bool,
    /// Its beginning is recorded. What a sub-agent calls by a hook without ids is recorded as its transcript tells it.
    pub recorded: bool,
    /// How long its question waited for an answer, in milliseconds.
    pub waited: u64,
}

impl OpenTool {
    /// It is recorded under an id of ours.
    pub fn is_recorded_as_own(&self) -> bool {
        self.recorded && self.id.starts_with(OWN)
    }

    /// How long it ran, where it ends now.
    pub fn ran(&self, now: Timestamp) -> u64 {
        now.ms_since(self.at).saturating_sub(self.waited)
    }

    /// The tool that this happening begins.
    pub fn begun(what: &Happened, at: Timestamp) -> Option<OpenTool> {
        let Happened::ToolStart {
            id,
            name,
            input,
            parent,
            ..
        } = what
        else {
            return None;
        };
        Some(OpenTool {
            id: id.clone(),
            name: name.clone(),
            input: digest(input),
            given: given(input),
            parent: parent.clone(),
            at,
            refused: false,
            recorded: true,
            waited: 0,
        })
    }
}

/// Of what it runs, where that is a command: Codex CLI says other things beside it in a call and in its question.
pub fn digest(input: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    let command = input.get("command").or_else(|| input.get("cmd"));
    command.unwrap_or(input).hash(&mut hasher);
    hasher.finish()
}

/// Of an input what is kept while the call is open.
pub fn given(input: &Value) -> Value {
    fn size(value: &Value) -> usize {
        match value {
            Value::String(text) => text.len(),
            Value::Array(parts) => parts.iter().map(size).sum(),
            Value::Object(parts) => parts.iter().map(|(name, part)| name.len() + size(part)).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        }
    }
    match size(input) <= MOST_GIVEN {
        true => input.clone(),
        false => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_and_its_question_are_equal_by_their_command() {
        let call = json!({"command": "touch a", "justification": "it is needed"});
        assert_eq!(
            digest(&call),
            digest(&json!({"command": "touch a", "description": "makes a"}))
        );
        assert_ne!(digest(&call), digest(&json!({"command": "touch b"})));
        assert_ne!(digest(&json!({"path": "a"})), digest(&json!({"path": "b"})));
    }
}
