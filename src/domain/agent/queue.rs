//! The prompts that wait for an agent, changed by a person: another text, another place, another kind, or none at all.
//!
//! A prompt that the agent may have already is not changed. Every change goes to disk by the one way that prompts go
//! ([`delivery_receipt`]), and whoever asked hears of it once it is there. Where no agent is known the record alone is
//! changed, in memory at once, so that the next change builds on it.

use std::collections::VecDeque;

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::notice::Done;
use crate::domain::reply;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ChatThen, ChatWork, JournalThen, JournalWork};
use crate::model::chat::Pending;
use crate::model::queue::{PromptKind, QueueAsk, QueueChange};
use crate::model::talk::RevertedTalk;
use crate::model::{ChatId, Happened, Problem, ProblemKind};

use super::acknowledgement;
use super::delivery;
use super::delivery_receipt::removed;
use super::state::outbox::{Outbox, QueuedPrompt};
use super::waiting_prompts::{BEING_TYPED, IN_COMPOSER, MAY_HAVE_IT, MESSAGE, fixed, json, left_over, messages};

pub use super::waiting_prompts::{briefly, count, is_about_to_be_typed, list, place, taken_back};

const DOING: &str = "changing a queued prompt";

pub fn ask(state: &mut Domain, chat: &ChatId, ask: QueueAsk, requester: Requester) -> Result<Vec<Effect>, Problem> {
    match ask {
        QueueAsk::List => {
            let told = json(state, chat);
            Ok(reply::answer(state, requester, Ok(told)))
        }
        QueueAsk::Change { prompt, change: wanted } => change(state, chat, &prompt, wanted, requester),
    }
}

fn change(
    state: &mut Domain,
    chat: &ChatId,
    id: &str,
    change: QueueChange,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    if let QueueChange::Edit(text) = &change {
        delivery::fits(text)?;
        if acknowledgement::is_blank(text) {
            let hint = "`parlour queue CHAT --remove N` takes it out of the queue";
            return Err(Problem::new(DOING, "its text would be empty", hint));
        }
    }
    let now = state.now;
    if messages(state, chat).iter().any(|message| message.id() == id) {
        return Err(Problem::new(DOING, MESSAGE, "send another prompt instead").of_kind(ProblemKind::Busy));
    }
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return change_record(state, chat, id, change, requester);
    };
    let Some(at) = agent.outbox.queue.iter().position(|queued| queued.prompt.id() == id) else {
        let begun = agent.outbox.begun().any(|queued| queued.prompt.id() == id);
        return Err(gone(begun));
    };
    let fixed = agent.outbox.queue.get(at).and_then(|queued| fixed(agent, at, queued));
    let is_erased = fixed == Some(IN_COMPOSER) && change == QueueChange::Remove;
    if let Some(why) = fixed.filter(|_| !is_erased) {
        let hint = match why {
            IN_COMPOSER => "`parlour queue CHAT --remove N` takes it out of the queue and erases it there",
            _ => "send another prompt instead",
        };
        return Err(Problem::new(DOING, why, hint).of_kind(ProblemKind::Busy));
    }
    let first_is_fixed = agent.outbox.composer_state.has_left();
    let steers = agent.is_steered();
    let outbox = &mut agent.outbox;
    let mut effects = Vec::new();
    if let Some(gone) = apply(outbox, at, change, first_is_fixed, steers) {
        effects.extend(removed(gone, &mut outbox.ledger));
    } else if let Some(queued) = outbox.queue.iter_mut().find(|queued| queued.prompt.id() == id) {
        queued.receipt.asked = now;
    }
    outbox.ledger.asks(requester);
    if is_erased {
        effects.extend(agent.erase_what_was_left(chat, now));
    }
    effects.extend(delivery::pump(state, chat));
    Ok(effects)
}

