//! What is on disk of the prompts for an agent, and what their senders are told.
//!
//! The order is: on disk, synced, then typed and told. A sender hears at once: that the agent has the prompt, or that it
//! is queued and why. A writing has a number; what waits for it is safe once that writing is done.

use serde_json::{Value, json};

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::notice::{Done, Notice};
use crate::domain::reply;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{JournalThen, JournalWork};
use crate::model::alert::AlertKind;
use crate::model::chat::Pending;
use crate::model::{CallId, ChatId, Happened, Problem, Timestamp};

use super::alert;
use super::obstacle::{BEHIND, DOUBTED, first_obstacle};
use super::state::Agent;
use super::state::outbox::{Ledger, Obstacle, QueuedPrompt};
use super::waiting_prompts;

/// How long a prompt may take that nothing keeps from its agent, until its sender is told that it is queued.
pub(super) const ANSWER_MS: u64 = 3_000;

/// How long a sender that waits for the delivery hears nothing of why it takes long.
const QUIET_MS: u64 = 1_000;

/// Between two attempts to write down what could not be written.
const AGAIN_MS: u64 = 1_000;

/// Why a prompt that was typed still counts as queued.
const UNCONFIRMED: &str = "typed, and the agent has yet to confirm it";

const LONGEST_KEY: usize = 64;

/// Writes down what the agent has not got yet, or may lose again.
pub fn keep(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let outbox = &mut agent.outbox;
    outbox.ledger.changed = false;
    outbox.ledger.again = None;
    outbox.ledger.handed += 1;
    let number = outbox.ledger.handed;
    let prompts = outbox
        .queued_prompts()
        .map(|queued_prompt| queued_prompt.prompt.clone());
    // A command that was typed once is never typed again.
    let is_kept = |prompt: &Pending| prompt.message.is_none() && !(prompt.command && prompt.begun);
    let prompts = prompts.filter(is_kept).collect();
    let removed = outbox.ledger.removed.iter().map(|(key, _)| key.clone()).collect();
    let job = JournalWork::Prompts(chat.clone(), prompts, removed);
    chat::work(state, Requester::Nobody, JournalThen::Kept(chat.clone(), number), job)
}

/// A writing is done.
pub fn written(state: &mut Domain, chat: &ChatId, number: u64) -> Vec<Effect> {
    let handle = chat::handle(state, chat);
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let outbox = &mut agent.outbox;
    outbox
        .queued_prompts_mut()
        .for_each(|queued_prompt| queued_prompt.mark_written(number));
    outbox.ledger.removed.retain(|(_, due)| *due > number);
    let changed: Vec<(Requester, u64)> = outbox
        .ledger
        .changes
        .extract_if(.., |(_, due)| *due <= number)
        .collect();
    let delivered = &mut outbox.ledger.delivered;
    let safe = delivered.extract_if(.., |known| known.due <= number);
    let mut effects: Vec<Effect> = safe
        .flat_map(|known| answered(known.call, &handle, &known.key))
        .collect();
    for (who, _) in changed {
        reply::show(state, who, Done::Changed(chat.clone()));
        let told = waiting_prompts::json(state, chat);
        effects.extend(reply::answer(state, who, Ok(told)));
    }
    effects
}

/// A person took it out of the queue: its sender hears of that, and its key may be used again.
pub(super) fn removed(queued_prompt: QueuedPrompt, ledger: &mut Ledger) -> Vec<Effect> {
    let due = ledger.change();
    if !queued_prompt.prompt.key.is_empty() {
        ledger.removed.push((queued_prompt.prompt.key, due));
    }
    let problem = Problem::new(
        "sending a prompt",
        "a person took it out of the queue",
        "ask them, or send another",
    );
    let call = queued_prompt.call.into_iter();
    call.map(|call| Effect::Reply(call, Err(problem.clone()))).collect()
}

/// A writing failed: what was never on disk is refused, and the rest is written later. Nobody hears the refusal of what
/// a tab sent: that is kept, is written later too, and those who look at the chat are told.
pub fn unwritten(state: &mut Domain, chat: &ChatId, number: u64, problem: &Problem) -> Vec<Effect> {
    let again = state.now.plus_ms(AGAIN_MS);
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let outbox = &mut agent.outbox;
    let is_new = |queued_prompt: &QueuedPrompt| {
        !queued_prompt.receipt.taken && queued_prompt.receipt.due.is_some_and(|due| due <= number)
    };
    let (lost, mut kept): (Vec<QueuedPrompt>, Vec<QueuedPrompt>) = std::mem::take(&mut outbox.queue)
        .into_iter()
        .partition(|queued_prompt| is_new(queued_prompt) && queued_prompt.is_refused());
    let mut is_told = true;
    for queued_prompt in kept.iter_mut().filter(|queued_prompt| is_new(queued_prompt)) {
        is_told &= std::mem::replace(&mut queued_prompt.receipt.unwritten, true);
    }
    outbox.queue = kept.into();
    outbox.ledger.again = Some(again);
    let calls = lost.into_iter().filter_map(|queued_prompt| queued_prompt.call);
    let mut effects: Vec<Effect> = calls.map(|call| Effect::Reply(call, Err(problem.clone()))).collect();
    let of_it = |(_, due): &mut (Requester, u64)| *due <= number;
    let changes: Vec<(Requester, u64)> = outbox.ledger.changes.extract_if(.., of_it).collect();
    for (who, _) in changes {
        effects.extend(reply::answer(state, who, Err(problem.clone())));
    }
    effects.push(Effect::WakeAt(again));
    if !is_told {
        let words = format!(
            "Your prompt waits, since it cannot be written to disk: {}.",
            problem.cause
        );
        state.notices.push(Notice::ChatTrouble(chat.clone(), words));
    }
    effects
}

