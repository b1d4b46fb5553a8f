//! That an agent has a prompt: by its hooks or its transcript, or taken for granted where it tells of none.
//!
//! What a hook says counts for the sender. The prompt stays in the record until the CLI's own transcript has it: a CLI
//! that is killed before it wrote that has forgotten the prompt.

use std::collections::VecDeque;

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Domain;
use crate::domain::state::Requester;
use crate::domain::work::{InboxJob, JournalThen, JournalWork};
use crate::model::chat::Pending;
use crate::model::entry::From;
use crate::model::{Capabilities, ChatId, Happened, Timestamp};

use super::delivery_receipt;
use super::draft::Draft;
use super::prompt_escape::is_said;
use super::same_text::bare;
use super::state::Agent;
use super::state::outbox::{ObservedPrompt, Outbox, QueuedPrompt};

/// Who says that the agent has a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptWitness {
    Hook,
    /// What the CLI wrote to disk at that moment: it survives the CLI's end.
    Transcript(Timestamp),
}

/// The agent has a prompt: what is told of it, with who it came from; nothing where it was told before. One that parlour
/// did not type is a person's.
pub fn confirm(
    state: &mut Domain,
    chat: &ChatId,
    by: PromptWitness,
    id: String,
    text: String,
) -> (Option<Happened>, Vec<Effect>) {
    let now = state.now;
    let steer = state
        .live
        .agents
        .get(chat)
        .is_some_and(|agent| agent.takes_into_turn(&id, &text));
    if !steer {
        state.live.reviews.begins(chat, by == PromptWitness::Hook, text.trim());
    }
    let happened = |(from, sender, key)| Happened::Prompt {
        id: id.clone(),
        steer,
        text: text.clone(),
        from,
        sender,
        checkpoint: None,
        key,
    };
    let by_person = || happened((From::Person, None, String::new()));
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return (Some(by_person()), Vec::new());
    };
    agent.draft = Draft::default();
    agent.quiescence.works();
    if steer {
        agent.turn.ahead.adds(&id);
    }
    let said = bare(&text);
    let same = |prompt: &Pending| is_said(&bare(&prompt.text), &said);
    let mut effects = Vec::new();
    let typed = agent
        .outbox
        .typing
        .as_ref()
        .is_some_and(|typing| same(&typing.queued_prompt.prompt));
    let rested = agent.verdict.status.is_idle() || agent.verdict.status.has_failed();
    if typed && rested {
        effects.extend(agent.begins_unseen(now));
    }
    let was_doubted = agent.outbox.is_doubted(same);
    let found = agent.outbox.found(by, same);
    let mixed = found.is_none();
    let Some(mut queued_prompt) = found.or_else(|| agent.outbox.sent_along(&said)) else {
        let given = agent.outbox.went_along.take_if(|given| same(given));
        let told = given.map_or_else(by_person, |given| happened((given.from, given.sender, given.key)));
        return (Some(told), effects);
    };
    let Pending {
        from,
        sender,
        key,
        told,
        ..
    } = queued_prompt.prompt.clone();
    // With more words than were typed it is a person's.
    let (from, sender) = match mixed {
        true => (From::Person, None),
        false => (from, sender),
    };
    let event = happened((from, sender, key));
    let is_durable = agent.keeps(by);
    let is_news = match told {
        // Typed once more, it has another id.
        true => {
            agent.dedup.news(vec![event]);
            None
        }
        false => Some(event),
    };
    if is_durable {
        effects.extend(deliver(state, chat, by, queued_prompt));
    } else {
        queued_prompt.prompt.told |= !id.is_empty();
        queued_prompt.changed(&mut agent.outbox.ledger);
        let at = match by {
            PromptWitness::Hook => now,
            PromptWitness::Transcript(at) => at,
        };
        agent.outbox.heard.push_back(ObservedPrompt {
            queued_prompt,
            steer,
            at,
        });
    }
    if was_doubted {
        effects.extend(chat::append(state, chat, vec![taken_after_all()]));
    }
    (is_news, effects)
}

