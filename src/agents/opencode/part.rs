//! The words of the CLI's messages: texts, tools, and what a whole message cost.

use std::path::PathBuf;

use serde_json::Value;

use crate::agents::exit_code::with_exit_code;
use crate::agents::unknown_line;
use crate::model::entry::{From, SubagentSaid, ToolStatus};
use crate::model::text::one_line;
use crate::model::{Happened, Reported, Timestamp, Trouble, TroubleKind};

/// What the CLI makes of a "no" at its dialog, and of a rule that says no.
const REFUSED: &[&str] = &["The user rejected permission", "The user has specified a rule"];

/// A tool that was broken off says so in what it prints, or as its error.
const BROKEN_OFF: &[&str] = &["User aborted the command", "Tool execution aborted"];

const ABORTED: &str = "MessageAbortedError";

pub(super) fn prompt(part: &Value, at: Option<Timestamp>) -> Reported {
    let what = Happened::Prompt {
        id: text_of(&part["messageID"]),
        text: text_of(&part["text"]),
        from: From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    };
    Reported { at, what }
}

/// A text or a thought that is whole; nothing for an empty one.
pub(super) fn words(part: &Value) -> Option<Reported> {
    if text_of(&part["text"]).trim().is_empty() {
        return None;
    }
    let at = time(&part["time"]["end"]);
    let what = said(part);
    Some(Reported { at, what })
}

/// What the model goes on with after a compaction.
pub(super) fn summary(part: &Value) -> Option<Reported> {
    let text = text_of(&part["text"]);
    let at = time(&part["time"]["end"]);
    (!text.trim().is_empty()).then(|| Reported {
        at,
        what: Happened::Summary {
            id: text_of(&part["id"]),
            text,
            before: None,
            after: None,
        },
    })
}

/// The same of a sub-agent, whose session it is of.
pub(super) fn words_of_child(session: &str, part: &Value, said: SubagentSaid) -> Option<Reported> {
    let text = text_of(&part["text"]);
    if text.trim().is_empty() {
        return None;
    }
    let what = Happened::SubagentText {
        id: text_of(&part["id"]),
        parent: session.into(),
        said,
        text,
    };
    let at = time(&part["time"]["end"]);
    Some(Reported { at, what })
}

fn said(part: &Value) -> Happened {
    let (id, text) = (text_of(&part["id"]), text_of(&part["text"]));
    match part["type"] == "reasoning" {
        true => Happened::Thinking { id, text },
        false => Happened::Text { id, text },
    }
}

/// As [`Happened::key`] of what the part will say.
pub(super) fn key_of_words(part: &Value) -> String {
    said(part).key().unwrap_or_default()
}

pub(super) fn tool_start(part: &Value, parent: Option<String>) -> Reported {
    let what = Happened::ToolStart {
        id: text_of(&part["id"]),
        name: text_of(&part["tool"]),
        input: part["state"]["input"].clone(),
        dir: None,
        parent,
    };
    let at = time(&part["state"]["time"]["start"]);
    Reported { at, what }
}

/// How a tool ended. One that still runs was broken off, with what it had printed until then.
pub(super) fn tool_end(part: &Value) -> Reported {
    let state = &part["state"];
    let says = |what: &str, any: &[&str]| any.iter().any(|words| what.contains(words));
    let (status, output) = match state["status"].as_str().unwrap_or_default() {
        "completed" => {
            let output = text_of(&state["output"]);
            let exit = state["metadata"]["exit"].as_i64();
            match says(&output, BROKEN_OFF) && state["metadata"]["exit"].is_null() {
                true => (ToolStatus::Interrupted, output),
                // For the CLI a command that fails has run well.
                false if exit.is_some_and(|code| code != 0) => (ToolStatus::Error, with_exit_code(exit, output)),
                // What it makes of a call that it cannot read, or of a tool that it does not have.
                false if part["tool"] == "invalid" => (ToolStatus::Error, output),
                false if part["tool"] == "read" => (ToolStatus::Ok, of_file(output)),
                false => (ToolStatus::Ok, output),
            }
        }
        "error" => {
            let error = text_of(&state["error"]);
            let status = match (says(&error, REFUSED), says(&error, BROKEN_OFF)) {
                (true, _) => ToolStatus::Denied,
                (false, true) => ToolStatus::Interrupted,
                (false, false) => ToolStatus::Error,
            };
            (status, error)
        }
        _ => (ToolStatus::Interrupted, text_of(&state["metadata"]["output"])),
    };
    let (start, end) = (state["time"]["start"].as_u64(), state["time"]["end"].as_u64());
    let ms = end.zip(start).map(|(end, start)| end.saturating_sub(start));
    let ended = Happened::tool_ended(text_of(&part["id"]), status, output, ms);
    let what = match state["metadata"]["truncated"] == true {
        true => ended.cut_by_cli(state["metadata"]["outputPath"].as_str().map(PathBuf::from)),
        false => ended,
    };
    let at = time(&state["time"]["end"]);
    Reported { at, what }
}

/// What stands in a file that was read, without the words around that for the model.
fn of_file(output: String) -> String {
    let told = output
        .strip_prefix("<path>")
        .and_then(|told| told.split_once("\n<content>\n"));
    let Some((content, _)) = told.and_then(|(_, told)| told.rsplit_once("\n</content>")) else {
        return output;
    };
    let end = content.rsplit_once("\n(End of file - total ");
    end.map_or(content, |(lines, _)| lines).trim_end().into()
}

