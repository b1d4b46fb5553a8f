//! What an agent asks its person by a tool of its own, which only its own dialog can answer.

use serde_json::Value;

use crate::model::text::one_line;

const LETTERS: usize = 120;

/// The first of the questions that such a call holds, in one line.
pub fn asked(input: &Value) -> String {
    match input["questions"][0]["question"].as_str() {
        Some(question) => one_line(question, LETTERS),
        None => "it asks you to choose".into(),
    }
}