/// Whether a hook tells of a prompt that its CLI keeps until the turn under way lets it in, or is over: it comes under the
/// id of another one, which that turn works on. Where a person broke that off, its transcript tells what came before the
/// prompt, and then the prompt.
pub(super) fn is_ahead(state: &Domain, chat: &ChatId, id: &str, text: &str) -> bool {
    let Some(agent) = state.live.agents.get(chat) else {
        return false;
    };
    let said = bare(text);
    let is_typed = |outbox: &Outbox| {
        let typing = outbox.typing.as_ref();
        typing.is_some_and(|typing| is_said(&bare(&typing.queued_prompt.prompt.text), &said))
    };
    // The hook of that other one may not have been heard.
    let is_anothers = || !id.is_empty() && agent.dedup.has_key(&Happened::prompt_key(id)) && is_typed(&agent.outbox);
    agent.turn.ahead.is_of_turn(id) || is_anothers() || agent.broke_off_untold()
}

/// The CLI has taken a prompt in, and has not come to it: it may still be lost, and its turn has not begun.
pub(super) fn keeps_for_later(state: &mut Domain, chat: &ChatId, text: &str) {
    let now = state.now;
    if let Some(agent) = state.live.agents.get_mut(chat) {
        agent.draft = Draft::default();
        agent.quiescence.works();
        if agent.broke_off_untold() {
            agent.turn.comes_to_rest(now);
        }
        agent.turn.ahead.keeps(bare(text), now);
    }
}

/// The CLI's transcript tells of a prompt: what follows where it had kept that.
pub(super) fn comes_to(state: &mut Domain, chat: &ChatId, (id, text): (&str, &str), at: Timestamp) -> Vec<Happened> {
    let agent = state.live.agents.get_mut(chat);
    agent.map_or_else(Vec::new, |agent| agent.comes_to(id, &bare(text), at))
}

/// What was told of it as an error stands in the transcript: that it is none is told too.
fn taken_after_all() -> Happened {
    Happened::Note {
        text: "the prompt that the agent gave no sign of was taken after all".into(),
    }
}

impl Agent {
    /// Its turn has ended, and neither a hook nor its transcript has told why: a person broke it off just now.
    fn broke_off_untold(&self) -> bool {
        let tells = |capabilities: &Capabilities| capabilities.queues && capabilities.transcribes;
        let is_untold = self.turn.over.is_none() && self.turn.ahead.has_begun() && self.verdict.status.is_idle();
        is_untold && self.capabilities.as_ref().is_some_and(tells)
    }

    /// It has just said that it has this prompt, which was typed for the turn that runs, and that turn goes on. A person may
    /// have typed it in its terminal.
    fn takes_into_turn(&self, id: &str, text: &str) -> bool {
        let said = bare(text);
        let is_it = |queued_prompt: &QueuedPrompt| is_said(&bare(&queued_prompt.prompt.text), &said);
        let heard = self.outbox.heard.iter().find(|heard| is_it(&heard.queued_prompt));
        let typing = self.outbox.typing.as_ref();
        let typing = typing.filter(|typing| is_it(&typing.queued_prompt));
        let steers = |capabilities: &Capabilities| capabilities.queues;
        match (heard, typing) {
            (Some(heard), _) => heard.steer,
            (None, _) if self.turn.over.is_some() => false,
            // Its CLI may have come to it with a turn of its own since.
            (None, Some(typing)) => typing.steers && self.turn.began <= typing.began,
            (None, None) => {
                self.capabilities.as_ref().is_some_and(steers) && self.turn.ahead.works_on_another(id, &said)
            }
        }
    }

    /// What is said by this source survives the CLI's end.
    fn keeps(&self, by: PromptWitness) -> bool {
        match by {
            PromptWitness::Hook => !self
                .capabilities
                .as_ref()
                .is_some_and(|capabilities| capabilities.transcribes),
            PromptWitness::Transcript(_) => true,
        }
    }
}

