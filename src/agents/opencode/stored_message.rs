//! What is remembered of a message of a session, until it is told whole.

use serde_json::Value;

use super::part;
use crate::model::Timestamp;

pub(super) struct StoredMessage {
    pub id: String,
    pub role: MessageRole,
    pub created: Option<Timestamp>,
    /// Of its parts there was a tool.
    pub used: bool,
    /// And its last one.
    pub finished: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageRole {
    Prompt,
    Reply,
    /// A summary of the conversation, for the model.
    Summary,
    /// A reply that is complete and accounted for.
    Done,
}

impl StoredMessage {
    pub(super) fn new(id: String, role: MessageRole, message: &Value) -> StoredMessage {
        StoredMessage {
            id,
            role,
            created: part::time(&message["time"]["created"]),
            used: false,
            finished: false,
        }
    }

    /// Whether all parts of it have come that a complete message has: events get lost on a busy machine.
    pub(super) fn is_whole(&self, message: &Value) -> bool {
        let used = self.used || message["finish"] != "tool-calls";
        message["error"].is_object() || self.role == MessageRole::Summary || self.finished && used
    }
}

/// Whether what a complete message said and did has ended: it may be marked a moment before its parts are.
pub(super) fn is_over(info: &Value, parts: &[Value]) -> bool {
    if info["role"] != "assistant" || info["time"]["completed"].is_null() || info["error"].is_object() {
        return true;
    }
    let has = |kind: &str| parts.iter().any(|part| part["type"] == kind);
    let is_over = |part: &Value| match part["type"].as_str() {
        Some("tool") => !matches!(part["state"]["status"].as_str(), Some("pending" | "running")),
        Some("text" | "reasoning") => !part["time"]["end"].is_null(),
        _ => true,
    };
    has("step-finish") && (has("tool") || info["finish"] != "tool-calls") && parts.iter().all(is_over)
}
