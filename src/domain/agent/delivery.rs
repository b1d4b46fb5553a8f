//! Prompts on their way to an agent: queued until it waits for one, then typed ([`super::typing`]), then looked for in its
//! hooks or its transcript ([`super::acknowledgement`]).

use std::collections::VecDeque;

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::effect::PaneOrder;
use crate::domain::notice::Notice;
use crate::domain::state::Domain;
use crate::domain::usage::state::BudgetOf;
use crate::domain::usage::stop::{refusal, stopped};
use crate::model::Glance;
use crate::model::{CallId, ChatId, Problem, ProblemKind, Status};

use super::keys::RESTS_MS;
use super::obstacle::{NOT_RUNNING, is_marked, is_ready, needs_person_from, obstacle};
use super::state::Agent;
use super::state::keys::PersonKeys;
use super::state::outbox::{ComposerState, Obstacle, Outbox, QueuedPrompt, Receipt};
use super::{delivery_receipt, typing};

pub use super::obstacle::{first_obstacle, held_by, needs_person, unchanged_since};
use super::waiting_prompts::count;
pub use super::waiting_prompts::left_over;

/// The longest prompt, in bytes: a wire frame holds it with room to spare.
const LONGEST_PROMPT: usize = 512 << 10;

/// Bytes of prompts that may wait for one agent: they are kept in its record.
const MOST_WAITING: usize = 2 << 20;

/// How long a prompt waits for an agent that resumes until its transcript says that it goes on in that session: what is
/// typed before, Gemini CLI asks in a conversation of its own.
pub const TAKES_UP_MS: u64 = 20_000;

/// How long it takes then to draw the conversation; Gemini CLI drops what is typed meanwhile.
pub const DRAWS_MS: u64 = 1_000;

impl Agent {
    /// It works, and its CLI takes a prompt into the turn.
    pub fn is_steered(&self) -> bool {
        let takes = self
            .capabilities
            .as_ref()
            .is_some_and(|capabilities| capabilities.queues);
        takes && matches!(self.verdict.status, Status::Running(_))
    }

    /// A turn of it is under way, or waits for a person.
    pub fn has_turn(&self) -> bool {
        self.is_working() || matches!(self.verdict.status, Status::NeedsYou(_))
    }

    /// It is at work on a turn.
    pub fn is_working(&self) -> bool {
        matches!(self.verdict.status, Status::Running(_) | Status::Retrying(_))
    }
}

/// Refuses a prompt that is too long.
pub fn fits(prompt: &str) -> Result<(), Problem> {
    if prompt.len() <= LONGEST_PROMPT {
        return Ok(());
    }
    let cause = format!(
        "it has {} KB, and a prompt may have {}",
        prompt.len() >> 10,
        LONGEST_PROMPT >> 10
    );
    let hint = "put the text into a file in the chat's directory and name that file";
    Err(Problem::new("sending a prompt", cause, hint))
}

/// Puts a prompt into a chat's outbox. It is typed once it is on disk: an engine that is killed loses none.
pub fn send(state: &mut Domain, chat: &ChatId, queued_prompt: QueuedPrompt) -> Vec<Effect> {
    // Nobody hears of what parlour itself sends: that waits.
    if let Some(problem) = queued_prompt
        .call
        .and_then(|_| refusal(state, chat, "sending a prompt"))
    {
        return refused(queued_prompt.call, problem);
    }
    let stopped = stopped(state, chat);
    if let Err(problem) = has_room(state, chat, &queued_prompt.prompt.text) {
        if queued_prompt.call.is_none() && queued_prompt.prompt.message.is_none() {
            let told = Notice::ChatTrouble(chat.clone(), problem.to_string());
            state.notices.push(told);
        }
        return refused(queued_prompt.call, problem);
    }
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    agent.outbox.held = stopped.as_ref().map(BudgetOf::held);
    state.live.usage.holds |= stopped.is_some();
    take_in(state, chat, queued_prompt)
}

