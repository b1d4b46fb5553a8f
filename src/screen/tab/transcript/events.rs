//! What is told in a line or two: errors, retries, messages, moves, reverts.

use serde_json::Value;

use crate::model::built_in::title_of;
use crate::model::entry::Happened;
use crate::model::text::one_line;
use crate::model::usage::short;

use super::row::TextInk;

/// Characters of what could not be read.
const ODD: usize = 400;

pub struct EventWords {
    pub sign: &'static str,
    pub ink: TextInk,
    pub title: String,
    /// What stands below it, with the shade of each.
    pub lines: Vec<(String, TextInk)>,
}

pub fn is_error(what: &Happened) -> bool {
    matches!(what, Happened::Error { .. })
}

fn line(sign: &'static str, ink: TextInk, title: impl Into<String>) -> EventWords {
    EventWords {
        sign,
        ink,
        title: title.into(),
        lines: Vec::new(),
    }
}

/// None of what is shown in another way.
pub fn words(what: &Happened) -> Option<EventWords> {
    Some(match what {
        Happened::Error {
            place, message, hint, ..
        } => EventWords {
            lines: [(hint.clone(), TextInk::Text), (format!("in {place}"), TextInk::Dim)]
                .into_iter()
                .filter(|(words, _)| !words.is_empty() && words != "in ")
                .collect(),
            ..line("✗", TextInk::Failed, message)
        },
        Happened::Retry {
            message,
            attempt,
            attempts,
            ..
        } => {
            let of = attempts.map_or(String::new(), |all| format!(" of {all}"));
            line(
                "◔",
                TextInk::Waiting,
                format!("{message}; tries again, attempt {attempt}{of}"),
            )
        }
        Happened::Interrupt { cause } => line("■", TextInk::Waiting, interrupted(cause)),
        Happened::Compaction { trigger } => line("≋", TextInk::Accent, compaction(trigger)),
        // The text of it is folded.
        Happened::Summary { before, after, .. } => line("≋", TextInk::Accent, summary(*before, *after)),
        Happened::Background { running: 0 } => line("·", TextInk::Dim, "Nothing runs in the background any more"),
        Happened::Background { running } => {
            let commands = if *running == 1 {
                "1 command runs"
            } else {
                &format!("{running} commands run")
            };
            line("·", TextInk::Dim, format!("{commands} on in the background"))
        }
        Happened::Message {
            from,
            to,
            unverified,
            text,
            ..
        } => {
            let to = if to.is_empty() {
                String::new()
            } else {
                format!(" to {to}")
            };
            let unverified = if *unverified { " (says so of itself)" } else { "" };
            EventWords {
                lines: vec![(text.clone(), TextInk::Text)],
                ..line("✉", TextInk::Accent, format!("Message from {from}{unverified}{to}"))
            }
        }
        Happened::Cwd { cwd, dir } => line("→", TextInk::Dim, format!("Works in {}", dir.as_ref().unwrap_or(cwd))),
        Happened::Note { text } => line("·", TextInk::Dim, text),
        Happened::Revert { to, saved, undo, .. } => match undo {
            true => line(
                "↶",
                TextInk::Accent,
                format!("Undid the revert: back at checkpoint {to}"),
            ),
            false => {
                let words = format!("Went back to checkpoint {to}; what was there is checkpoint {saved}");
                line("↶", TextInk::Accent, words)
            }
        },
        Happened::Session {
            agent, model, version, ..
        } => {
            let version = version.as_ref().map_or(String::new(), |version| format!(" {version}"));
            let model = model.as_ref().map_or(String::new(), |model| format!(" · {model}"));
            let title = title_of(agent);
            line("▸", TextInk::Dim, format!("{title}{version} starts{model}"))
        }
        Happened::Unknown { .. }
        | Happened::Prompt { .. }
        | Happened::Text { .. }
        | Happened::Thinking { .. }
        | Happened::ToolStart { .. }
        | Happened::ToolEnd { .. }
        | Happened::Permission { .. }
        | Happened::Usage { .. }
        | Happened::Status { .. }
        | Happened::Subagent { .. }
        | Happened::SubagentText { .. } => return None,
    })
}

/// What stands of an entry of a kind that nobody knows, in a line.
pub fn unknown(what: &Happened) -> Option<String> {
    let Happened::Unknown { fields } = what else {
        return None;
    };
    let json = || serde_json::to_string(fields).unwrap_or_default();
    // Of what a CLI wrote that line alone, or parlour's own words, where it could not read it.
    let text = |name: &str| fields.get(name).and_then(Value::as_str).map(String::from);
    let words = match fields.len() {
        1 => text("why"),
        _ => text("line").filter(|_| fields.contains_key("from")),
    };
    Some(one_line(&words.unwrap_or_else(json), ODD))
}

pub fn unknown_title(count: usize) -> String {
    match count {
        1 => "1 entry that this parlour does not know".into(),
        many => format!("{many} entries that this parlour does not know"),
    }
}

fn summary(before: Option<u64>, after: Option<u64>) -> String {
    let size = match (before, after) {
        (Some(before), Some(after)) => format!(" · {} → {} tokens", short(before), short(after)),
        (Some(before), None) => format!(" · {} tokens before", short(before)),
        (None, Some(after)) => format!(" · {} tokens now", short(after)),
        (None, None) => String::new(),
    };
    format!("The summary that it goes on with{size}")
}

fn compaction(trigger: &str) -> String {
    match trigger {
        "auto" => "The conversation was compacted: its context was full".into(),
        "manual" => "The conversation was compacted, as it was told to".into(),
        "" => "The conversation was compacted".into(),
        other => format!("The conversation was compacted ({other})"),
    }
}

/// Who broke the turn off, or by what.
fn interrupted(cause: &str) -> String {
    match cause.starts_with("by ") {
        true => format!("Interrupted {cause}"),
        false => format!("Interrupted: {cause}"),
    }
}