/// The CLI's transcript has what was told before: so has the agent, for good.
pub fn recorded(state: &mut Domain, chat: &ChatId, what: &Happened) -> Vec<Effect> {
    let Happened::Prompt { text, .. } = what else {
        return Vec::new();
    };
    let said = bare(text);
    let same = |prompt: &Pending| prompt.told && is_said(&bare(&prompt.text), &said);
    let by = PromptWitness::Transcript(state.now);
    let agent = state.live.agents.get_mut(chat);
    let queued_prompt = agent.and_then(|agent| agent.outbox.found(by, same));
    queued_prompt.map_or_else(Vec::new, |queued_prompt| deliver(state, chat, by, queued_prompt))
}

/// Nothing of it would ever stand in a composer, so that nobody could tell that it came there: blanks, and signs without
/// a width, as pages hold them.
pub(in crate::domain) fn is_blank(text: &str) -> bool {
    bare(text).is_empty()
}

impl Outbox {
    /// The prompt that the agent is said to have. The next one is not begun here: the agent still counts as idle, and
    /// whoever brought the evidence judges it again first.
    fn found(&mut self, by: PromptWitness, same: impl Fn(&Pending) -> bool) -> Option<QueuedPrompt> {
        let heard = self.heard.iter().position(|heard| same(&heard.queued_prompt.prompt));
        if let Some(at) = heard.filter(|_| by != PromptWitness::Hook) {
            return self.heard.remove(at).map(|heard| heard.queued_prompt);
        }
        if let Some(queued_prompt) = self.end_typing(|queued_prompt| same(&queued_prompt.prompt)) {
            return Some(queued_prompt);
        }
        let doubted = self
            .doubted
            .iter()
            .position(|queued_prompt| same(&queued_prompt.prompt));
        match doubted {
            Some(at) => Some(self.doubted.remove(at)),
            None => self.take(same),
        }
    }

    fn is_doubted(&self, same: impl Fn(&Pending) -> bool) -> bool {
        self.doubted.iter().any(|queued_prompt| same(&queued_prompt.prompt))
    }

    /// What stood in the composer, and a person sent with words of their own beside it.
    fn sent_along(&mut self, said: &str) -> Option<QueuedPrompt> {
        let within = |queued_prompt: &QueuedPrompt| {
            let text = bare(&queued_prompt.prompt.text);
            !text.is_empty() && said.contains(&text)
        };
        if let Some(queued_prompt) = self.end_typing(within) {
            return Some(queued_prompt);
        }
        let left = self
            .queue
            .front()
            .is_some_and(|queued_prompt| self.composer_state.has_left() && within(queued_prompt));
        match left {
            true => self.queue.pop_front(),
            false => None,
        }
    }

    /// The conversation went on behind what hooks told of until then: the CLI has that on disk, in whatever words.
    pub(super) fn goes_on(&mut self, since: Timestamp) -> Vec<QueuedPrompt> {
        let (before, rest): (Vec<ObservedPrompt>, Vec<ObservedPrompt>) =
            self.heard.drain(..).partition(|heard| heard.at <= since);
        self.heard = rest.into();
        before.into_iter().map(|heard| heard.queued_prompt).collect()
    }
}

/// The CLI's transcript tells this at that moment: what it answers is in the conversation.
pub fn answers(state: &mut Domain, chat: &ChatId, what: &Happened, at: Timestamp) -> Vec<Effect> {
    match what.is_answer() {
        true => conversation_is_at(state, chat, at),
        false => Vec::new(),
    }
}

/// All that hooks told before this moment is in the conversation.
pub fn conversation_is_at(state: &mut Domain, chat: &ChatId, at: Timestamp) -> Vec<Effect> {
    let agent = state.live.agents.get_mut(chat);
    let queued_prompts = agent.map(|agent| agent.outbox.goes_on(at)).unwrap_or_default();
    let by = PromptWitness::Transcript(at);
    queued_prompts
        .into_iter()
        .flat_map(|queued_prompt| deliver(state, chat, by, queued_prompt))
        .collect()
}

