//! Agents that are started again: because a person wants it, or because the engine ended under them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::{chat, reply};
use crate::model::chat::ENGINE_STOPPED;
use crate::model::{Chat, ChatId, DirectoryPlace, Happened, Problem, Status};

use super::state::{Agent, AtEnd, Process};
use super::{delivery, process};

/// Ports that are tried after the first.
const MOVES: u8 = 3;

/// Stops the agent and goes on with its session, so that it reads its files and settings again. Prompts that wait for it
/// stay.
pub fn begin(state: &mut Domain, chat: &ChatId, env: BTreeMap<String, String>, requester: Requester) -> Vec<Effect> {
    let then = AtEnd::Restart(env.clone(), requester);
    match process::end(state, chat, then) {
        Some(effects) => effects,
        None => process::resume(state, chat, env, requester),
    }
}

/// Its server's port was taken by another program between its choice and its start, which leaves it with a blank screen.
pub fn elsewhere(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let runs = |agent: &&mut Agent| matches!(agent.process, Process::Running { .. }) && !agent.session_began;
    let Some(agent) = state.live.agents.get_mut(chat).filter(runs) else {
        return Vec::new();
    };
    if agent.moved == MOVES {
        let error = Happened::Error {
            place: "agent".into(),
            message: "the port of its server was taken by another program, time and again".into(),
            hint: "restart it when the machine has free ports".into(),
            trouble: None,
        };
        return chat::append(state, chat, vec![error]);
    }
    agent.moved += 1;
    let env = agent.env.clone();
    begin(state, chat, env, Requester::Nobody)
}

/// A restart that nobody took back since by stopping or deleting. Where its clones are restored first, that starts it
/// again: until then it would write into them.
pub fn wanted(at_end: &mut Vec<AtEnd>) -> Option<(BTreeMap<String, String>, Requester)> {
    let waits = at_end
        .iter()
        .any(|then| matches!(then, AtEnd::Delete(_) | AtEnd::Revert(..)));
    let last = at_end.pop()?;
    match last {
        AtEnd::Restart(env, requester) if !waits => Some((env, requester)),
        other => {
            at_end.push(other);
            None
        }
    }
}

/// It is starting, not exited: who waits for its end waits on, and what was being typed is typed again.
pub fn go_on(state: &mut Domain, chat: &ChatId, env: BTreeMap<String, String>, requester: Requester) -> Vec<Effect> {
    let mut effects = delivery::take_back(state, chat);
    let text = format!("its {} was restarted", state.disk.what_runs(chat));
    if state.status(chat) != Status::Hibernated {
        effects.extend(chat::append(state, chat, vec![Happened::Note { text }]));
    }
    effects.extend(process::resume(state, chat, env, requester));
    effects
}

/// Nothing stays of a chat that the last engine had no time to make: whoever asked for it heard that it was not made.
/// Agents that ran when it ended run again, where a person wants that.
pub fn after_the_engine(state: &mut Domain, env: &BTreeMap<String, String>) -> Vec<Effect> {
    if state.disk.read_only.is_some() {
        return Vec::new();
    }
    let unfinished = |chat: &&Chat| chat.unreadable.is_none() && chat.record.is_unfinished();
    let unfinished = state.disk.chats.values().filter(unfinished);
    let unfinished: Vec<ChatId> = unfinished.map(|chat| chat.id().clone()).collect();
    let discard = |chat: &ChatId| chat::discard(state, chat);
    let mut effects: Vec<Effect> = unfinished.iter().flat_map(discard).collect();
    if state.disk.settings.resume_on_start {
        effects.extend(resume_ended(state, env).effects);
    }
    effects
}

/// The chats whose agents ran when the engine ended and do not run again, the ones that were busy last first. Whoever asked
/// from a shell has their answer, and waits for nothing of that agent.
pub fn ended_with_the_engine(state: &Domain) -> Vec<ChatId> {
    let is_answered = |chat: &Chat| {
        let is_query = chat.record.set.unnumbered && state.live.listeners.queried.contains(chat.id());
        is_query && !chat.interrupted && chat.record.prompts.is_empty()
    };
    let ran = |chat: &&Chat| {
        let stopped = matches!(state.status(chat.id()), Status::Exited(why) if why == ENGINE_STOPPED);
        stopped && chat.place == DirectoryPlace::Here && chat.unreadable.is_none() && !is_answered(chat)
    };
    let mut chats: Vec<_> = state.disk.chats.values().filter(ran).collect();
    chats.sort_by_key(|chat| Reverse(chat.updated));
    chats.into_iter().map(|chat| chat.id().clone()).collect()
}

/// What came of resuming many.
pub struct Resumed {
    pub effects: Vec<Effect>,
    pub chats: Vec<ChatId>,
    /// Why some were not, and how many.
    pub left: Option<(usize, Problem)>,
}

/// Resumes them up to the limit of agents.
pub fn resume_ended(state: &mut Domain, env: &BTreeMap<String, String>) -> Resumed {
    let all = ended_with_the_engine(state);
    let mut resumed = Resumed {
        effects: Vec::new(),
        chats: Vec::new(),
        left: None,
    };
    for chat in &all {
        if let Some(problem) = process::refusal(state, chat) {
            resumed.left = Some((all.len() - resumed.chats.len(), problem));
            break;
        }
        let resume = process::resume(state, chat, env.clone(), Requester::Nobody);
        resumed.effects.extend(resume);
        resumed.chats.push(chat.clone());
    }
    resumed
}

/// As [`resume_ended`], for a shell.
pub fn resume_all(state: &mut Domain, env: &BTreeMap<String, String>, requester: Requester) -> Vec<Effect> {
    let resumed = resume_ended(state, env);
    let chats: Vec<Value> = resumed.chats.iter().map(|chat| chat::json(state, chat)).collect();
    let (left, why) = match &resumed.left {
        Some((count, problem)) => (*count, problem.to_string()),
        None => (0, String::new()),
    };
    let answer = json!({"chats": chats, "left": left, "why": why});
    let mut effects = resumed.effects;
    effects.extend(reply::answer(state, requester, Ok(answer)));
    effects
}