/// Refuses one more prompt where too many wait.
pub fn has_room(state: &Domain, chat: &ChatId, text: &str) -> Result<(), Problem> {
    let queue = state.live.agents.get(chat).map(|agent| &agent.outbox.queue);
    let waiting = queue
        .into_iter()
        .flatten()
        .map(|queued_prompt| queued_prompt.prompt.text.len());
    if waiting.sum::<usize>() + text.len() <= MOST_WAITING {
        return Ok(());
    }
    let cause = "more prompts wait for this agent than are kept";
    let hint = "`parlour explain CHAT` says what they wait for";
    Err(Problem::new("sending a prompt", cause, hint).of_kind(ProblemKind::Limit))
}

/// Time has passed: Enter what has settled, and ask again for what has not arrived.
pub fn clock(state: &mut Domain) -> Vec<Effect> {
    let waiting = state.live.agents.awake().filter(|(_, agent)| !agent.outbox.is_empty());
    let chats: Vec<ChatId> = waiting.map(|(chat, _)| chat.clone()).collect();
    chats.iter().flat_map(|chat| pump(state, chat)).collect()
}

/// A command that waits for a person to be done at a shell's prompt goes when their keys rest.
pub(super) fn wakes(state: &Domain, chat: &ChatId) -> Option<Effect> {
    let agent = state.live.agents.get(chat)?;
    let waits = agent.is_shell() && !agent.outbox.queue.is_empty();
    waits.then(|| Effect::WakeAt(state.now.plus_ms(RESTS_MS)))
}

/// Goes on with a chat's outbox as far as its agent lets it.
pub fn pump(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let mut effects = Vec::new();
    loop {
        let before = untyped(state, chat);
        effects.extend(step(state, chat));
        let left = untyped(state, chat);
        // One that is through makes room for the next.
        if left == 0 || left >= before {
            return effects;
        }
    }
}

fn untyped(state: &Domain, chat: &ChatId) -> usize {
    let outbox = state.live.agents.get(chat).map(|agent| &agent.outbox);
    outbox.map_or(0, |outbox| outbox.queue.len() + usize::from(outbox.typing.is_some()))
}

fn step(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    if agent.outbox.typing.is_some() {
        return typing::go_on(state, chat);
    }
    let Some(queued_prompt) = agent.outbox.queue.front() else {
        return Vec::new();
    };
    match obstacle(agent, queued_prompt, now) {
        Some(Obstacle::Until(when, _)) => vec![Effect::WakeAt(when)],
        Some(Obstacle::Person(_)) => {
            let needs_person = Some(needs_person_from(agent)).filter(|from| now < *from);
            needs_person.map(Effect::WakeAt).into_iter().collect()
        }
        Some(Obstacle::Reason(_)) => Vec::new(),
        None if !is_marked(agent, queued_prompt) => mark(agent),
        None if !queued_prompt.receipt.is_safe() => Vec::new(),
        None => typing::begin(state, chat),
    }
}

fn mark(agent: &mut Agent) -> Vec<Effect> {
    let Outbox { queue, ledger, .. } = &mut agent.outbox;
    if let Some(queued_prompt) = queue.front_mut() {
        queued_prompt.prompt.begun = true;
        queued_prompt.changed(ledger);
    }
    Vec::new()
}

/// The prompts that wait for a chat's agent and why, in words.
pub fn waiting(state: &Domain, chat: &ChatId) -> Option<String> {
    let live = state.live.agents.get(chat);
    if live.is_some_and(Agent::has_held_keys) {
        return Some("typing a prompt · your keys follow".into());
    }
    let why = match live {
        Some(agent) if agent.is_live() || !agent.outbox.queue.is_empty() => held_by(agent, state.now)?,
        Some(_) | None => NOT_RUNNING,
    };
    match count(state, chat) {
        0 => None,
        1 => Some(format!("1 prompt queued · {why}")),
        many => Some(format!("{many} prompts queued · {why}")),
    }
}

