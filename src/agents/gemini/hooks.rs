//! Gemini CLI's hooks: payload to events, and answers in its words.
//!
//! No payload has an id, so the events here have none: they say what happens now. After an interrupt the CLI may call
//! nothing at all; its title and its transcript tell of that.

use serde_json::{Value, json};

use super::nudge;
use crate::agents::hook_words::{self, text};
use crate::agents::{HookAnswer, choice};
use crate::model::{HookCall, HookEvent};

/// Known, and of no use to us: around each call of the model.
const IGNORED: &[&str] = &["AfterModel", "BeforeModel", "BeforeToolSelection", "PreCompress"];

/// The tool by which it asks its person to choose.
const ASKS_PERSON: &str = "ask_user";

/// What a call means. A payload that lacks what its event needs is kept as odd, never guessed.
pub(super) fn events(call: &HookCall) -> Vec<HookEvent> {
    let event = read(&call.event, &call.payload).unwrap_or_else(|missing| HookEvent::Odd {
        why: format!("{} came without `{missing}`", call.event),
    });
    // The dialog's own notice does not say what it asks.
    if let HookEvent::ToolStarted { name, input, .. } = &event
        && name == ASKS_PERSON
    {
        let text = choice::asked(input);
        return vec![event, HookEvent::Waiting { text }];
    }
    vec![event]
}

fn read(event: &str, payload: &Value) -> Result<HookEvent, &'static str> {
    if text(payload, "hook_event_name")? != event {
        return Err("its own name in hook_event_name");
    }
    Ok(match event {
        "SessionStart" => HookEvent::SessionStarted {
            session: text(payload, "session_id")?,
            // It says so before it has read its session back, and loses what is typed meanwhile.
            source: match text(payload, "source")?.as_str() {
                "resume" => "resuming".into(),
                source => source.into(),
            },
            model: None,
            cwd: text(payload, "cwd")?,
        },
        "SessionEnd" => HookEvent::SessionEnded {
            reason: text(payload, "reason")?,
        },
        "BeforeAgent" if nudge::is_one(&text(payload, "prompt")?) => HookEvent::WorksOn { tool: String::new() },
        "BeforeAgent" => HookEvent::Prompt {
            id: String::new(),
            text: text(payload, "prompt")?,
        },
        // Its `prompt_response` is garbled.
        "AfterAgent" => HookEvent::TurnEnded { background: 0 },
        "BeforeTool" => HookEvent::ToolStarted {
            id: String::new(),
            name: text(payload, "tool_name")?,
            input: payload["tool_input"].clone(),
            parent: None,
            cwd: None,
        },
        "AfterTool" => HookEvent::ToolEnded {
            id: String::new(),
            name: text(payload, "tool_name")?,
            output: String::new(),
            failed: !payload["tool_response"]["error"].is_null(),
            interrupted: false,
            ms: None,
            cwd: None,
        },
        "Notification" => notified(payload)?,
        known if IGNORED.contains(&known) => HookEvent::Ignored,
        unknown => HookEvent::Odd {
            why: format!("no hook named {unknown} is known"),
        },
    })
}

/// A dialog is open. It does not name the tool, which has begun just before.
fn notified(payload: &Value) -> Result<HookEvent, &'static str> {
    if text(payload, "notification_type")? != "ToolPermission" {
        return Ok(HookEvent::Ignored);
    }
    let details = &payload["details"];
    let input = match details["type"].as_str() {
        // A yes would answer for the person, with nothing.
        Some(ASKS_PERSON) => return Ok(HookEvent::Ignored),
        Some("exit_plan_mode") => {
            return Ok(HookEvent::Waiting {
                text: "it shows its plan".into(),
            });
        }
        Some("exec") => json!({"command": details["command"]}),
        Some("edit") => json!({"file_path": details["filePath"], "diff": diff(&details["fileDiff"])}),
        Some(_) | None => details.clone(),
    };
    Ok(HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: String::new(),
        input,
    })
}

/// Behind the names of the files it says which is which, which their signs say too.
fn diff(told: &Value) -> Value {
    let name = |line: &str| match line.starts_with("--- ") || line.starts_with("+++ ") {
        true => line.split('\t').next().unwrap_or(line).to_string(),
        false => line.to_string(),
    };
    match told.as_str() {
        Some(diff) => diff.split('\n').map(name).collect::<Vec<_>>().join("\n").into(),
        None => told.clone(),
    }
}

/// The engine's answer. What an event cannot be answered with is no opinion: the CLI's own rules go on to hold. There is
/// no word for "allowed" that would skip its question.
pub(super) fn answer(event: &str, answer: &HookAnswer) -> Value {
    match (event, answer) {
        ("BeforeTool" | "BeforeAgent", HookAnswer::Deny(why)) => json!({"decision": "deny", "reason": why}),
        ("BeforeTool", HookAnswer::Ask(why)) => json!({"decision": "ask", "systemMessage": why}),
        ("BeforeAgent" | "SessionStart" | "AfterTool", HookAnswer::Context(text)) => hook_words::context(event, text),
        (
            _,
            HookAnswer::NoOpinion
            | HookAnswer::Allow
            | HookAnswer::Deny(_)
            | HookAnswer::Ask(_)
            | HookAnswer::Context(_),
        ) => json!({}),
    }
}

/// A hook that fails or is late changes nothing for the CLI: what its rules allow would run unasked.
pub(super) fn silent_answer(event: &str) -> Value {
    let why = "parlour did not answer in time, so you are asked";
    answer(event, &HookAnswer::Ask(why.into()))
}