/// A person broke off the turn that began with a prompt, and its CLI writes nothing of it: it is not to be typed again.
pub(super) fn let_go_of_broken_off(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let by = PromptWitness::Transcript(state.now);
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    // What steered its CLI may put back, and send later.
    let heard = std::mem::take(&mut agent.outbox.heard);
    let (stays, gone): (VecDeque<ObservedPrompt>, VecDeque<ObservedPrompt>) =
        heard.into_iter().partition(|heard| heard.steer);
    agent.outbox.heard = stays;
    gone.into_iter()
        .flat_map(|heard| deliver(state, chat, by, heard.queued_prompt))
        .collect()
}

/// It is the agent's for good. The record says so before our transcript does: an engine that is killed between the two
/// reads it in the CLI's again.
fn deliver(state: &mut Domain, chat: &ChatId, by: PromptWitness, queued_prompt: QueuedPrompt) -> Vec<Effect> {
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let effects = match (queued_prompt.prompt.message.clone(), by) {
        (Some(id), _) => delivered(state, chat, id),
        (None, PromptWitness::Transcript(_)) => delivery_receipt::keep(state, chat),
        // Here our transcript is all that tells of it.
        (None, PromptWitness::Hook) => {
            agent.outbox.ledger.change();
            Vec::new()
        }
    };
    if let Some(agent) = state.live.agents.get_mut(chat) {
        agent.outbox.ledger.delivered(&queued_prompt);
        agent.quiescence.asked = true;
    }
    effects
}

/// This agent never says what it has got: the prompt is noted as typed, and counts as its own.
pub(super) fn assume(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let (id, now) = (format!("typed-{}", state.ids.number()), state.now);
    let agent = state.live.agents.get_mut(chat);
    let Some(queued_prompt) = agent.and_then(|agent| agent.outbox.end_typing(|_| true)) else {
        return Vec::new();
    };
    let event = told(id, &queued_prompt);
    let mut effects = deliver(state, chat, PromptWitness::Transcript(now), queued_prompt);
    effects.extend(chat::append(state, chat, vec![event]));
    effects
}

fn told(id: String, queued_prompt: &QueuedPrompt) -> Happened {
    let Pending {
        text,
        from,
        sender,
        command,
        key,
        ..
    } = queued_prompt.prompt.clone();
    if command {
        let text = format!("{text} was typed");
        return Happened::Note { text };
    }
    Happened::Prompt {
        id,
        text,
        from,
        sender,
        checkpoint: None,
        key,
        steer: false,
    }
}

/// The first prompt was among the arguments of the start. A CLI that tells of its prompts tells of this one too.
pub fn went_along(state: &mut Domain, chat: &ChatId, given: &str) -> Vec<Effect> {
    let (id, now) = (format!("given-{}", state.ids.number()), state.now);
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let tells = agent
        .capabilities
        .as_ref()
        .is_some_and(|capabilities| capabilities.confirms);
    // What came meanwhile may stand before it.
    let queue = &mut agent.outbox.queue;
    let place = queue
        .iter()
        .position(|queued_prompt| queued_prompt.prompt.id() == given);
    let Some(queued_prompt) = place.and_then(|at| queue.remove(at)) else {
        return Vec::new();
    };
    let event = told(id, &queued_prompt);
    let text = queued_prompt.prompt.text.clone();
    agent.outbox.went_along = tells.then(|| queued_prompt.prompt.clone());
    let mut effects = deliver(state, chat, PromptWitness::Transcript(now), queued_prompt);
    if !tells {
        state.live.reviews.sent(chat, &text);
        effects.extend(chat::append(state, chat, vec![event]));
    }
    effects
}

/// The agent has a message as a prompt.
pub(super) fn delivered(state: &mut Domain, chat: &ChatId, id: String) -> Vec<Effect> {
    state.live.inboxes.read.insert(id.clone());
    let job = JournalWork::Inbox(chat.clone(), InboxJob::Read(vec![id.clone()]));
    chat::work(state, Requester::Nobody, JournalThen::MarkedRead(id), job)
}
