//! Agents that are started again: because a person wants it, or because the engine ended under them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::model::chat::ENGINE_STOPPED;
use crate::model::{Chat, ChatId, Happened, Place, Status};

use super::agent::{self, AtEnd};
use super::effect::Effect;
use super::state::{Asker, State};
use super::{chat, delivery};

/// Stops the agent and goes on with its session, so that it reads its files and settings anew. Prompts that wait for it
/// stay.
pub fn begin(state: &mut State, chat: &ChatId, env: BTreeMap<String, String>, asker: Asker) -> Vec<Effect> {
    let then = AtEnd::Restart(env.clone(), asker);
    match agent::end(state, chat, then) {
        Some(effects) => effects,
        None => agent::resume(state, chat, env, asker),
    }
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

/// Agents that ran when the last engine ended run again, where a person wants that.
pub fn after_the_engine(state: &mut State, env: &BTreeMap<String, String>) -> Vec<Effect> {
    if !state.disk.settings.resume_on_start || state.disk.read_only.is_some() {
        return Vec::new();
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
    chats.into_iter().flat_map(resume).collect()
}
