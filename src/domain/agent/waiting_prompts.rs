//! The prompts that wait for an agent, as people see them: what each waits for, and whether it can still be changed.

use serde_json::{Value, json};

use crate::domain::chat;
use crate::domain::state::Domain;
use crate::model::ChatId;
use crate::model::chat::Pending;
use crate::model::queue::WaitingPrompt;

use super::obstacle::{BEHIND, DOUBTED, NOT_RUNNING, TURN_ENDS, held_by};
use super::state::outbox::{Outbox, QueuedPrompt, Receipt};
use super::state::{Agent, Process};

pub(super) const MAY_HAVE_IT: &str = "the agent may have it already: that is looked up when it runs again";
pub(super) const BEING_TYPED: &str = "it is being typed";
const IN_COMPOSER: &str = "it stands in the agent's composer";
const LOOKED_UP: &str = "the agent may have it already: its transcript is being read";
const MESSAGE: &str = "it is a message of another chat, which stands in this chat's inbox";

/// All that wait, in the order of their sending.
pub fn list(state: &Domain, chat: &ChatId) -> Vec<WaitingPrompt> {
    let Some(agent) = state.live.agents.get(chat) else {
        let outbox = left_over(state, chat);
        let waiting = outbox.queue.iter().enumerate();
        let fixed = |queued: &QueuedPrompt| queued.prompt.begun.then_some(MAY_HAVE_IT);
        return waiting
            .map(|(at, queued)| told(at, &queued.prompt, NOT_RUNNING, fixed(queued)))
            .collect();
    };
    let outbox = &agent.outbox;
    let doubted = outbox.doubted.iter().map(|queued| (queued, DOUBTED, Some(MAY_HAVE_IT)));
    let typing = outbox.typing.iter();
    let typing = typing.map(|typing| (&typing.queued_prompt, BEING_TYPED, Some(BEING_TYPED)));
    let first = held_by(agent, state.now).filter(|_| outbox.typing.is_none());
    let queue = outbox.queue.iter().enumerate().map(|(at, queued)| {
        let why = match (at, first) {
            (0, Some(why)) => why,
            (0, None) if outbox.typing.is_none() => "about to be typed",
            _ if queued.prompt.follow_up => TURN_ENDS,
            _ => BEHIND,
        };
        (queued, why, fixed(agent, at, queued))
    });
    let all = doubted.chain(typing).chain(queue).enumerate();
    all.map(|(at, (queued, why, fixed))| told(at, &queued.prompt, why, fixed))
        .collect()
}

pub(super) fn json(state: &Domain, chat: &ChatId) -> Value {
    json!({"chat": chat::handle(state, chat), "queue": list(state, chat)})
}

fn told(at: usize, prompt: &Pending, why: &str, fixed: Option<&str>) -> WaitingPrompt {
    WaitingPrompt {
        place: at + 1,
        id: prompt.id(),
        kind: prompt.kind(),
        text: prompt.text.clone(),
        from: prompt.from,
        at: prompt.at,
        why: why.into(),
        fixed: fixed.map(str::to_string),
    }
}

/// Why a prompt of the queue cannot be changed. What was typed once, and is in the queue again, the agent has not if its
/// transcript was read to the end without it.
pub(super) fn fixed(agent: &Agent, at: usize, queued: &QueuedPrompt) -> Option<&'static str> {
    let runs = matches!(agent.process, Process::Running { .. });
    let in_composer = at == 0 && agent.outbox.composer_state.has_left();
    match &queued.prompt {
        prompt if prompt.message.is_some() => Some(MESSAGE),
        _ if in_composer => Some(IN_COMPOSER),
        prompt if prompt.begun && !runs => Some(MAY_HAVE_IT),
        prompt if prompt.begun && !agent.read_up => Some(LOOKED_UP),
        _ => None,
    }
}

/// What an earlier engine took in. Only for an agent that this engine has not run yet: later the record may still name
/// a prompt that has just arrived.
pub fn left_over(state: &Domain, chat: &ChatId) -> Outbox {
    let prompts = state
        .disk
        .chats
        .get(chat)
        .into_iter()
        .flat_map(|known| &known.record.prompts);
    let queued_prompt = |prompt| QueuedPrompt {
        receipt: Receipt::left_over(),
        ..QueuedPrompt::new(prompt, None)
    };
    Outbox {
        queue: prompts.cloned().map(queued_prompt).collect(),
        ..Outbox::default()
    }
}
