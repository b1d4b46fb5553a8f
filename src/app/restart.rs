//! An agent that is stopped to be started again.

use std::collections::BTreeMap;

use crate::model::{ChatId, Happened};

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
    let mut effects = chat::append(state, chat, vec![Happened::Note { text }]);
    effects.extend(agent::resume(state, chat, env, asker));
    effects
}
