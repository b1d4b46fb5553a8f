//! Claude Code's own transcript, line by line.
//!
//! It tells what no hook does: words, thinking, usage, interrupts, prompts that were queued while the agent worked, API
//! errors. What hooks tell too has the same id here, so that it is told once.

use serde_json::{Map, Value, json};

use super::hooks;
use crate::agents::ReadTranscript;
use crate::model::entry::{From, ToolStatus};
use crate::model::{Happened, Timestamp, Told};

const INTERRUPTED: &str = "[Request interrupted by user";
/// As a tool's result: a person said no.
const REFUSED: &str = "The user doesn't want to";
/// The model of what the CLI wrote itself.
const MADE_HERE: &str = "<synthetic>";
/// Beginnings of `user` lines that no person typed.
const OWN_WORDS: &[&str] = &["<command-name>", "<local-command-"];
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

/// A line of the transcript of a sub-agent lies in a file of its own; here it would be taken for the agent's.
#[derive(Default)]
pub(super) struct Transcript {
    /// The reply whose usage was told: each of its blocks is a line that repeats it.
    counted: String,
}

impl ReadTranscript for Transcript {
    /// A line that is no JSON, or of a kind nobody knows, is kept as it is.
    fn line(&mut self, line: &str) -> Vec<Told> {
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
        self.happened(line, &entry).into_iter().map(told).collect()
    }
}

impl Transcript {
    fn happened(&mut self, line: &str, entry: &Value) -> Vec<Happened> {
        if entry["isSidechain"] == true {
            return Vec::new();
        }
        let kind = entry["type"].as_str().unwrap_or("");
        let of_kind = (kind, entry["attachment"]["type"].as_str(), entry["subtype"].as_str());
        match of_kind {
            ("user", ..) => user(entry),
            ("assistant", ..) if entry["isApiErrorMessage"] == true => vec![api_error(entry)],
            ("assistant", ..) => self.reply(entry),
            ("attachment", Some("queued_command"), _) => queued(entry).into_iter().collect(),
            ("system", _, Some("compact_boundary")) => vec![Happened::Compaction {
                trigger: text_of(&entry["compactMetadata"]["trigger"]),
            }],
            (noise, ..) if NOISE.contains(&noise) => Vec::new(),
            _ => vec![odd(line)],
        }
    }

    /// One block of a reply, and with the first one what the whole of it used.
    fn reply(&mut self, entry: &Value) -> Vec<Happened> {
        let message = &entry["message"];
        let id = text_of(&entry["uuid"]);
        let mut happened: Vec<Happened> = blocks(message).iter().filter_map(|block| said(block, &id)).collect();
        let reply = message["id"].as_str().unwrap_or_default();
        if reply != self.counted && message["model"] != MADE_HERE && message["usage"].is_object() {
            self.counted = reply.into();
            happened.push(usage(message));
        }
        happened
    }
}

fn said(block: &Value, id: &str) -> Option<Happened> {
    let words = |key: &str| text_of(&block[key]);
    match block["type"].as_str()? {
        "text" if !words("text").trim().is_empty() => Some(Happened::Text {
            id: id.into(),
            text: words("text"),
        }),
        "thinking" if !words("thinking").trim().is_empty() => Some(Happened::Thinking {
            id: id.into(),
            text: words("thinking"),
        }),
        "tool_use" => Some(Happened::ToolStart {
            id: words("id"),
            name: words("name"),
            input: block["input"].clone(),
            dir: None,
            parent: None,
        }),
        _ => None,
    }
}

fn usage(message: &Value) -> Happened {
    let count = |key: &str| message["usage"][key].as_u64().unwrap_or(0);
    Happened::Usage {
        model: text_of(&message["model"]),
        input: count("input_tokens"),
        output: count("output_tokens"),
        cache_read: count("cache_read_input_tokens"),
        cache_write: count("cache_creation_input_tokens"),
        cost: None,
    }
}

/// A prompt, what tools answered, or the note of an interrupt.
fn user(entry: &Value) -> Vec<Happened> {
    let results: Vec<Happened> = blocks(&entry["message"])
        .iter()
        .filter(|block| block["type"] == "tool_result")
        .map(|block| tool_ended(block, &entry["toolUseResult"]))
        .collect();
    match results.is_empty() {
        false => results,
        true => interrupt(entry).or_else(|| prompt(entry)).into_iter().collect(),
    }
}

fn tool_ended(block: &Value, answer: &Value) -> Happened {
    let said = plain(&block["content"]);
    let failed = block["is_error"] == true;
    let status = match failed {
        true if said.starts_with(REFUSED) => ToolStatus::Denied,
        true if said.starts_with(INTERRUPTED) => ToolStatus::Interrupted,
        true => ToolStatus::Error,
        false => ToolStatus::Ok,
    };
    let output = match answer {
        Value::Object(_) if !failed => hooks::output(answer),
        _ => said,
    };
    Happened::ToolEnd {
        id: text_of(&block["tool_use_id"]),
        status,
        bytes: output.len() as u64,
        lines: output.lines().count() as u64,
        preview: output,
        output: None,
        ms: answer["totalDurationMs"].as_u64().or(answer["durationMs"].as_u64()),
    }
}

/// What a person typed. Commands of the CLI, its own notes and summaries stand in the same kind of line.
fn prompt(entry: &Value) -> Option<Happened> {
    let text = content(entry);
    let own =
        entry["isMeta"] == true || entry["isCompactSummary"] == true || OWN_WORDS.iter().any(|w| text.starts_with(w));
    if own || text.trim().is_empty() {
        return None;
    }
    Some(Happened::Prompt {
        id: text_of(&entry["promptId"]),
        text,
        from: From::Person,
        sender: None,
        checkpoint: None,
    })
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

fn blocks(message: &Value) -> &[Value] {
    message["content"].as_array().map_or(&[], Vec::as_slice)
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
