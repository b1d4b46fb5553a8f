//! Prompts that wait for a moment: an agent that a limit has stopped goes on when that ends.
//!
//! Such a prompt is in the queue as others are, and on disk. When its time comes it is one like any other, and its agent is
//! started where it does not run.

use crate::domain::effect::Effect;
use crate::domain::schedule::state::TimedPrompts;
use crate::domain::state::{Domain, Requester};
use crate::model::ChatId;
use crate::model::chat::Pending;

use super::process::resume;
use super::state::Agent;
use super::{delivery, process};

/// After every event: what is due is let go, and the engine wakes for what comes next.
pub fn settle(state: &mut Domain) -> Vec<Effect> {
    let now = state.now;
    let mut effects = Vec::new();
    if state.live.agenda.timed.next.is_some_and(|next| next <= now) {
        let due = |prompt: &Pending| prompt.not_before.is_some_and(|at| at <= now);
        let chats = state.disk.chats.iter();
        let chats = chats.filter(|(_, chat)| chat.record.prompts.iter().any(due));
        let chats: Vec<ChatId> = chats.map(|(id, _)| id.clone()).collect();
        effects.extend(chats.iter().flat_map(|chat| release(state, chat)));
    }
    let revision = state.disk.chats.revision();
    if state.live.agenda.timed.revision != revision {
        let prompts = state.disk.chats.values().flat_map(|chat| &chat.record.prompts);
        let next = prompts.filter_map(|prompt| prompt.not_before).min();
        effects.extend(
            next.filter(|_| state.live.agenda.timed.next != next)
                .map(Effect::WakeAt),
        );
        state.live.agenda.timed = TimedPrompts { revision, next };
    }
    effects
}

/// Its time has come.
fn release(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let now = state.now;
    let due = |prompt: &Pending| prompt.not_before.is_some_and(|at| at <= now);
    if let Some(known) = state.disk.chats.get_mut(chat) {
        let prompts = known.record.prompts.iter_mut().filter(|prompt| due(prompt));
        prompts.for_each(|prompt| prompt.not_before = None);
    }
    if let Some(agent) = state.live.agents.get_mut(chat) {
        let outbox = &mut agent.outbox;
        let queued = outbox.queue.iter_mut().filter(|queued| due(&queued.prompt));
        for queued in queued {
            queued.prompt.not_before = None;
            queued.changed(&mut outbox.ledger);
        }
    }
    let agent = state.live.agents.get(chat);
    if agent.is_some_and(Agent::stays_up) || process::refusal(state, chat).is_some() {
        return delivery::pump(state, chat);
    }
    // Whoever started it last may be gone.
    let env = agent.map(|agent| agent.env.clone()).filter(|env| !env.is_empty());
    let env = env.or_else(|| state.live.agenda.env.clone()).unwrap_or_default();
    resume(state, chat, env, Requester::Nobody)
}
