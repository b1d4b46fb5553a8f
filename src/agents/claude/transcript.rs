//! Claude Code's own transcript, line by line: what its hooks never tell.
//!
//! No hook fires for an interrupt, nor for a prompt that was queued while the agent worked; both stand here. So do API
//! errors and the agent's words. Tools, usage and typed prompts come by hooks so far and are passed over.

use serde_json::{Map, Value, json};

use crate::model::entry::From;
use crate::model::{Happened, Timestamp, Told};

const INTERRUPTED: &str = "[Request interrupted by user";
const ODD_CHARS: usize = 2000;

/// Kinds that tell nothing of the talk itself.
const NOISE: &[&str] = &[
    "agent-name",
    "ai-title",
    "attachment",
    "custom-title",
    "file-history-snapshot",
    "last-prompt",
    "mode",
    "permission-mode",
    "queue-operation",
    "summary",
    "system",
];

/// What a line says. A line that is no JSON, or of a kind nobody knows, is kept as it is.
pub(super) fn read(line: &str) -> Vec<Told> {
    if line.trim().is_empty() {
        return Vec::new();
    }
    let Ok(Value::Object(entry)) = serde_json::from_str(line) else {
        let (at, what) = (None, odd(line));
        return vec![Told { at, what }];
    };
    let entry = Value::Object(entry);
    let at = entry["timestamp"]
        .as_str()
        .and_then(|at| Timestamp::try_from(at.to_string()).ok());
    let told = |what| Told { at, what };
    happened(line, &entry).into_iter().map(told).collect()
}

fn happened(line: &str, entry: &Value) -> Vec<Happened> {
    // Sub-agents have files of their own; here their lines would be taken for the agent's.
    if entry["isSidechain"] == true {
        return Vec::new();
    }
    let kind = entry["type"].as_str().unwrap_or("");
    let of_kind = (kind, entry["attachment"]["type"].as_str(), entry["subtype"].as_str());
    match of_kind {
        ("user", ..) => interrupt(entry).into_iter().collect(),
        ("assistant", ..) if entry["isApiErrorMessage"] == true => vec![api_error(entry)],
        ("assistant", ..) => words(entry),
        ("attachment", Some("queued_command"), _) => queued(entry).into_iter().collect(),
        ("system", _, Some("compact_boundary")) => vec![Happened::Compaction {
            trigger: text_of(&entry["compactMetadata"]["trigger"]),
        }],
        (noise, ..) if NOISE.contains(&noise) => Vec::new(),
        _ => vec![odd(line)],
    }
}

fn interrupt(entry: &Value) -> Option<Happened> {
    // A person may type these very words; typed prompts say where they come from.
    let is_note = entry["isMeta"] != true && entry["origin"].is_null();
    (is_note && content(entry).starts_with(INTERRUPTED)).then(|| Happened::Interrupt {
        cause: "a person pressed Esc".into(),
    })
}

fn api_error(entry: &Value) -> Happened {
    let hint = match entry["error"].as_str().unwrap_or("") {
        "authentication_failed" | "oauth_org_not_allowed" => "type /login in its terminal",
        "billing_error" => "look at your plan or credit",
        "rate_limit" | "overloaded" | "server_error" => "send the prompt again later",
        "model_not_found" => "choose another model with /model in its terminal",
        _ => "",
    };
    Happened::Error {
        place: "Claude Code".into(),
        message: content(entry),
        hint: hint.into(),
    }
}

fn words(entry: &Value) -> Vec<Happened> {
    let text = content(entry);
    match text.trim().is_empty() {
        true => Vec::new(),
        false => vec![Happened::Text {
            id: text_of(&entry["uuid"]),
            text,
        }],
    }
}

/// A prompt typed while the agent worked. It never becomes a `user` line, and no hook tells of it. A notice that
/// the CLI queued for itself has another mode.
fn queued(entry: &Value) -> Option<Happened> {
    let attachment = &entry["attachment"];
    if attachment["commandMode"] != "prompt" {
        return None;
    }
    Some(Happened::Prompt {
        id: text_of(&entry["uuid"]),
        text: plain(&attachment["prompt"]),
        from: From::Person,
        sender: None,
        checkpoint: None,
    })
}

fn content(entry: &Value) -> String {
    plain(&entry["message"]["content"])
}

/// Text, or the text blocks of a list, joined.
fn plain(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter(|block| block["type"] == "text");
            let texts: Vec<_> = texts.filter_map(|block| block["text"].as_str()).collect();
            texts.join("\n")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

fn odd(line: &str) -> Happened {
    let start: String = line.chars().take(ODD_CHARS).collect();
    let mut fields = Map::new();
    fields.insert("from".into(), json!("Claude Code's transcript"));
    fields.insert("line".into(), start.into());
    Happened::Unknown { fields }
}