/// What stands in a finished reply beside its parts: what it used, and how it went wrong. An error of a sub-agent ends no
/// turn of the chat: its call tells of it.
pub(super) fn epilogue(message: &Value, sub_agent: Option<String>, window: Option<u64>) -> Vec<Reported> {
    let at = time(&message["time"]["completed"]);
    let error = &message["error"];
    let failed = match error["name"].as_str() {
        _ if sub_agent.is_some() => None,
        None => None,
        Some(ABORTED) => Some(Happened::Interrupt {
            cause: "a person pressed Esc".into(),
        }),
        Some(name) => Some(Happened::Error {
            place: "OpenCode".into(),
            message: format!("{}: {}", in_words(name), message_of(error)),
            hint: "send another prompt to try again".into(),
            trouble: Some(trouble(error)),
        }),
    };
    let told = |what| Reported { at, what };
    let used = usage(message, sub_agent, window).into_iter();
    used.chain(failed).map(told).collect()
}

fn usage(message: &Value, sub_agent: Option<String>, window: Option<u64>) -> Option<Happened> {
    let tokens = &message["tokens"];
    let count = |value: &Value| value.as_u64().unwrap_or(0);
    let usage = [
        count(&tokens["input"]),
        count(&tokens["output"]) + count(&tokens["reasoning"]),
        count(&tokens["cache"]["read"]),
        count(&tokens["cache"]["write"]),
    ];
    let [input, output, cache_read, cache_write] = usage;
    usage.iter().any(|tokens| *tokens > 0).then(|| Happened::Usage {
        model: text_of(&message["modelID"]),
        input,
        output,
        cache_read,
        cache_write,
        // Models without a known price cost nothing here.
        cost: message["cost"].as_f64().filter(|cost| *cost > 0.0),
        parent: sub_agent,
        window,
    })
}

/// What its names of errors mean, and the provider's status where it gives that.
pub(super) fn trouble(error: &Value) -> Trouble {
    let status = error["data"]["statusCode"].as_u64();
    let kind = match (error["name"].as_str().unwrap_or_default(), status) {
        ("ProviderAuthError", _) | (_, Some(401 | 403)) => TroubleKind::Login,
        ("ProviderModelNotFoundError", _) => TroubleKind::Model,
        (_, Some(402)) => TroubleKind::Credit,
        (_, Some(429)) => TroubleKind::Limit,
        (_, Some(503 | 529)) => TroubleKind::Overloaded,
        _ => TroubleKind::by_words(&message_of(error)),
    };
    Trouble::of(kind)
}

/// The provider refused a request, which is made again.
pub(super) fn retry(status: &Value) -> Reported {
    let what = Happened::Retry {
        message: one_line(status["message"].as_str().unwrap_or("no answer"), 120),
        attempt: status["attempt"].as_u64().unwrap_or(1),
        attempts: None,
        until: time(&status["next"]),
    };
    Reported { at: None, what }
}

pub(super) fn is_abort(error: &Value) -> bool {
    error["name"] == ABORTED
}

pub(super) fn message_of(error: &Value) -> String {
    text_of(&error["data"]["message"])
}

/// `MessageOutputLengthError` as "message output length", `APIError` as "API error".
pub(super) fn in_words(name: &str) -> String {
    let mut words = String::new();
    for (place, c) in name.char_indices() {
        let begins = c.is_uppercase() && name[place + c.len_utf8()..].starts_with(|c: char| c.is_lowercase());
        if begins && place > 0 {
            words.push(' ');
        }
        match begins {
            true => words.extend(c.to_lowercase()),
            false => words.push(c),
        }
    }
    words
}

pub(super) fn odd(what: &str, text: &str) -> Reported {
    let what = unknown_line::unknown(&format!("OpenCode's {what}"), text);
    Reported { at: None, what }
}

pub(super) fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

pub(super) fn time(value: &Value) -> Option<Timestamp> {
    value.as_i64().map(Timestamp)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// How a tool with this state ended, and what is shown of it.
    fn ended(tool: &str, output: &str, exit: &Value) -> (ToolStatus, String) {
        let state = json!({"status": "completed", "output": output, "metadata": {"exit": exit}});
        match tool_end(&json!({"id": "p", "tool": tool, "state": state})).what {
            Happened::ToolEnd { status, preview, .. } => (status, preview),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_command_that_failed_says_its_exit_code() {
        let failed = ended("bash", "before\noops\n", &json!(3));
        assert_eq!(failed, (ToolStatus::Error, "Exit code 3\nbefore\noops\n".into()));
        assert_eq!(ended("bash", "well\n", &json!(0)), (ToolStatus::Ok, "well\n".into()));
    }

    #[test]
    fn a_file_that_was_read_is_shown_without_the_words_around_it() {
        let told = "<path>/p/hello.py</path>\n<type>file</type>\n<content>\n1: import sys\n2: \n3: print('helo')\n\n\
                    (End of file - total 3 lines)\n</content>";
        let shown = "1: import sys\n2: \n3: print('helo')";
        assert_eq!(ended("read", told, &Value::Null), (ToolStatus::Ok, shown.into()));
    }
}