/// The process is gone: what it may have lost, and what was being typed, is the first to be looked for and typed when it
/// runs again.
pub fn take_back(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let outbox = &mut agent.outbox;
    let heard = outbox.heard.drain(..).map(|heard| heard.queued_prompt);
    let doubted = outbox.doubted.drain(..);
    let typing = outbox.typing.take().map(|typing| typing.queued_prompt);
    let mut queue: VecDeque<QueuedPrompt> = heard.chain(doubted).chain(typing).collect();
    queue.append(&mut outbox.queue);
    // Nobody tells whether the agent has a command.
    let is_lost = |queued_prompt: &QueuedPrompt| queued_prompt.prompt.command && queued_prompt.prompt.begun;
    let (lost, queue): (VecDeque<_>, VecDeque<_>) = queue.into_iter().partition(is_lost);
    outbox.queue = queue;
    // Keys that waited have nowhere to go, and the next process has a composer of its own.
    agent.keys = PersonKeys::default();
    agent.outbox.composer_state = ComposerState::default();
    lost.into_iter()
        .flat_map(|lost| refused(lost.call, command_is_lost()))
        .collect()
}

fn command_is_lost() -> Problem {
    let cause = "the agent ended while the command was typed, and nobody tells whether it has it";
    Problem::busy("typing a command", cause, "look at its terminal, and send it again")
}

/// The process is gone: who waits for a prompt to arrive is told so. What was not typed stays for the next start.
pub fn ended(state: &mut Domain, chat: &ChatId, why: &str) -> Vec<Effect> {
    let mut effects = take_back(state, chat);
    let handle = chat::handle(state, chat);
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return effects;
    };
    for queued_prompt in agent
        .outbox
        .queue
        .iter_mut()
        .filter(|queued_prompt| queued_prompt.receipt.is_safe())
    {
        let Some(call) = queued_prompt.call.take() else {
            continue;
        };
        let hint = match queued_prompt.prompt.begun {
            true => "`parlour resume CHAT` looks whether the agent has it, and sends it if not",
            false => "sent when it runs again: `parlour resume CHAT`",
        };
        effects.push(put_off(
            queued_prompt,
            (call, &handle),
            &format!("the agent {why}"),
            hint,
        ));
    }
    effects
}

/// Answers a sender that the prompt is queued; for one that wanted to wait for its delivery that is a failure.
fn put_off(queued_prompt: &QueuedPrompt, (call, to): (CallId, &str), why: &str, hint: &str) -> Effect {
    let answer = match queued_prompt.receipt.patient {
        true => {
            let hint = format!("the prompt is queued; {hint}");
            Err(Problem::busy("waiting for a prompt's delivery", why, hint))
        }
        false => Ok(delivery_receipt::queued(
            to,
            &format!("{why}; {hint}"),
            &queued_prompt.prompt.key,
        )),
    };
    Effect::Reply(call, answer)
}

pub(super) fn refused(call: Option<CallId>, problem: Problem) -> Vec<Effect> {
    call.map(|call| Effect::Reply(call, Err(problem))).into_iter().collect()
}

