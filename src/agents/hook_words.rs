//! What the hooks of Claude Code, Codex and Gemini CLI share: how a payload is read, and the words of answers.

use serde_json::{Value, json};

/// A text that the payload must have; its key where it has none. A payload is not believed to have any shape.
pub(super) fn text(payload: &Value, key: &'static str) -> Result<String, &'static str> {
    payload[key].as_str().map(String::from).ok_or(key)
}

/// What the agent is to know from then on.
pub(super) fn context(event: &str, text: &str) -> Value {
    json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})
}

/// Before a tool runs: `allow`, `deny` or `ask`, and why.
pub(super) fn before_tool(event: &str, decision: &str, why: &str) -> Value {
    json!({"hookSpecificOutput": {
        "hookEventName": event, "permissionDecision": decision, "permissionDecisionReason": why,
    }})
}

/// The CLI's own dialog is answered: allowed, or refused with a reason.
pub(super) fn dialog(event: &str, refused: Option<&str>) -> Value {
    let decision = match refused {
        Some(why) => json!({"behavior": "deny", "message": why}),
        None => json!({"behavior": "allow"}),
    };
    json!({"hookSpecificOutput": {"hookEventName": event, "decision": decision}})
}

/// The agent does not get the prompt.
pub(super) fn blocked(why: &str) -> Value {
    json!({"decision": "block", "reason": why})
}
