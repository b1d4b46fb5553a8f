//! Gemini CLI's own transcript, line by line.
//!
//! A line is a message, or a change of what stands before it. A message is written again when its tools have ended, so
//! the newest line of an id counts; what was told of it once is not told again. After a refusal and after a compression
//! the CLI writes the whole conversation again, with new ids: that tells nothing.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::message::{CONTEXT, HOOK_CONTEXT, plain, text_of};
use super::nudge;
use super::rewinds::Rewinds;
use crate::agents::exit_code::with_exit_code;
use crate::agents::{ReadTranscript, unknown_line};
use crate::model::entry::{From, ToolStatus};
use crate::model::talk::OwnRewind;
use crate::model::{Happened, Reported, Timestamp, Trouble};

const CANCELLED: &str = "Request cancelled.";
const SHELL: &str = "run_shell_command";
/// As a tool's result: a person said no.
const REFUSED: &str = "User denied execution";
/// How what the CLI puts before a sub-agent's task ends.
const LOADED_CONTEXT: &str = "</loaded_context>";
/// What stands around a tool's answer for the model.
const WRAPPING: [&str; 2] = ["<untrusted_context>\n", "\n</untrusted_context>"];
/// What its model is told of a command ahead of what that printed, and behind it.
const PRINTED: &str = "Output: ";
const EXIT_CODE: &str = "Exit Code: ";
const GROUP: &str = "Process Group PGID: ";
/// What an API error says, and what helps.
const HINTS: &[(&str, &str)] = &[
    ("API key", "type /auth in its terminal"),
    ("UNAUTHENTICATED", "type /auth in its terminal"),
    ("PERMISSION_DENIED", "type /auth in its terminal"),
    (
        "RESOURCE_EXHAUSTED",
        "send the prompt again later, or choose another model with /model in its terminal",
    ),
    ("NOT_FOUND", "choose another model with /model in its terminal"),
    ("UNAVAILABLE", "send the prompt again later"),
    ("INTERNAL", "send the prompt again later"),
];
/// What the CLI has its model answer to the summary that takes the place of a conversation.
const SUMMED_UP: &str = "Got it. Thanks for the additional context!";
/// How an output begins that the CLI cut, and what stands before the path of the whole.
const TOO_LARGE: &str = "Output too large.";
const SEE: &str = "For full output see: ";

#[derive(Default)]
pub(super) struct GeminiTranscript {
    /// The newest reply of which the words and the usage were told.
    told: String,
    /// The conversation is being written again.
    repeats: bool,
    /// A resumed session is written on from here.
    taken_up: bool,
    /// It is a sub-agent's.
    of_sub_agent: bool,
    /// What the conversation that was written again begins with, by id, until a line says that it was compressed.
    summary: Option<(String, String)>,
    rewinds: Rewinds,
    /// The newest reply is empty.
    is_silent: bool,
    /// Of the newest reply that says which: an empty one does not.
    model: String,
}

impl ReadTranscript for GeminiTranscript {
    /// A line that is no JSON, or of a kind nobody knows, is kept as it is.
    fn line(&mut self, line: &str) -> Vec<Reported> {
        if line.trim().is_empty() {
            return Vec::new();
        }
        let Ok(Value::Object(entry)) = serde_json::from_str(line) else {
            let (at, what) = (None, odd(line));
            return vec![Reported { at, what }];
        };
        let entry = Value::Object(entry);
        // A reply keeps the date of its first words when it is written again with its tools.
        let dated = &list(&entry["toolCalls"]).last().unwrap_or(&entry)["timestamp"];
        let at = dated.as_str().and_then(|at| Timestamp::try_from(at.to_string()).ok());
        let told = |what| Reported { at, what };
        self.happened(line, &entry).into_iter().map(told).collect()
    }

    fn take_resumed(&mut self) -> bool {
        std::mem::take(&mut self.taken_up)
    }

    fn take_silence(&mut self) -> bool {
        std::mem::take(&mut self.is_silent)
    }

    fn take_rewinds(&mut self, _transcript: &Path) -> Vec<OwnRewind> {
        self.rewinds.take()
    }

    /// The file holds what the model was to be told.
    fn kept_output(&self, text: String) -> String {
        let text = unwrapped(&text);
        match text.starts_with(PRINTED) {
            true => printed(text, code_in(text)),
            false => text.into(),
        }
    }
}

impl GeminiTranscript {
    pub(super) fn of_sub_agent() -> GeminiTranscript {
        GeminiTranscript {
            of_sub_agent: true,
            ..GeminiTranscript::default()
        }
    }

