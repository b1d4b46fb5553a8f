//! Claude Code's hooks: payload to events, and answers in its words.
//!
//! The demo agent calls in the same words, so its adapter reads them here too.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::files::QUESTION_TIMEOUT;
use super::pasted;
use super::raw::{self, Object, Raw};
use super::screen::ASKS;
use super::trouble::trouble;
use crate::agents::{HookAnswer, choice, hook_words};
use crate::model::entry::ChangedLines;
use crate::model::{HookCall, HookEvent};

/// Known, and of no use to us: what they tell is told by others or drawn by the CLI itself.
const IGNORED: &[&str] = &[
    "ConfigChange",
    "Elicitation",
    "ElicitationResult",
    "FileChanged",
    "InstructionsLoaded",
    "MessageDisplay",
    "PermissionDenied",
    "PostCompact",
    "PostToolBatch",
    // Told before it is known whether there is enough to sum up. The transcript has what was.
    "PreCompact",
    "Setup",
    "TaskCompleted",
    "TaskCreated",
    "TeammateIdle",
    "UserPromptExpansion",
    "WorktreeCreate",
    "WorktreeRemove",
];

/// Tasks in the background that work on as the agent does: what they come to begins a turn. A shell, say, may never end.
const WORKS_ON: &[&str] = &["subagent", "workflow"];

/// Tasks that nobody waits for and nothing tells the end of: the CLI tidies up its memory.
const PASSES: &[&str] = &["dream"];

/// What its dialog about a plan is for.
const PLAN: &str = "it shows a plan, and asks how to go on";

/// How a notice of the CLI to its model begins.
pub(super) const NOTIFICATION: &str = "<task-notification>";

/// What a call means. A payload that lacks what its event needs is kept as odd, never guessed.
pub fn events(call: &HookCall) -> Vec<HookEvent> {
    let payload = ClaudePayload(&call.payload);
    let event = read(&call.event, &payload).unwrap_or_else(|missing| HookEvent::Odd {
        why: format!("{} came without `{missing}`", call.event),
    });
    let ends = matches!(event, HookEvent::TurnEnded { .. });
    let running = payload.tasks(|kind| !WORKS_ON.contains(&kind) && !PASSES.contains(&kind));
    let beside = ends.then_some(HookEvent::Background { running });
    beside.into_iter().chain([event]).collect()
}

fn read(event: &str, payload: &ClaudePayload) -> Result<HookEvent, &'static str> {
    if payload.text("hook_event_name")? != event {
        return Err("its own name in hook_event_name");
    }
    Ok(match event {
        "SessionStart" => HookEvent::SessionStarted {
            session: payload.text("session_id")?,
            source: payload.text("source")?,
            model: payload.text("model").ok(),
            cwd: payload.text("cwd")?,
        },
        "SessionEnd" => HookEvent::SessionEnded {
            reason: payload.text("reason")?,
        },
        // What the CLI tells its model of work in the background begins a turn, and nobody typed it.
        "UserPromptSubmit" if payload.text("prompt")?.starts_with(NOTIFICATION) => {
            HookEvent::WorksOn { tool: String::new() }
        }
        "UserPromptSubmit" => HookEvent::Prompt {
            id: payload.text("prompt_id")?,
            text: pasted::bare(payload.text("prompt")?),
        },
        "PreToolUse" => HookEvent::ToolStarted {
            id: payload.text("tool_use_id")?,
            name: payload.text("tool_name")?,
            input: payload.value("tool_input"),
            parent: payload.text("agent_id").ok(),
            cwd: payload.text("cwd").ok().map(PathBuf::from),
        },
        "PostToolUse" => tool_ended(payload, payload.output("tool_response"), false)?,
        "PostToolUseFailure" => tool_ended(payload, payload.text("error")?, true)?,
        // A yes would answer for the person, with nothing.
        "PermissionRequest" if payload.text("tool_name")? == "AskUserQuestion" => HookEvent::Waiting {
            text: choice::asked(&payload.value("tool_input")),
        },
        // A yes would also have it edit unasked from then on, which its dialog offers as one of several answers.
        "PermissionRequest" if payload.text("tool_name")? == "ExitPlanMode" => HookEvent::Waiting { text: PLAN.into() },
        "PermissionRequest" => HookEvent::PermissionAsked {
            reach: Vec::new(),
            tool: payload.text("tool_name")?,
            input: payload.value("tool_input"),
        },
        "Notification" => notified(payload)?,
        "Stop" => HookEvent::TurnEnded {
            background: payload.tasks(|kind| WORKS_ON.contains(&kind)),
        },
        "StopFailure" => {
            let error = payload.text("error")?;
            let message = payload.text("last_assistant_message").unwrap_or_default();
            HookEvent::TurnFailed {
                trouble: trouble(&error, &message),
                error,
                message,
            }
        }
        "SubagentStart" => HookEvent::SubagentStarted {
            id: payload.text("agent_id")?,
            name: payload.text("agent_type")?,
        },
        // The CLI's own compaction is an agent without a type: nobody's sub-agent.
        "SubagentStop" if payload.text("agent_type")?.is_empty() => HookEvent::Ignored,
        "SubagentStop" => HookEvent::SubagentEnded {
            id: payload.text("agent_id")?,
            name: payload.text("agent_type")?,
        },
        // Its `new_cwd` is where the command went, and the shell may have been put back since.
        "CwdChanged" => HookEvent::CwdChanged {
            cwd: payload.text("cwd")?.into(),
        },
        known if IGNORED.contains(&known) => HookEvent::Ignored,
        unknown => HookEvent::Odd {
            why: format!("no hook named {unknown} is known"),
        },
    })
}