/// After every event: what changed is handed out to be written, and senders are told what is known by now.
pub fn settle(state: &mut Domain) -> Vec<Effect> {
    let now = state.now;
    let busy = |agent: &Agent| {
        let ledger = &agent.outbox.ledger;
        let again = ledger.again.is_some_and(|at| at <= now);
        ledger.changed && ledger.again.is_none() || again || agent.outbox.queued_prompts().next().is_some()
    };
    let busy = state.live.agents.awake().filter(|(_, agent)| busy(agent));
    let chats: Vec<ChatId> = busy.map(|(chat, _)| chat.clone()).collect();
    let mut effects = Vec::new();
    for chat in chats {
        let ledger = state.live.agents.get(&chat).map(|agent| &agent.outbox.ledger);
        if ledger.is_some_and(|ledger| ledger.again.map_or(ledger.changed, |at| at <= now)) {
            effects.extend(keep(state, &chat));
        }
        effects.extend(tell(state, &chat));
    }
    effects
}

/// Tells each sender of a chat's prompts what is known of them.
fn tell(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let now = state.now;
    let handle = chat::handle(state, chat);
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let mut effects = Vec::new();
    for heard in &mut agent.outbox.heard {
        let queued_prompt = &mut heard.queued_prompt;
        if queued_prompt.receipt.is_safe() {
            effects.extend(answered(queued_prompt.call.take(), &handle, &queued_prompt.prompt.key));
        }
    }
    for queued_prompt in &mut agent.outbox.doubted {
        effects.extend(queued_prompt.say(&handle, DOUBTED, now));
    }
    if let Some(typing) = agent.outbox.typing.as_mut() {
        let late = now.ms_since(typing.queued_prompt.receipt.asked) >= ANSWER_MS;
        effects.extend(
            late.then(|| typing.queued_prompt.say(&handle, UNCONFIRMED, now))
                .into_iter()
                .flatten(),
        );
    }
    let typing = agent.outbox.typing.is_some();
    let first = first_obstacle(agent, now).filter(|_| !typing);
    let rests = agent.verdict.status.is_idle() && agent.since < now && agent.outbox.held.is_none();
    let (mut notes, mut held_up) = (Vec::new(), None);
    for (place, queued_prompt) in agent.outbox.queue.iter_mut().enumerate() {
        if !queued_prompt.receipt.is_safe() {
            continue;
        }
        let late = now.ms_since(queued_prompt.receipt.asked) >= ANSWER_MS;
        let why = match (&first, place) {
            _ if typing => BEHIND,
            (Some(obstacle), 0) => obstacle.why(),
            (None, 0) if !late => continue,
            (None, 0) => UNCONFIRMED,
            (_, _) => BEHIND,
        };
        effects.extend(queued_prompt.say(&handle, why, now));
        let is_persons = place == 0 && first.as_ref().is_some_and(Obstacle::is_a_persons);
        if is_persons && !queued_prompt.receipt.noted {
            queued_prompt.receipt.noted = true;
            let is_known = queued_prompt.call.is_some() || queued_prompt.receipt.said.as_deref() == Some(why);
            notes.extend((!is_known).then(|| Happened::waits(why)));
            held_up = (!is_known && rests).then(|| format!("a prompt waits: {why}"));
        }
    }
    effects.extend(chat::append(state, chat, notes));
    // As its turn ended this seemed to go by itself, and nobody was called.
    if let Some(why) = held_up {
        effects.extend(alert::call(state, chat, AlertKind::NeedsYou, why));
    }
    effects
}

impl QueuedPrompt {
    /// Whoever sent it hears that it cannot be written down, and has it still.
    fn is_refused(&self) -> bool {
        self.call.is_some() || self.receipt.comes_back
    }

    /// Its sender hears that it is queued, and why.
    fn say(&mut self, to: &str, why: &str, now: Timestamp) -> Vec<Effect> {
        let Some(call) = self.call else {
            return Vec::new();
        };
        let quiet = self.receipt.asked.plus_ms(QUIET_MS);
        match self.receipt.patient {
            true if now < quiet => return vec![Effect::WakeAt(quiet)],
            true if self.receipt.said.as_deref() == Some(why) => return Vec::new(),
            true | false => {}
        }
        self.receipt.said = Some(why.into());
        if self.receipt.patient {
            return vec![Effect::Stream(call, json!({"waiting": why}))];
        }
        self.call = None;
        let mut answer = queued(to, why, &self.prompt.key);
        if self.receipt.left_over {
            answer["already"] = true.into();
        }
        vec![Effect::Reply(call, Ok(answer))]
    }
}

/// The name that a sender gives a prompt: it is written down, and shown.
pub fn key(id: String) -> Result<String, Problem> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    match id.len() <= LONGEST_KEY && id.chars().all(fits) {
        true => Ok(id),
        false => {
            let cause = format!("its id is not up to {LONGEST_KEY} letters, digits, dots, dashes and underscores");
            Err(Problem::new("sending a prompt", cause, "a UUID is one"))
        }
    }
}

/// The answer to a sender whose prompt is on disk and waits; `to` is the handle of the chat.
pub fn queued(to: &str, why: &str, key: &str) -> Value {
    json!({"sent": false, "handle": to, "queued": true, "why": why, "id": key})
}

/// The answer to a sender whose prompt the agent has.
pub fn sent(to: &str, key: &str) -> Value {
    json!({"sent": true, "handle": to, "queued": false, "why": null, "id": key})
}

/// As [`sent`]; `to` is the handle of the chat.
pub fn answered(call: Option<CallId>, to: &str, key: &str) -> Vec<Effect> {
    call.map(|call| Effect::Reply(call, Ok(sent(to, key))))
        .into_iter()
        .collect()
}