    fn happened(&mut self, line: &str, entry: &Value) -> Vec<Happened> {
        if let Some(change) = entry["$set"].as_object() {
            // It stands behind every message; any other change ends what was written again.
            self.repeats &= change.keys().all(|key| key == "lastUpdated");
            // Written once at each resume, when the conversation that was read back is the one that goes on.
            self.taken_up |= change.contains_key("sessionId");
            if let Some(messages) = change.get("messages") {
                self.summary = summary(list(messages));
                self.rewinds.replaces(list(messages));
            }
            // Who read it knows of which.
            let ends = self.of_sub_agent && change.contains_key("summary");
            let ended = || Happened::Subagent {
                id: String::new(),
                name: String::new(),
                state: "ended".into(),
            };
            return ends.then(ended).into_iter().collect();
        }
        if let Some(to) = entry["$rewindTo"].as_str() {
            self.rewinds.goes_back(to);
            return Vec::new();
        }
        match entry["type"].as_str() {
            Some("user") => self.user(entry).into_iter().collect(),
            Some("gemini") => self.reply(entry),
            Some("info") => self.info(entry),
            Some("error") => vec![error(entry)],
            Some("warning") => Vec::new(),
            None if entry["sessionId"].is_string() => Vec::new(),
            Some(_) | None => vec![odd(line)],
        }
    }

    /// What a person typed. The CLI's context, and what tools answered, stand in the same kind of line.
    fn user(&mut self, entry: &Value) -> Option<Happened> {
        let answers = list(&entry["content"])
            .iter()
            .any(|part| part["functionResponse"].is_object());
        let shown = plain(&entry["displayContent"]);
        let text = match shown.is_empty() {
            true => plain(&entry["content"]),
            false => shown,
        };
        self.repeats |= text.starts_with(CONTEXT);
        self.is_silent = false;
        self.rewinds.says(entry);
        if self.repeats || answers || text.trim().is_empty() || text.starts_with(HOOK_CONTEXT) {
            return None;
        }
        if nudge::is_one(&text) {
            return Some(nudge::told());
        }
        // What all of them are told stands ahead of what this one is to do.
        let own = text.split_once(LOADED_CONTEXT).filter(|_| self.of_sub_agent);
        let text = own.map_or(text.as_str(), |(_, own)| own.trim_start()).into();
        let id = text_of(&entry["id"]);
        self.rewinds.goes_on(&id);
        Some(Happened::Prompt {
            id,
            text,
            from: From::Person,
            sender: None,
            checkpoint: None,
            key: String::new(),
            steer: false,
        })
    }

    /// The CLI speaks to the person in lines of this kind. One without words is what it leaves of a compression.
    fn info(&mut self, entry: &Value) -> Vec<Happened> {
        match entry["content"].as_str() {
            Some(CANCELLED) => vec![Happened::Interrupt {
                cause: "a person pressed Esc".into(),
            }],
            Some("") => {
                let compacted = Happened::Compaction { trigger: String::new() };
                let summary = self.summary.take().map(|(id, text)| Happened::Summary {
                    id,
                    text,
                    before: None,
                    after: None,
                });
                [compacted].into_iter().chain(summary).collect()
            }
            Some(_) | None => Vec::new(),
        }
    }

    /// Thinking, words and usage once; tools as soon as they are there, and their ends.
    fn reply(&mut self, entry: &Value) -> Vec<Happened> {
        let mut happened = Vec::new();
        if let Some(model) = entry["model"].as_str() {
            self.model = model.into();
        }
        // As it is written first, the text of a reply is text; written again, it is a list of parts.
        if self.repeats || entry["content"].is_array() {
            self.is_silent =
                !self.repeats && list(&entry["content"]).is_empty() && list(&entry["toolCalls"]).is_empty();
            let id = text_of(&entry["id"]);
            // It said nothing, and cost what any other does.
            if self.is_silent && id != self.told && entry["tokens"].is_object() {
                happened.push(usage(entry, &self.model));
                self.told = id;
            }
            return happened;
        }
        self.is_silent = false;
        let id = text_of(&entry["id"]);
        if id != self.told {
            let thoughts: Vec<String> = list(&entry["thoughts"]).iter().map(thought).collect();
            happened.extend(said(&thoughts.join("\n\n"), |text| Happened::Thinking {
                id: id.clone(),
                text,
            }));
            happened.extend(said(&plain(&entry["content"]), |text| Happened::Text {
                id: id.clone(),
                text,
            }));
        }
        // It is not there yet where a reply was broken off.
        if id != self.told && entry["tokens"].is_object() {
            happened.push(usage(entry, &self.model));
            self.told = id;
        }
        for call in list(&entry["toolCalls"]) {
            happened.push(Happened::ToolStart {
                id: text_of(&call["id"]),
                name: text_of(&call["name"]),
                input: call["args"].clone(),
                dir: None,
                parent: None,
            });
            happened.extend(tool_ended(call));
        }
        happened
    }
}

