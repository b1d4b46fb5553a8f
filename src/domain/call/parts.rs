//! All that a call does, in the order in which a person reads it.

use serde_json::Value;

use crate::permission::Sort;

use super::choice::choices;
use super::edit;
use super::file_edit::FileEdit;
use super::input::{command, inputs, sort, text};
use super::todo::{TodoItem, items};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallPart {
    /// What its agent says that it is for.
    Why(String),
    Command(String),
    File(String),
    Edit(FileEdit),
    /// What is handed on in sentences.
    Prose(String),
    Todo(TodoItem),
    /// Any other input, by its name.
    Input {
        name: String,
        value: String,
    },
}

/// What a call does. All of its input is in it, but for what is set to nothing.
pub fn parts(tool: &str, input: &Value) -> Vec<CallPart> {
    let mut told = ReadParts {
        parts: Vec::new(),
        used: Vec::new(),
    };
    match sort(tool, input) {
        Sort::Edit | Sort::Write => {
            told.why(input, &["instruction", "explanation", "description", "justification"]);
            let (edits, used) = edit::read(input);
            told.used.extend(used);
            told.parts.extend(edits.into_iter().map(CallPart::Edit));
        }
        Sort::Bash => {
            told.why(input, &["description", "justification"]);
            if let Some(line) = command(input) {
                told.parts.push(CallPart::Command(line));
                told.used.push(if input.get("command").is_some() {
                    "command"
                } else {
                    "cmd"
                });
            }
        }
        Sort::Read => {
            for name in ["file_path", "filePath", "absolute_path", "notebook_path", "path"] {
                if let Some(path) = text(input, &[name]) {
                    told.used.push(name);
                    told.parts.push(CallPart::File(path.into()));
                }
            }
        }
        Sort::Task => {
            told.why(input, &["description"]);
            for name in ["prompt", "message", "task", "objective"] {
                if let Some(words) = text(input, &[name]) {
                    told.used.push(name);
                    told.parts.push(CallPart::Prose(words.into()));
                }
            }
        }
        Sort::Search | Sort::Fetch | Sort::Mcp | Sort::Other => {
            if let Some(items) = items(input) {
                told.why(input, &["explanation"]);
                told.used
                    .push(if input.get("todos").is_some() { "todos" } else { "plan" });
                told.parts.extend(items.into_iter().map(CallPart::Todo));
            } else if let Some(choices) = choices(input) {
                told.used.push("questions");
                let asked = choices.iter().map(|choice| CallPart::Prose(choice.in_words()));
                told.parts.extend(asked);
            }
        }
    }
    if input.is_string() && !told.parts.is_empty() {
        return told.parts;
    }
    let rest = inputs(input).into_iter();
    let rest = rest.filter(|(name, value)| !told.used.contains(&name.as_str()) && !is_nothing(value));
    let rest: Vec<CallPart> = rest
        .map(|(name, value)| {
            let value = with_unit(&name, value);
            CallPart::Input { name, value }
        })
        .collect();
    told.parts.extend(rest);
    told.parts
}

/// CLIs give the time that a command may take in milliseconds.
fn with_unit(name: &str, value: String) -> String {
    let ms = value
        .parse::<u64>()
        .ok()
        .filter(|_| matches!(name, "timeout" | "timeout_ms"));
    match ms {
        Some(ms) if ms > 0 && ms.is_multiple_of(60_000) => format!("{} min", ms / 60_000),
        Some(ms) if ms > 0 && ms.is_multiple_of(1000) => format!("{} s", ms / 1000),
        Some(_) | None => value,
    }
}

fn is_nothing(value: &str) -> bool {
    matches!(value, "" | "false" | "null" | "[]" | "{}")
}

struct ReadParts<'n> {
    parts: Vec<CallPart>,
    used: Vec<&'n str>,
}

impl<'n> ReadParts<'n> {
    fn why(&mut self, input: &Value, names: &[&'n str]) {
        if let Some((name, words)) = names.iter().find_map(|name| Some((*name, text(input, &[name])?))) {
            self.used.push(name);
            self.parts.push(CallPart::Why(words.into()));
        }
    }
}
