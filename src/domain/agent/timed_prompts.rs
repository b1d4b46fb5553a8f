//! Prompts that wait for a moment: an agent that a limit has stopped goes on when that ends.
//!
//! Such a prompt is in the queue as others are, and on disk. When its time comes it is one like any other, and its agent is
//! started where it does not run. If it may not be started then, that is tried again until it may.

use crate::domain::effect::Effect;
use crate::domain::notice::Notice;
use crate::domain::schedule::state::TimedPrompts;
use crate::domain::state::{Domain, Requester};
use crate::model::chat::Pending;
use crate::model::{ChatId, Problem, Timestamp};

use super::process::resume;
use super::state::Agent;
use super::{delivery, process};

/// How long a chat waits whose agent may not be started when its time has come: for room among the live agents, mostly.
const AGAIN_MS: u64 = 60_000;

/// After every event: what is due is let go, and the engine wakes for what comes next.
pub fn settle(state: &mut Domain) -> Vec<Effect> {
    let now = state.now;
    let mut effects = Vec::new();
    if state.live.agenda.timed.next.is_some_and(|next| next <= now) {
        let due = state
            .disk
            .chats
            .keys()
            .filter(|chat| next_of(state, chat).is_some_and(|at| at <= now));
        let due: Vec<ChatId> = due.cloned().collect();
        effects.extend(due.iter().flat_map(|chat| release(state, chat)));
        effects.extend(look_ahead(state));
    } else if state.live.agenda.timed.revision != state.disk.chats.revision() {
        effects.extend(look_ahead(state));
    }
    effects
}

/// Finds out what comes next.
fn look_ahead(state: &mut Domain) -> Option<Effect> {
    let waits = |chat: &ChatId| next_of(state, chat).is_some();
    let put_off = state.live.agenda.timed.put_off.iter();
    let put_off = put_off.filter(|(chat, _)| waits(chat));
    let put_off = put_off.map(|(chat, at)| (chat.clone(), *at)).collect();
    let next = state.disk.chats.keys().filter_map(|chat| next_of(state, chat)).min();
    let known = state.live.agenda.timed.next;
    let revision = state.disk.chats.revision();
    state.live.agenda.timed = TimedPrompts {
        revision,
        next,
        put_off,
    };
    next.filter(|_| known != next).map(Effect::WakeAt)
}

/// When the next timed prompt of a chat is to be sent, or tried again.
fn next_of(state: &Domain, chat: &ChatId) -> Option<Timestamp> {
    let prompts = &state.disk.chats.get(chat)?.record.prompts;
    let next = prompts.iter().filter_map(|prompt| prompt.not_before).min()?;
    let put_off = state.live.agenda.timed.put_off.get(chat);
    Some(put_off.map_or(next, |again| next.max(*again)))
}

/// Its time has come.
fn release(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let now = state.now;
    let stays_up = state.live.agents.get(chat).is_some_and(Agent::stays_up);
    if !stays_up && let Some(problem) = process::refusal(state, chat) {
        let again = now.plus_ms(AGAIN_MS);
        if state.live.agenda.timed.put_off.insert(chat.clone(), again).is_none() {
            let told = Problem::new("sending a prompt whose time has come", problem.cause, problem.hint);
            state.notices.push(Notice::ChatTrouble(chat.clone(), told.to_string()));
        }
        return Vec::new();
    }
    state.live.agenda.timed.put_off.remove(chat);
    let due = |prompt: &Pending| prompt.not_before.is_some_and(|at| at <= now);
    state.disk.chats.change(chat, |known| {
        let prompts = known.record.prompts.iter_mut().filter(|prompt| due(prompt));
        prompts.for_each(|prompt| prompt.not_before = None);
    });
    if let Some(agent) = state.live.agents.get_mut(chat) {
        let outbox = &mut agent.outbox;
        let queued = outbox.queue.iter_mut().filter(|queued| due(&queued.prompt));
        for queued in queued {
            queued.prompt.not_before = None;
            queued.changed(&mut outbox.ledger);
        }
    }
    if stays_up {
        return delivery::pump(state, chat);
    }
    // Whoever started it last may be gone.
    let agent = state.live.agents.get(chat);
    let env = agent.map(|agent| agent.env.clone()).filter(|env| !env.is_empty());
    let env = env.or_else(|| state.live.agenda.env.clone()).unwrap_or_default();
    resume(state, chat, env, Requester::Nobody)
}