/// Changes the queue; what was taken out of it.
fn apply(
    outbox: &mut Outbox,
    at: usize,
    change: QueueChange,
    first_is_fixed: bool,
    steers: bool,
) -> Option<QueuedPrompt> {
    let mut queued = outbox.queue.remove(at)?;
    let first = usize::from(first_is_fixed);
    let place = match change {
        QueueChange::Remove => return Some(queued),
        QueueChange::Edit(text) => {
            queued.prompt.text = text;
            (queued.prompt.begun, queued.prompt.told) = (false, false);
            at
        }
        QueueChange::Move(to) => to.saturating_sub(1).clamp(first, outbox.queue.len().max(first)),
        QueueChange::Turn(kind) => {
            queued.prompt.follow_up = kind == PromptKind::FollowUp;
            match steers && !queued.prompt.follow_up {
                true => outbox.place_of_steer().min(at),
                false => at,
            }
        }
    };
    queued.changed(&mut outbox.ledger);
    outbox.queue.insert(place.min(outbox.queue.len()), queued);
    None
}

/// The conversation was taken back that they were written for: the prompts of a person that wait are a draft again. An
/// agent that goes on from an earlier moment would take them for what they do not mean there. If none waits, the prompt
/// that was taken back first is one: who goes back says it in other words most often.
pub fn give_back(state: &mut Domain, chat: &ChatId, talk: &RevertedTalk) -> Vec<Effect> {
    let mut effects = Vec::new();
    let mut outbox = match state.live.agents.get_mut(chat) {
        Some(agent) => std::mem::take(&mut agent.outbox),
        None => left_over(state, chat),
    };
    let (back, stays): (VecDeque<_>, VecDeque<_>) = std::mem::take(&mut outbox.queue)
        .into_iter()
        .partition(|queued| queued.prompt.is_written());
    outbox.queue = stays;
    let texts: Vec<String> = back.iter().map(|queued| queued.prompt.text.clone()).collect();
    for queued in back {
        effects.extend(removed(queued, &mut outbox.ledger));
    }
    match state.live.agents.get_mut(chat) {
        Some(agent) => agent.outbox = outbox,
        None if texts.is_empty() => {}
        None => {
            let before = state.disk.chats.get(chat).map(|known| known.record.prompts.clone());
            let prompts: Vec<Pending> = outbox.queue.into_iter().map(|queued| queued.prompt).collect();
            let removed = outbox.ledger.removed.into_iter().map(|(key, _)| key).collect();
            let chats = &mut state.disk.chats;
            chats.change(chat, |known| known.record.prompts.clone_from(&prompts));
            let job = JournalWork::Prompts(chat.clone(), prompts, removed);
            let then = JournalThen::Requeued(chat.clone(), before.unwrap_or_default());
            effects.extend(chat::work(state, Requester::Nobody, then, job));
        }
    }
    effects.extend(match texts.is_empty() {
        true => offer(state, chat, talk),
        false => as_draft(state, chat, texts),
    });
    effects
}

/// Where nothing is written. If it is there unchanged as the revert is undone, it goes again.
fn offer(state: &mut Domain, chat: &ChatId, talk: &RevertedTalk) -> Vec<Effect> {
    let (Some(known), Some(prompt)) = (state.disk.chats.get(chat), &talk.prompt) else {
        return Vec::new();
    };
    let written = known.record.set.draft.trim_end();
    let text = match (talk.shown.is_empty(), written) {
        (true, "") => prompt.trim_end().to_owned(),
        (false, written) if written == prompt.trim_end() => String::new(),
        (true | false, _) => return Vec::new(),
    };
    let job = ChatWork::Draft {
        chat: chat.clone(),
        text,
        instead_of: Some(known.record.set.draft.clone()),
    };
    chat::work(state, Requester::Nobody, ChatThen::Drafted, job)
}

fn as_draft(state: &mut Domain, chat: &ChatId, mut texts: Vec<String>) -> Vec<Effect> {
    let text = match texts.len() {
        0 => return Vec::new(),
        1 => "a prompt that waited is in the composer again: it was written for what was taken back".to_string(),
        many => {
            format!("{many} prompts that waited are in the composer again: they were written for what was taken back")
        }
    };
    let draft = state.disk.chats.get(chat).map(|known| known.record.set.draft.clone());
    texts.extend(draft.filter(|draft| !draft.is_empty()));
    let (chat, draft) = (chat.clone(), texts.join("\n"));
    let mut effects = chat::append(state, &chat, vec![Happened::Note { text }]);
    let job = ChatWork::Draft {
        chat,
        text: draft,
        instead_of: None,
    };
    effects.extend(chat::work(state, Requester::Nobody, ChatThen::Drafted, job));
    effects
}