/// Takes a prompt of a sender in. One that is known by its key is the same prompt; so is one in the same words as one that
/// an earlier engine took in, whose sender may have had no answer.
fn take_in(state: &mut Domain, chat: &ChatId, mut queued_prompt: QueuedPrompt) -> Vec<Effect> {
    let now = state.now;
    let record = state.disk.chats.get(chat).map(|known| &known.record);
    let delivered = record.and_then(|record| record.delivered_as(&queued_prompt.prompt));
    let was_delivered = delivered.is_some();
    let is_reused = delivered.is_some_and(|known| known.is_of_another(&queued_prompt.prompt));
    let handle = chat::handle(state, chat);
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    if is_reused || agent.outbox.ledger.has_another(&queued_prompt.prompt) {
        return refused(queued_prompt.call, reused(&queued_prompt.prompt.key));
    }
    if was_delivered {
        return delivery_receipt::answered(queued_prompt.call, &handle, &queued_prompt.prompt.key);
    }
    queued_prompt.receipt.asked = now;
    let steers = agent.is_steered();
    let outbox = &mut agent.outbox;
    if outbox.ledger.hears_again(&queued_prompt) {
        return Vec::new();
    }
    if outbox
        .queued_prompts_mut()
        .any(|known| is_another(known, &queued_prompt))
    {
        return refused(queued_prompt.call, another(&queued_prompt.prompt.key));
    }
    let mut effects = Vec::new();
    if let Some(known) = outbox.queued_prompts_mut().find(|known| is_same(known, &queued_prompt)) {
        if let Some(first) = known.call.take() {
            let hint = "whoever sent it last is told when it arrives";
            effects.push(put_off(
                known,
                (first, &handle),
                "the same prompt was sent again under its id",
                hint,
            ));
        }
        known.call = queued_prompt.call;
        known.receipt = Receipt {
            patient: queued_prompt.receipt.patient,
            asked: now,
            ..known.receipt.clone()
        };
    } else {
        if !queued_prompt.receipt.taken {
            queued_prompt.changed(&mut outbox.ledger);
        }
        let overtakes = steers && !queued_prompt.prompt.follow_up && queued_prompt.prompt.message.is_none();
        let place = match overtakes {
            _ if queued_prompt.receipt.first => outbox.place_of_first(),
            true => outbox.place_of_steer(),
            false if queued_prompt.prompt.not_before.is_some() => outbox.queue.len(),
            false => outbox.place_of_follow_up(),
        };
        outbox.queue.insert(place, queued_prompt);
    }
    effects.extend(pump(state, chat));
    effects.push(Effect::WakeAt(now.plus_ms(delivery_receipt::ANSWER_MS)));
    effects
}

fn is_same(known: &QueuedPrompt, queued_prompt: &QueuedPrompt) -> bool {
    let (known_as, prompt) = (&known.prompt, &queued_prompt.prompt);
    let same_words = known_as.text == prompt.text && known_as.from == prompt.from && known_as.sender == prompt.sender;
    let same_key = !prompt.key.is_empty() && known_as.key == prompt.key;
    let is_retry = known.receipt.left_over && known.call.is_none() && queued_prompt.call.is_some() && same_words;
    same_key || is_retry && known_as.message.is_none()
}

/// Its key is that of a prompt in other words.
fn is_another(known: &QueuedPrompt, queued_prompt: &QueuedPrompt) -> bool {
    let (known, prompt) = (&known.prompt, &queued_prompt.prompt);
    !prompt.key.is_empty() && known.key == prompt.key && known.text != prompt.text
}

fn another(key: &str) -> Problem {
    let cause = format!("a prompt with other words waits under the id {key}, and an id belongs to one prompt");
    Problem::new("sending a prompt", cause, "send it under another id, or without --id")
}

fn reused(key: &str) -> Problem {
    let cause = format!("a prompt with other words was sent under the id {key}, and an id belongs to one prompt");
    Problem::new("sending a prompt", cause, "send it under another id, or without --id")
}

/// What the composer of an agent shows, that a prompt is for.
pub fn glanced(state: &mut Domain, chat: &ChatId, glance: Glance) -> Vec<Effect> {
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let asked = glance.asked;
    agent.sees(glance, now);
    if agent.outbox.typing.is_some() {
        return match asked {
            true => typing::seen(state, chat),
            false => Vec::new(),
        };
    }
    if agent.outbox.queue.is_empty() {
        return Vec::new();
    }
    let mut effects = match asked && is_ready(agent, now) {
        true => {
            let effects = typing::start(agent, chat, now);
            typing::begins_turn(state, chat);
            effects
        }
        false => pump(state, chat),
    };
    // Whatever stands there, or covers it, is gone when the screen changes.
    let agent = state.live.agents.get(chat);
    if agent.is_some_and(|agent| agent.outbox.typing.is_none() && agent.composer_is_taken()) {
        effects.push(Effect::Pane(chat.clone().into(), PaneOrder::Look));
    }
    effects
}

/// A writing of the prompts of a chat is done: what waited for it goes on.
pub fn written(state: &mut Domain, chat: &ChatId, number: u64) -> Vec<Effect> {
    let mut effects = delivery_receipt::written(state, chat, number);
    effects.extend(pump(state, chat));
    effects
}
