//! Codex's hooks: payload to events, and answers in its words.

use data_encoding::HEXLOWER;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::agents::HookAnswer;
use crate::agents::hook_words::{self, text};
use crate::model::{HookCall, HookEvent};

/// What a call means. A payload that lacks what its event needs is kept as odd, never guessed.
pub(super) fn events(call: &HookCall) -> Vec<HookEvent> {
    let event = read(&call.event, &call.payload).unwrap_or_else(|missing| HookEvent::Odd {
        why: format!("{} came without `{missing}`", call.event),
    });
    vec![event]
}

fn read(event: &str, payload: &Value) -> Result<HookEvent, &'static str> {
    if text(payload, "hook_event_name")? != event {
        return Err("its own name in hook_event_name");
    }
    let parent = text(payload, "agent_id").ok();
    Ok(match event {
        // A sub-agent is a session to the CLI: its prompts and turns are not those of the agent.
        "SessionStart" | "UserPromptSubmit" | "Stop" | "Interrupt" if parent.is_some() => HookEvent::Ignored,
        "SessionStart" => HookEvent::SessionStarted {
            session: text(payload, "session_id")?,
            source: text(payload, "source")?,
            model: text(payload, "model").ok(),
            cwd: text(payload, "cwd")?,
        },
        "UserPromptSubmit" => {
            let (prompt, turn) = (text(payload, "prompt")?, text(payload, "turn_id")?);
            HookEvent::Prompt {
                id: prompt_id(&turn, &prompt),
                text: prompt,
            }
        }
        "PreToolUse" => HookEvent::ToolStarted {
            id: text(payload, "tool_use_id")?,
            name: text(payload, "tool_name")?,
            input: payload["tool_input"].clone(),
            parent,
            cwd: None,
        },
        "PostToolUse" => HookEvent::ToolEnded {
            id: text(payload, "tool_use_id")?,
            name: text(payload, "tool_name")?,
            output: output(&payload["tool_response"]),
            failed: payload["tool_response"]["isError"] == true,
            interrupted: false,
            ms: None,
            cwd: None,
        },
        "PermissionRequest" => HookEvent::PermissionAsked {
            reach: Vec::new(),
            tool: text(payload, "tool_name")?,
            input: payload["tool_input"].clone(),
        },
        "Stop" => HookEvent::OwnTurnEnded,
        // That it was a person who ended the turn, the transcript tells.
        "Interrupt" => HookEvent::TurnEnded { background: 0 },
        "SubagentStart" => HookEvent::SubagentStarted {
            id: text(payload, "agent_id")?,
            name: text(payload, "agent_type")?,
        },
        "SubagentStop" => HookEvent::SubagentEnded {
            id: text(payload, "agent_id")?,
            name: text(payload, "agent_type")?,
        },
        "PreCompact" => HookEvent::Compacting {
            trigger: text(payload, "trigger")?,
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

/// The engine's answer. What an event cannot be answered with is no opinion: the CLI's own rules go on to hold, and they
/// ask. Before a tool it knows no answer but a refusal.
pub(super) fn answer(event: &str, answer: &HookAnswer) -> Value {
    match (event, answer) {
        ("PreToolUse", HookAnswer::Deny(why)) => hook_words::before_tool(event, "deny", why),
        ("PermissionRequest", HookAnswer::Allow) => hook_words::dialog(event, None),
        ("PermissionRequest", HookAnswer::Deny(why)) => hook_words::dialog(event, Some(why)),
        ("UserPromptSubmit", HookAnswer::Deny(why)) => hook_words::blocked(why),
        ("PostToolUse" | "UserPromptSubmit" | "SessionStart", HookAnswer::Context(text)) => {
            hook_words::context(event, text)
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
