//! Agents that are started again: because a person wants it, or because the engine ended under them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::app::agent::{self, AtEnd};
use crate::app::chat;
use crate::app::effect::Effect;
use crate::app::state::{Agent, Asker, Process, State};
use crate::model::chat::ENGINE_STOPPED;
use crate::model::{Chat, ChatId, Happened, Place, Status};

use super::delivery;

/// Ports that are tried after the first.
const MOVES: u8 = 3;

/// Stops the agent and goes on with its session, so that it reads its files and settings anew. Prompts that wait for it
/// stay.
pub fn begin(state: &mut State, chat: &ChatId, env: BTreeMap<String, String>, asker: Asker) -> Vec<Effect> {
    let then = AtEnd::Restart(env.clone(), asker);
    match agent::end(state, chat, then) {
        Some(effects) => effects,
        None => agent::resume(state, chat, env, asker),
    }
}

/// Its server's port was taken by another program between its choice and its start, which leaves it with a blank screen.
pub fn elsewhere(state: &mut State, chat: &ChatId) -> Vec<Effect> {
    let runs = |agent: &&mut Agent| matches!(agent.process, Process::Running { .. }) && !agent.session_began;
    let Some(agent) = state.live.agents.get_mut(chat).filter(runs) else {
        return Vec::new();
    };
    if agent.moved == MOVES {
        let error = Happened::Error {
            place: "agent".into(),
            message: "the port of its server was taken by another program, time and again".into(),
            hint: "restart it when the machine has free ports".into(),
        };
        return chat::append(state, chat, vec![error]);
    }
    agent.moved += 1;
    let env = agent.env.clone();
    begin(state, chat, env, Asker::Nobody)
}

/// A restart that nobody took back since by stopping or deleting.
pub fn wanted(at_end: &mut Vec<AtEnd>) -> Option<(BTreeMap<String, String>, Asker)> {
    let deleted = at_end.iter().any(|then| matches!(then, AtEnd::Delete(_)));
    let last = at_end.pop()?;
    match last {
        AtEnd::Restart(env, asker) if !deleted => Some((env, asker)),
        other => {
            at_end.push(other);
            None
        }
    }
}

/// It is starting, not exited: who waits for its end waits on, and what was being typed is typed again.
pub fn go_on(state: &mut State, chat: &ChatId, env: BTreeMap<String, String>, asker: Asker) -> Vec<Effect> {
    delivery::take_back(state, chat);
    let text = "its agent was restarted".to_string();
    let mut effects = match state.status(chat) {
        Status::Hibernated => Vec::new(),
        _ => chat::append(state, chat, vec![Happened::Note { text }]),
    };
    effects.extend(agent::resume(state, chat, env, asker));
    effects
}

/// A chat that the last engine had no time to make goes to the trash: whoever asked for it heard that it was not made.
/// Agents that ran when it ended run again, where a person wants that.
pub fn after_the_engine(state: &mut State, env: &BTreeMap<String, String>) -> Vec<Effect> {
    if state.disk.read_only.is_some() {
        return Vec::new();
    }
    let unfinished = |chat: &&Chat| chat.unreadable.is_none() && chat.record.is_unfinished();
    let unfinished = state.disk.chats.values().filter(unfinished);
    let unfinished: Vec<ChatId> = unfinished.map(|chat| chat.id().clone()).collect();
    let trash = |chat: &ChatId| chat::trash(state, chat, Asker::Nobody);
    let mut effects: Vec<Effect> = unfinished.iter().flat_map(trash).collect();
    if !state.disk.settings.resume_on_start {
        return effects;
    }
    let ran = |chat: &&Chat| {
        let stopped = matches!(&chat.ended, Some(Status::Exited(why)) if why == ENGINE_STOPPED);
        stopped && chat.place == Place::Here && chat.unreadable.is_none()
    };
    let mut chats: Vec<_> = state.disk.chats.values().filter(ran).collect();
    // Up to the limit, the ones that were busy last.
    chats.sort_by_key(|chat| Reverse(chat.updated));
    let chats: Vec<ChatId> = chats.into_iter().map(|chat| chat.id().clone()).collect();
    let resume = |chat| agent::resume(state, &chat, env.clone(), Asker::Nobody);
    effects.extend(chats.into_iter().flat_map(resume));
    effects
}