impl Outbox {
    /// A prompt goes before the first of these that still waits.
    pub(super) fn put_before(&mut self, id: &str, behind: &[String]) {
        let first = usize::from(self.composer_state.has_left());
        let at = self.queue.iter().position(|queued| queued.prompt.id() == id);
        let place = self
            .queue
            .iter()
            .position(|queued| behind.contains(&queued.prompt.id()));
        if let Some((at, place)) = at.zip(place.map(|place| place.max(first)))
            && place < at
            && let Some(queued) = self.queue.remove(at)
        {
            self.queue.insert(place, queued);
            self.ledger.change();
        }
    }
}

/// A prompt for later, where no agent of this engine is known: it stands in the record until then.
pub(super) fn keep_timed(
    state: &mut Domain,
    chat: &ChatId,
    prompt: Pending,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    let changed = state.disk.chats.change(chat, |known| {
        let before = known.record.prompts.clone();
        known.record.prompts.push(prompt);
        (before, known.record.prompts.clone())
    });
    let Some((before, prompts)) = changed else {
        let hint = "`parlour list` shows the chats that are there";
        return Err(Problem::missing("sending a prompt", "its chat is gone", hint));
    };
    let job = JournalWork::Prompts(chat.clone(), prompts, Vec::new());
    let then = JournalThen::Requeued(chat.clone(), before);
    Ok(chat::work(state, requester, then, job))
}

fn gone(begun: bool) -> Problem {
    match begun {
        true => Problem::new(DOING, BEING_TYPED, "send another prompt instead").of_kind(ProblemKind::Busy),
        false => {
            let hint = "`parlour queue CHAT` shows those that wait";
            Problem::missing(DOING, "no queued prompt has that id: it may have been sent", hint)
        }
    }
}

/// No agent of this engine is known: what an earlier one took in stands in the record.
fn change_record(
    state: &mut Domain,
    chat: &ChatId,
    id: &str,
    change: QueueChange,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    let mut outbox = left_over(state, chat);
    let before: Vec<Pending> = outbox.queue.iter().map(|queued| queued.prompt.clone()).collect();
    let at = before.iter().position(|prompt| prompt.id() == id);
    let at = at.ok_or_else(|| gone(false))?;
    if before[at].begun {
        return Err(Problem::new(DOING, MAY_HAVE_IT, "`parlour resume CHAT` runs it").of_kind(ProblemKind::Busy));
    }
    let taken = apply(&mut outbox, at, change, false, false);
    let prompts: Vec<Pending> = outbox.queue.into_iter().map(|queued| queued.prompt).collect();
    let removed = taken.into_iter().map(|queued| queued.prompt.key).collect();
    let chats = &mut state.disk.chats;
    chats.change(chat, |known| known.record.prompts.clone_from(&prompts));
    let job = JournalWork::Prompts(chat.clone(), prompts, removed);
    let then = JournalThen::Requeued(chat.clone(), before);
    Ok(chat::work(state, requester, then, job))
}

/// The changed queue is on disk.
pub fn requeued(state: &mut Domain, chat: &ChatId, requester: Requester) -> Vec<Effect> {
    reply::show(state, requester, Done::Changed(chat.clone()));
    let told = json(state, chat);
    reply::answer(state, requester, Ok(told))
}

/// It is not: it stays as it was.
pub fn not_requeued(
    state: &mut Domain,
    chat: &ChatId,
    before: Vec<Pending>,
    requester: Requester,
    problem: Problem,
) -> Vec<Effect> {
    if !state.live.agents.contains_key(chat) {
        state.disk.chats.change(chat, |known| known.record.prompts = before);
    }
    reply::answer(state, requester, Err(problem))
}
