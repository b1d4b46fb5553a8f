//! The words of a message in Gemini CLI's transcript.

use serde_json::Value;

/// What the CLI itself puts before the first prompt, which no person typed.
pub(super) const CONTEXT: &str = "<session_context>";
pub(super) const HOOK_CONTEXT: &str = "<hook_context>";

/// Text, or the texts of a list of parts, joined.
pub(super) fn plain(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<_> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
            texts.join("\n")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

pub(super) fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}
