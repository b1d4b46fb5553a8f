//! Codex's hooks: payload to events, and answers in its words.

use data_encoding::HEXLOWER;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::agents::HookAnswer;
use crate::model::{HookCall, HookEvent};

/// What a call means. A payload that lacks what its event needs is kept as odd, never guessed.
pub(super) fn events(call: &HookCall) -> Vec<HookEvent> {
    let event = read(&call.event, &CodexPayload(&call.payload)).unwrap_or_else(|missing| HookEvent::Odd {
        why: format!("{} came without `{missing}`", call.event),
    });
    vec![event]
}

fn read(event: &str, payload: &CodexPayload) -> Result<HookEvent, &'static str> {
    if payload.text("hook_event_name")? != event {
        return Err("its own name in hook_event_name");
    }
    let parent = payload.text("agent_id").ok();
    Ok(match event {
        // A sub-agent is a session to the CLI: its prompts and turns are not those of the agent.
        "SessionStart" | "UserPromptSubmit" | "Stop" | "Interrupt" if parent.is_some() => HookEvent::Ignored,
        "SessionStart" => HookEvent::SessionStarted {
            session: payload.text("session_id")?,
            source: payload.text("source")?,
            model: payload.text("model").ok(),
            cwd: payload.text("cwd")?,
        },
        "UserPromptSubmit" => {
            let text = payload.text("prompt")?;
            HookEvent::Prompt {
                id: prompt_id(&payload.text("turn_id")?, &text),
                text,
            }
        }
        "PreToolUse" => HookEvent::ToolStarted {
            id: payload.text("tool_use_id")?,
            name: payload.text("tool_name")?,
            input: payload.0["tool_input"].clone(),
            parent,
            cwd: None,
        },
        "PostToolUse" => HookEvent::ToolEnded {
            id: payload.text("tool_use_id")?,
            name: payload.text("tool_name")?,
            output: output(&payload.0["tool_response"]),
            failed: payload.0["tool_response"]["isError"] == true,
            interrupted: false,
            ms: None,
            cwd: None,
        },
        "PermissionRequest" => HookEvent::PermissionAsked {
            tool: payload.text("tool_name")?,
            input: payload.0["tool_input"].clone(),
        },
        "Stop" => HookEvent::OwnTurnEnded,
        // That it was a person who ended the turn, the transcript tells.
        "Interrupt" => HookEvent::TurnEnded { background: 0 },
        "SubagentStart" => HookEvent::SubagentStarted {
            id: payload.text("agent_id")?,
            name: payload.text("agent_type")?,
        },
        "SubagentStop" => HookEvent::SubagentEnded {
            id: payload.text("agent_id")?,
            name: payload.text("agent_type")?,
        },
        "PreCompact" => HookEvent::Compacting {
            trigger: payload.text("trigger")?,
        },
        "PostCompact" | "SessionEnd" => HookEvent::Ignored,
        unknown => HookEvent::Odd {
            why: format!("no hook named {unknown} is known"),
        },
    })
}

/// A prompt has no id of its own in a hook, and a turn takes several: one more each time a person adds to it.
pub(super) fn prompt_id(turn: &str, text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    format!("{turn}-{}", HEXLOWER.encode(&digest[..4]))
}

/// A tool's answer as a person would read it: a command's output, or the text of an MCP server's answer.
pub(super) fn output(answer: &Value) -> String {
    if let Some(text) = answer.as_str() {
        return text.to_string();
    }
    let Some(blocks) = answer["content"].as_array() else {
        return answer.to_string();
    };
    let texts: Vec<_> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
    texts.join("\n")
}

/// A payload that is not believed to have any shape.
struct CodexPayload<'a>(&'a Value);

impl CodexPayload<'_> {
    fn text(&self, key: &'static str) -> Result<String, &'static str> {
        self.0[key].as_str().map(String::from).ok_or(key)
    }
}

/// The engine's answer. What an event cannot be answered with is no opinion: the CLI's own rules go on to hold, and they
/// ask. Before a tool it knows no answer but a refusal.
pub(super) fn answer(event: &str, answer: &HookAnswer) -> Value {
    match (event, answer) {
        ("PreToolUse", HookAnswer::Deny(why)) => json!({"hookSpecificOutput": {
            "hookEventName": event, "permissionDecision": "deny", "permissionDecisionReason": why,
        }}),
        ("PermissionRequest", HookAnswer::Allow) => json!({"hookSpecificOutput": {
            "hookEventName": event, "decision": {"behavior": "allow"},
        }}),
        ("PermissionRequest", HookAnswer::Deny(why)) => json!({"hookSpecificOutput": {
            "hookEventName": event, "decision": {"behavior": "deny", "message": why},
        }}),
        ("UserPromptSubmit", HookAnswer::Deny(why)) => json!({"decision": "block", "reason": why}),
        ("PostToolUse" | "UserPromptSubmit" | "SessionStart", HookAnswer::Context(text)) => {
            json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})
        }
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