fn tool_ended(payload: &ClaudePayload, output: String, failed: bool) -> Result<HookEvent, &'static str> {
    Ok(HookEvent::ToolEnded {
        id: payload.text("tool_use_id")?,
        name: payload.text("tool_name")?,
        output,
        failed,
        interrupted: payload.0["is_interrupt"] == true || payload.0["tool_response"]["interrupted"] == true,
        ms: payload.0["duration_ms"].as_u64(),
        // A sub-agent goes its own ways.
        cwd: match payload.text("agent_id") {
            Ok(_) => None,
            Err(_) => payload.text("cwd").ok().map(PathBuf::from),
        },
    })
}

/// "Waiting for your input" a minute after a turn is idleness, not a question.
fn notified(payload: &ClaudePayload) -> Result<HookEvent, &'static str> {
    let kind = payload.text("notification_type").unwrap_or_default();
    match kind.as_str() {
        "permission_prompt" => Ok(HookEvent::Waiting { text: ASKS.into() }),
        "elicitation_dialog" => Ok(HookEvent::Waiting {
            text: payload.text("message")?,
        }),
        _ => Ok(HookEvent::Ignored),
    }
}

/// What of a tool's answer is printed, read or changed, unread.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
pub(super) struct Answered<'a> {
    stdout: Raw<'a>,
    stderr: Raw<'a>,
    file: Raw<'a>,
    content: Raw<'a>,
    structured_patch: Raw<'a>,
    total_duration_ms: Raw<'a>,
    duration_ms: Raw<'a>,
    persisted_output_path: Raw<'a>,
    answers: Raw<'a>,
    is_async: Raw<'a>,
    description: Raw<'a>,
    #[serde(rename = "type")]
    kind: Raw<'a>,
}

impl Answered<'_> {
    pub fn ms(&self) -> Option<u64> {
        raw::count(self.total_duration_ms).or(raw::count(self.duration_ms))
    }

    /// What differs in the file that was edited, or written over. A new one differs from nothing.
    pub fn changed(&self) -> Option<ChangedLines> {
        let hunks: Vec<Object<OutputPart>> = raw::list(self.structured_patch)?;
        if hunks.is_empty() && raw::text(self.kind).as_deref() != Some("update") {
            return None;
        }
        let lines = hunks.iter().filter_map(|hunk| raw::list::<&RawValue>(hunk.0.lines));
        let mut changed = ChangedLines::default();
        for line in lines.flatten().filter_map(|line| raw::text(Some(line))) {
            changed.added += usize::from(line.starts_with('+'));
            changed.removed += usize::from(line.starts_with('-'));
        }
        Some(changed)
    }

    /// Where the CLI keeps the whole of an output that it cut.
    pub fn whole(&self) -> Option<PathBuf> {
        raw::text(self.persisted_output_path).map(PathBuf::from)
    }
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct OutputPart<'a> {
    content: Raw<'a>,
    text: Raw<'a>,
    lines: Raw<'a>,
}

