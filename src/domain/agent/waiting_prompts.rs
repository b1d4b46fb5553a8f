//! The prompts that wait for an agent, as people see them: what each waits for, and whether it can still be changed.

use serde_json::{Value, json};

use crate::domain::chat;
use crate::domain::state::Domain;
use crate::model::ChatId;
use crate::model::chat::Pending;
use crate::model::queue::{TakenBack, WaitingPrompt};
use crate::model::text::one_line;

use super::obstacle::{BEHIND, DOUBTED, NOT_RUNNING, TIMED, TURN_ENDS, held_by};
use super::state::outbox::{Outbox, PromptStage, QueuedPrompt, Receipt};
use super::state::{Agent, Process};

pub(super) const MAY_HAVE_IT: &str = "the agent may have it already: that is looked up when it runs again";
pub(super) const BEING_TYPED: &str = "it is being typed";
const ENTERED: &str = "entered: the agent comes to it in this turn";
const ABOUT_TO_BE_TYPED: &str = "about to be typed";
pub(super) const IN_COMPOSER: &str = "it stands in the agent's composer";
const LOOKED_UP: &str = "the agent may have it already: its transcript is being read";
const GOES_ALONG: &str = "it goes along with the start of its agent";
pub(super) const MESSAGE: &str = "it is a message of another chat, which stands in this chat's inbox";

/// Characters of a prompt that is shown in a line.
const IN_A_LINE: usize = 200;

/// All that wait, in the order of their sending.
pub fn list(state: &Domain, chat: &ChatId) -> Vec<WaitingPrompt> {
    all(state, chat, str::to_string)
}

/// The same, each by the beginning of its text.
pub fn briefly(state: &Domain, chat: &ChatId) -> Vec<WaitingPrompt> {
    all(state, chat, |text| one_line(text, IN_A_LINE))
}

/// How many wait.
pub fn count(state: &Domain, chat: &ChatId) -> usize {
    let messages = messages(state, chat).len();
    messages
        + match state.live.agents.get(chat) {
            Some(agent) => agent.outbox.queue.len(),
            None => state.disk.chats.get(chat).map_or(0, |known| known.record.prompts.len()),
        }
}

/// What stands in the inbox of a chat whose agent does not run, and in no outbox yet.
pub(super) fn messages<'s>(state: &'s Domain, chat: &ChatId) -> Vec<&'s Pending> {
    let waiting = state
        .live
        .inboxes
        .waiting
        .get(chat)
        .filter(|_| !state.live.is_live(chat));
    let outbox = state.live.agents.get(chat).map(|agent| &agent.outbox);
    let is_queued = |message: &&Pending| {
        let mut queued = outbox.into_iter().flat_map(Outbox::queued_prompts);
        queued.any(|queued| queued.prompt.message == message.message)
    };
    waiting
        .into_iter()
        .flatten()
        .filter(|message| !is_queued(message))
        .collect()
}

/// Nothing keeps it from the agent.
pub fn is_about_to_be_typed(waits: &WaitingPrompt) -> bool {
    [BEING_TYPED, ABOUT_TO_BE_TYPED].contains(&waits.why.as_str())
}

/// Its place among those that are not typed yet, the first being 1.
pub fn place(state: &Domain, chat: &ChatId, id: &str) -> Option<usize> {
    let at = match state.live.agents.get(chat) {
        Some(agent) => agent.outbox.queue.iter().position(|queued| queued.prompt.id() == id),
        None => left_over(state, chat)
            .queue
            .iter()
            .position(|queued| queued.prompt.id() == id),
    };
    at.map(|at| at + 1)
}

/// One that is to be taken out of the queue, as it stands there.
pub fn taken_back(state: &Domain, chat: &ChatId, id: &str) -> Option<TakenBack> {
    let left;
    let queue = match state.live.agents.get(chat) {
        Some(agent) => &agent.outbox.queue,
        None => {
            left = left_over(state, chat).queue;
            &left
        }
    };
    let at = queue.iter().position(|queued| queued.prompt.id() == id)?;
    let behind = queue.range(at + 1..).map(|queued| queued.prompt.id()).collect();
    let prompt = queue.get(at)?.prompt.clone();
    Some(TakenBack { prompt, behind })
}