fn thought(thought: &Value) -> String {
    let words = ["subject", "description"].map(|key| text_of(&thought[key]));
    let words: Vec<String> = words.into_iter().filter(|words| !words.is_empty()).collect();
    words.join(": ")
}

fn said(text: &str, what: impl FnOnce(String) -> Happened) -> Option<Happened> {
    (!text.trim().is_empty()).then(|| what(text.into()))
}

fn usage(entry: &Value, model: &str) -> Happened {
    let count = |key: &str| entry["tokens"][key].as_u64().unwrap_or(0);
    Happened::Usage {
        model: model.into(),
        // Its `input` counts the cached ones too, and not what tools of the vendor's gave the model.
        input: (count("input") + count("tool")).saturating_sub(count("cached")),
        output: count("output") + count("thoughts"),
        cache_read: count("cached"),
        cache_write: 0,
        cost: None,
        parent: None,
        window: None,
    }
}

fn tool_ended(call: &Value) -> Option<Happened> {
    let answer = &list(&call["result"]).first()?["functionResponse"]["response"];
    let failure = answer["error"].as_str().unwrap_or_default();
    let status = match call["status"].as_str()? {
        // For the CLI a command that fails has run well.
        "success" if call["name"] == SHELL && exits_badly(answer) => ToolStatus::Error,
        "success" => ToolStatus::Ok,
        "error" => ToolStatus::Error,
        "cancelled" if failure.contains(REFUSED) => ToolStatus::Denied,
        "cancelled" => ToolStatus::Interrupted,
        _ => return None,
    };
    let output = output(call, answer);
    let whole = output.strip_prefix(TOO_LARGE).and_then(|rest| rest.split_once(SEE));
    let whole = whole.and_then(|(_, path)| Some(PathBuf::from(path.lines().next()?.trim())));
    let ended = Happened::tool_ended(text_of(&call["id"]), status, output, None);
    Some(match whole {
        Some(whole) => ended.cut_by_cli(Some(whole)),
        None => ended,
    })
}

/// Its model is told how a command ended, unless that was well.
fn exits_badly(answer: &Value) -> bool {
    exit_code(answer).is_some_and(|code| code != 0)
}

fn exit_code(answer: &Value) -> Option<i64> {
    code_in(answer["output"].as_str().unwrap_or_default())
}

fn code_in(told: &str) -> Option<i64> {
    let code = told.lines().rev().find_map(|line| line.strip_prefix(EXIT_CODE))?;
    // What it cannot read is no zero.
    Some(code.trim().parse().unwrap_or(-1))
}

/// What a command printed, without the words that its model is told around that.
fn printed(told: &str, code: Option<i64>) -> String {
    let mut text = told.strip_prefix(PRINTED).unwrap_or(told);
    let is_about = |line: &str| line.starts_with(GROUP) || line.starts_with(EXIT_CODE);
    while let Some((rest, _)) = text.rsplit_once('\n').filter(|(_, last)| is_about(last)) {
        text = rest;
    }
    with_exit_code(code, text.into())
}

/// Without what stands around it for the model.
fn unwrapped(text: &str) -> &str {
    let text = text.strip_prefix(WRAPPING[0]).unwrap_or(text);
    text.strip_suffix(WRAPPING[1]).unwrap_or(text)
}

/// A tool's answer as a person would read it: what changed in a file, what was shown, else what the model was told.
fn output(call: &Value, answer: &Value) -> String {
    let display = &call["resultDisplay"];
    let shown = display["fileDiff"].as_str().or(display.as_str());
    let told = ["output", "error"].iter().find_map(|key| answer[*key].as_str());
    match shown.or(told) {
        Some(text) => {
            let text = unwrapped(text);
            match call["name"] == SHELL {
                true => printed(text, exit_code(answer)),
                false => text.into(),
            }
        }
        None if answer.is_null() => String::new(),
        None => answer.to_string(),
    }
}

/// What the model goes on with, if a conversation begins with that.
fn summary(messages: &[Value]) -> Option<(String, String)> {
    let answer = messages
        .iter()
        .position(|message| message["type"] == "gemini" && plain(&message["content"]) == SUMMED_UP)?;
    let given = messages[..answer].last().filter(|message| message["type"] == "user")?;
    Some((text_of(&given["id"]), plain(&given["content"])))
}

fn error(entry: &Value) -> Happened {
    let message = plain(&entry["content"]);
    // Whatever else it complains about, an unknown command for one, ends no turn.
    if !message.contains("API Error") {
        return Happened::Note { text: message };
    }
    let hint = HINTS.iter().find(|(mark, _)| message.contains(mark));
    Happened::Error {
        place: "Gemini CLI".into(),
        hint: hint.map_or("", |(_, hint)| hint).into(),
        trouble: Some(Trouble::by_words(&message)),
        message,
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn odd(line: &str) -> Happened {
    unknown_line::unknown("Gemini CLI's transcript", line)
}