/// A tool's answer as a person would read it: what was printed, read or changed; else the answer itself.
pub(super) fn output(answer: &RawValue, said: &Answered) -> String {
    if let Some(text) = raw::text(Some(answer)) {
        return text;
    }
    if raw::is_true(said.is_async) {
        let task = raw::text(said.description).unwrap_or_default();
        return format!("goes on in the background: {task}");
    }
    if let (Some(stdout), Some(stderr)) = (raw::text(said.stdout), raw::text(said.stderr)) {
        return match (stdout.is_empty(), stderr.is_empty()) {
            (_, true) => stdout,
            (true, false) => stderr,
            (false, false) => format!("{stdout}\n{stderr}"),
        };
    }
    if let Some(text) = raw::text(raw::object::<OutputPart>(said.file).content) {
        return text;
    }
    if let Some(blocks) = raw::list::<Object<OutputPart>>(said.content) {
        let texts: Vec<_> = blocks.iter().filter_map(|block| raw::text(block.0.text)).collect();
        return texts.join("\n");
    }
    if let Some(answers) = answers(said.answers) {
        return answers;
    }
    let hunks: Vec<Object<OutputPart>> = raw::list(said.structured_patch).unwrap_or_default();
    if hunks.is_empty() {
        return raw::text(said.content).unwrap_or_else(|| raw::tree(Some(answer)).to_string());
    }
    let lines = hunks.iter().filter_map(|hunk| raw::list::<&RawValue>(hunk.0.lines));
    let lines: Vec<_> = lines.flatten().filter_map(|line| raw::text(Some(line))).collect();
    lines.join("\n")
}

/// What a person answered to the CLI's own questions, a line each.
fn answers(told: Raw) -> Option<String> {
    let told: Map<String, Value> = serde_json::from_str(told?.get()).ok()?;
    let line = |(question, answer): (&String, &Value)| Some(format!("{question} → {}", answer.as_str()?));
    let lines: Option<Vec<String>> = told.iter().map(line).collect();
    lines.filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n"))
}

/// A payload that is not believed to have any shape.
struct ClaudePayload<'a>(&'a Value);

impl ClaudePayload<'_> {
    fn text(&self, key: &'static str) -> Result<String, &'static str> {
        hook_words::text(self.0, key)
    }

    fn value(&self, key: &str) -> Value {
        self.0[key].clone()
    }

    /// As [`output`] of what a transcript holds.
    fn output(&self, key: &str) -> String {
        let answer = serde_json::value::to_raw_value(&self.0[key]);
        answer.map_or_else(|_| String::new(), |answer| output(&answer, &raw::object(Some(&answer))))
    }

    /// How many tasks of these kinds go on in the background.
    fn tasks(&self, is_one: impl Fn(&str) -> bool) -> u32 {
        let tasks = self.0["background_tasks"].as_array().map_or(&[][..], Vec::as_slice);
        let kinds = tasks.iter().map(|task| task["type"].as_str().unwrap_or_default());
        u32::try_from(kinds.filter(|kind| is_one(kind)).count()).unwrap_or(u32::MAX)
    }
}

/// The engine's answer. What an event cannot be answered with is no opinion: the CLI's own rules go on to hold.
pub fn answer(event: &str, answer: &HookAnswer) -> Value {
    match (event, answer) {
        ("PreToolUse", HookAnswer::Allow) => hook_words::before_tool(event, "allow", ""),
        ("PreToolUse", HookAnswer::Deny(why)) => hook_words::before_tool(event, "deny", why),
        ("PreToolUse", HookAnswer::Ask(why)) => hook_words::before_tool(event, "ask", why),
        ("PermissionRequest", HookAnswer::Allow) => hook_words::dialog(event, None),
        ("PermissionRequest", HookAnswer::Deny(why)) => hook_words::dialog(event, Some(why)),
        ("UserPromptSubmit", HookAnswer::Deny(why)) => hook_words::blocked(why),
        (
            "PreToolUse" | "PostToolUse" | "PostToolUseFailure" | "UserPromptSubmit" | "SessionStart",
            HookAnswer::Context(text),
        ) => hook_words::context(event, text),
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

/// A hook that fails or is late counts as consent for the CLI, so before a tool runs the person is asked.
pub fn silent_answer(event: &str) -> Value {
    let why = "parlour did not answer in time, so you are asked";
    answer(event, &HookAnswer::Ask(why.into()))
}

/// A question stays open beside its dialog; all else is answered before the CLI goes on without.
pub fn patience(event: &str) -> Duration {
    match event {
        "PermissionRequest" => QUESTION_TIMEOUT - Duration::from_secs(5),
        _ => Duration::from_secs(4),
    }
}