fn all(state: &Domain, chat: &ChatId, words: impl Fn(&str) -> String) -> Vec<WaitingPrompt> {
    let mut all = of_outbox(state, chat, &words);
    for message in messages(state, chat) {
        all.push(told(all.len(), (message, &words), NOT_RUNNING, Some(MESSAGE)));
    }
    all
}

fn of_outbox(state: &Domain, chat: &ChatId, words: impl Fn(&str) -> String) -> Vec<WaitingPrompt> {
    let Some(agent) = state.live.agents.get(chat) else {
        let outbox = left_over(state, chat);
        let waiting = outbox.queue.iter().enumerate();
        let fixed = |queued: &QueuedPrompt| queued.prompt.begun.then_some(MAY_HAVE_IT);
        let why = |queued: &QueuedPrompt| match queued.prompt.not_before {
            Some(at) if at > state.now => TIMED,
            _ if queued.prompt.begun => MAY_HAVE_IT,
            Some(_) | None => NOT_RUNNING,
        };
        return waiting
            .map(|(at, queued)| told(at, (&queued.prompt, &words), why(queued), fixed(queued)))
            .collect();
    };
    let outbox = &agent.outbox;
    let doubted = outbox.doubted.iter().map(|queued| (queued, DOUBTED, Some(MAY_HAVE_IT)));
    let typing = outbox.typing.iter();
    let typing = typing.map(|typing| {
        let why = match typing.stage {
            PromptStage::Taken if agent.is_working() => ENTERED,
            PromptStage::Pasted | PromptStage::Entered(_) | PromptStage::Taken => BEING_TYPED,
        };
        (&typing.queued_prompt, why, Some(why))
    });
    let first = held_by(agent, state.now).filter(|_| outbox.typing.is_none());
    let queue = outbox.queue.iter().enumerate().map(|(at, queued)| {
        let why = match (at, first) {
            (0, Some(why)) => why,
            (0, None) if outbox.typing.is_none() => ABOUT_TO_BE_TYPED,
            _ if queued.prompt.not_before.is_some_and(|at| at > state.now) => TIMED,
            _ if queued.prompt.follow_up => TURN_ENDS,
            _ => BEHIND,
        };
        (queued, why, fixed(agent, at, queued))
    });
    let all = doubted.chain(typing).chain(queue).enumerate();
    all.map(|(at, (queued, why, fixed))| told(at, (&queued.prompt, &words), why, fixed))
        .collect()
}

pub(super) fn json(state: &Domain, chat: &ChatId) -> Value {
    json!({"chat": chat::handle(state, chat), "queue": list(state, chat)})
}

fn told(
    at: usize,
    (prompt, words): (&Pending, impl Fn(&str) -> String),
    why: &str,
    fixed: Option<&str>,
) -> WaitingPrompt {
    WaitingPrompt {
        place: at + 1,
        id: prompt.id(),
        kind: prompt.kind(),
        text: words(&prompt.text),
        from: prompt.from,
        at: prompt.at,
        why: why.into(),
        until: prompt.not_before,
        fixed: fixed.map(str::to_string),
    }
}

/// Why a prompt of the queue cannot be changed. What was typed once, and is in the queue again, the agent has not if its
/// transcript was read to the end without it.
pub(super) fn fixed(agent: &Agent, at: usize, queued: &QueuedPrompt) -> Option<&'static str> {
    let runs = matches!(agent.process, Process::Running { .. });
    let goes_along = agent.outbox.goes_along.as_ref();
    let goes_along = goes_along.filter(|_| agent.process == Process::Preparing);
    let in_composer = at == 0 && agent.outbox.composer_state.has_left();
    match &queued.prompt {
        prompt if prompt.message.is_some() => Some(MESSAGE),
        _ if in_composer => Some(IN_COMPOSER),
        prompt if goes_along.is_some_and(|id| *id == prompt.id()) => Some(GOES_ALONG),
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
