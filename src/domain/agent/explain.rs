//! `parlour explain`: every signal that is known of a chat, and the verdict over them.

use serde_json::{Value, json};

use crate::domain::opening;
use crate::domain::state::Domain;
use crate::model::chat::Directory;
use crate::model::{ChatId, Sandbox, Source};

use super::obstacle::NOT_RUNNING;
use super::state::Process;
use super::{delivery, waiting_prompts};

const SOURCES: [Source; 7] = [
    Source::Process,
    Source::Hook,
    Source::SessionFile,
    Source::Transcript,
    Source::Sign,
    Source::Title,
    Source::Screen,
];

/// The verdict, its reason, and what each source said last; a source that said nothing is listed too.
pub fn json(state: &Domain, chat: &ChatId) -> Value {
    let status = state.status(chat);
    let Some(agent) = state.live.agents.get(chat) else {
        return json!({
            "chat": super::super::chat::handle(state, chat),
        "chatId": chat,
            "status": status.word(),
            "detail": state.detail(chat),
            "because": not_run(state, chat),
            "opening": opening::words(state, chat),
            "dirs": dirs(state, chat, &Sandbox::NotAsked),
            "signals": [],
            "prompts": {
                "waiting": waiting_prompts::count(state, chat),
                "typing": false,
                "held_by": "its agent does not run",
            },
        });
    };
    let process = match &agent.process {
        Process::Preparing => "being prepared".to_string(),
        Process::Running { pid } => format!("pid {pid} runs"),
        Process::Stopping { pid } => format!("pid {pid} was told to stop"),
        Process::Asleep => "stopped while it rested".to_string(),
        Process::Ended { why } => format!("ended: {why}"),
    };
    let signals: Vec<Value> = SOURCES
        .iter()
        .filter(|source| **source != Source::Process)
        .map(|source| match agent.signals.get(source) {
            Some(signal) => json!({
                "source": source.to_string(),
                "says": signal.activity.to_string(),
                "because": signal.because,
                "at": signal.at,
                "age_ms": state.now.ms_since(signal.at),
            }),
            None => json!({"source": source.to_string(), "says": null}),
        })
        .collect();
    // Messages of other chats stay in the inbox meanwhile.
    let unheard = || (!waiting_prompts::messages(state, chat).is_empty()).then_some(NOT_RUNNING);
    json!({
        "chat": super::super::chat::handle(state, chat),
        "chatId": chat,
        "status": status.word(),
        "detail": state.detail(chat),
        "because": agent.verdict.because,
        "opening": opening::words(state, chat),
        "since": agent.since,
        "process": process,
        "sandbox": agent.sandbox.json(),
        "permissions": state.disk.chats.get(chat).map(|known| known.record.set.permissions),
        "dirs": dirs(state, chat, &agent.sandbox),
        "signals": signals,
        "session_began": agent.session_began,
        "mcp_connected": agent.mcp_connected,
        "open_tools": agent.turn.tools.iter().map(|tool| &tool.name).collect::<Vec<_>>(),
        "draft": !agent.draft.is_empty(),
        "prompts": {
            "waiting": waiting_prompts::count(state, chat),
            "typing": agent.outbox.typing.is_some(),
            "held_by": delivery::held_by(agent, state.now).or_else(unheard),
        },
    })
}

fn not_run(state: &Domain, chat: &ChatId) -> String {
    match opening::is_being_made(state, chat) {
        true => {
            let doing = opening::words(state, chat).unwrap_or("its projects are being opened");
            format!("its agent starts when its projects are open: {doing}")
        }
        false => "no agent of it runs".into(),
    }
}

/// Its directories, and what holds its agent to their modes.
fn dirs(state: &Domain, chat: &ChatId, sandbox: &Sandbox) -> Vec<Value> {
    let known = state.disk.chats.get(chat).map_or(&[][..], |chat| &chat.record.dirs);
    let dir = |dir: &Directory| {
        json!({
            "path": format!("projects/{}", dir.name),
            "mode": dir.mode,
            "kept_by": dir.kept_by(sandbox),
        })
    };
    known.iter().map(dir).collect()
}
