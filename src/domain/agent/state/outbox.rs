//! What waits to be typed for an agent, the prompt that is being typed now, and what is on disk of them.

use std::collections::VecDeque;

use crate::domain::requester::Requester;
use crate::model::chat::Pending;
use crate::model::{CallId, Composer, Glance, Timestamp};

/// What waits to be typed, the prompt that is being typed now, and those that the agent may lose again.
#[derive(Default)]
pub struct Outbox {
    pub queue: VecDeque<QueuedPrompt>,
    pub typing: Option<InFlight>,
    /// A hook said that the agent has these; its transcript has yet to tell them.
    pub heard: VecDeque<ObservedPrompt>,
    /// They were entered, and the agent showed no sign of having them. At its next start they are looked for.
    pub doubted: Vec<QueuedPrompt>,
    /// What its composer shows.
    pub composer_state: ComposerState,
    pub ledger: Ledger,
    /// The prompt that goes along with the start of the agent, until that has begun.
    pub goes_along: Option<String>,
    /// It went along, and the agent has yet to tell of it.
    pub(in crate::domain::agent) went_along: Option<Pending>,
    /// A budget that is used up keeps them from being typed, in words.
    pub held: Option<&'static str>,
}

impl Outbox {
    /// Nothing of it is to be typed, and nobody waits to hear that.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty() && self.typing.is_none() && !self.ledger.awaits()
    }

    /// Nor is anything of it to be written.
    pub(in crate::domain::agent) fn is_settled(&self) -> bool {
        self.is_empty() && !self.ledger.changed && self.ledger.again.is_none() && self.held.is_none()
    }

    /// The prompt that is being typed has left the composer, if it is this one. What was seen while it stood there says
    /// nothing of the next one, and unless somebody watches nobody would look again.
    pub(in crate::domain::agent) fn end_typing(
        &mut self,
        is_it: impl FnOnce(&QueuedPrompt) -> bool,
    ) -> Option<QueuedPrompt> {
        let typing = self.typing.take_if(|typing| is_it(&typing.queued_prompt))?;
        self.composer_state.glance = None;
        Some(typing.queued_prompt)
    }

    /// The agent is not known to have the prompt of this key, and may get it.
    pub(in crate::domain) fn awaits(&self, key: &str) -> bool {
        let heard = self.heard.iter().map(|heard| &heard.queued_prompt);
        let typing = self.typing.iter().map(|typing| &typing.queued_prompt);
        let mut waiting = heard.chain(typing).chain(&self.queue);
        waiting.any(|waiting| waiting.prompt.key == key && !waiting.prompt.told)
    }

    /// One whose turn has not come, though the agent shows that it has it: it was typed before the engine or the agent
    /// ended. What was never typed is another of the same words.
    pub(in crate::domain::agent) fn take(&mut self, same: impl Fn(&Pending) -> bool) -> Option<QueuedPrompt> {
        let begun = |prompt: &Pending| prompt.begun || prompt.message.is_some();
        let is_it = |queued_prompt: &QueuedPrompt| begun(&queued_prompt.prompt) && same(&queued_prompt.prompt);
        let at = self.queue.iter().position(is_it)?;
        self.queue.remove(at)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedPrompt {
    pub prompt: Pending,
    /// Its sender, which waits to hear what becomes of it.
    pub call: Option<CallId>,
    pub receipt: Receipt,
}

impl QueuedPrompt {
    pub fn new(prompt: Pending, call: Option<CallId>) -> QueuedPrompt {
        // The inbox keeps its messages itself.
        let receipt = match prompt.message {
            Some(_) => Receipt::kept(),
            None => Receipt::default(),
        };
        QueuedPrompt { prompt, call, receipt }
    }

    /// As part of what a person does at this moment: that it waits is not told in the chat.
    pub fn unnoted(mut self) -> QueuedPrompt {
        self.receipt.noted = true;
        self
    }

    /// It says what the agent is to know before it goes on: it is sent before all that waits.
    pub fn first(mut self) -> QueuedPrompt {
        self.receipt.first = true;
        self
    }
}

impl Outbox {
    /// All that the agent may not have for good, in the order of their sending.
    pub fn queued_prompts(&self) -> impl Iterator<Item = &QueuedPrompt> {
        self.begun().chain(&self.queue)
    }

    /// Those that were typed, and that the agent may not have for good.
    pub fn begun(&self) -> impl Iterator<Item = &QueuedPrompt> {
        let heard = self.heard.iter().map(|heard| &heard.queued_prompt);
        let typing = self.typing.iter().map(|typing| &typing.queued_prompt);
        heard.chain(&self.doubted).chain(typing)
    }

    pub fn queued_prompts_mut(&mut self) -> impl Iterator<Item = &mut QueuedPrompt> {
        let heard = self.heard.iter_mut().map(|heard| &mut heard.queued_prompt);
        let typing = self.typing.iter_mut().map(|typing| &mut typing.queued_prompt);
        heard.chain(&mut self.doubted).chain(typing).chain(&mut self.queue)
    }
}

/// What is on disk of a prompt, and what its sender was told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// Its sender wants to hear only that it was delivered, and meanwhile why not.
    pub patient: bool,
    /// It goes back to the field that it was written in, where it cannot be stored.
    pub(in crate::domain::agent) comes_back: bool,
    /// An earlier engine took it in: whoever sent it may have had no answer.
    pub(in crate::domain::agent) left_over: bool,
    /// The writing after which its newest change is safe.
    pub(in crate::domain::agent) due: Option<u64>,
    /// It stands in the record, or in the inbox.
    pub(in crate::domain::agent) taken: bool,
    pub(in crate::domain::agent) asked: Timestamp,
    /// Why it waits, as its sender was told last.
    pub(in crate::domain::agent) said: Option<String>,
    /// That it waits for a person was told in the chat.
    pub(in crate::domain::agent) noted: bool,
    /// It goes before all that waits.
    pub(in crate::domain::agent) first: bool,
    /// The disk did not take it, which those who look at the chat were told. It is tried again.
    pub(in crate::domain::agent) unwritten: bool,
}

impl Receipt {
    /// For a prompt that is on disk already.
    pub fn kept() -> Receipt {
        Receipt {
            taken: true,
            ..Receipt::default()
        }
    }

    /// For one that an earlier engine took in.
    pub fn left_over() -> Receipt {
        Receipt {
            left_over: true,
            ..Receipt::kept()
        }
    }

    pub fn is_safe(&self) -> bool {
        self.taken && self.due.is_none()
    }
}

/// A prompt that its agent has, until the record remembers that.
pub struct DeliveredPrompt {
    pub(in crate::domain::agent) call: Option<CallId>,
    pub(in crate::domain::agent) key: String,
    /// What tells its words from those of another.
    words: String,
    /// The writing after which it is safe.
    pub(in crate::domain::agent) due: u64,
}

/// The writings of an outbox.
#[derive(Default)]
pub struct Ledger {
    /// The number of the last writing that was handed out.
    pub(in crate::domain::agent) handed: u64,
    /// Something changed since.
    pub(in crate::domain::agent) changed: bool,
    /// The last one failed: it is tried again then.
    pub(in crate::domain::agent) again: Option<Timestamp>,
    /// Prompts that their agent has, and who waits to hear so.
    pub(in crate::domain::agent) delivered: Vec<DeliveredPrompt>,
    /// Who changed the queue, and the writing after which that is safe.
    pub(in crate::domain::agent) changes: Vec<(Requester, u64)>,
    /// Keys of prompts that a person took out of the queue, until a writing has told that of them.
    pub(in crate::domain::agent) removed: Vec<(String, u64)>,
}

impl Ledger {
    /// Something is to be written; the number of the writing after which it is safe.
    pub fn change(&mut self) -> u64 {
        self.changed = true;
        self.handed + 1
    }

    /// The agent has this prompt for good: its sender is told once that is safe.
    pub fn delivered(&mut self, queued_prompt: &QueuedPrompt) {
        let due = self.change();
        let (call, key) = (queued_prompt.call, queued_prompt.prompt.key.clone());
        if call.is_some() || !key.is_empty() {
            let words = queued_prompt.prompt.words();
            self.delivered.push(DeliveredPrompt { call, key, words, due });
        }
    }

    /// The agent has another prompt under its key.
    pub fn has_another(&self, prompt: &Pending) -> bool {
        let is_another = |known: &DeliveredPrompt| known.key == prompt.key && known.words != prompt.words();
        !prompt.key.is_empty() && self.delivered.iter().any(is_another)
    }

    /// It is sent again, and the agent has it for good: its sender is told when the first one is. False where it is another.
    pub fn hears_again(&mut self, queued_prompt: &QueuedPrompt) -> bool {
        let key = &queued_prompt.prompt.key;
        let mut delivered = self.delivered.iter().filter(|_| !key.is_empty());
        let Some(due) = delivered.find_map(|known| (known.key == *key).then_some(known.due)) else {
            return false;
        };
        self.delivered.push(DeliveredPrompt {
            call: queued_prompt.call,
            key: key.clone(),
            words: queued_prompt.prompt.words(),
            due,
        });
        true
    }

    /// Somebody changed the queue, and hears of it once that is safe.
    pub fn asks(&mut self, who: Requester) {
        let due = self.change();
        self.changes.push((who, due));
    }

    pub fn awaits(&self) -> bool {
        self.delivered.iter().any(|known| known.call.is_some())
    }
}

impl Outbox {
    /// Where any other goes: before those that wait for a moment.
    pub(in crate::domain::agent) fn place_of_follow_up(&self) -> usize {
        let waits = |queued: &&QueuedPrompt| queued.prompt.not_before.is_some();
        self.queue.len() - self.queue.iter().rev().take_while(waits).count()
    }

    /// Where one goes that is sent before all others: behind those of its kind.
    pub(in crate::domain::agent) fn place_of_first(&self) -> usize {
        // It stands in the composer, and nothing can be typed before it.
        let left = usize::from(self.composer_state.has_left()).min(self.queue.len());
        let behind = self.queue.iter().skip(left);
        left + behind.take_while(|queued| queued.receipt.first).count()
    }

    /// Where a prompt that steers goes: before those that wait for the turn's end, messages of other chats too, unless one
    /// was typed already.
    pub(in crate::domain::agent) fn place_of_steer(&self) -> usize {
        let waits = |queued: &&QueuedPrompt| queued.prompt.follow_up && !queued.prompt.begun;
        let place = self.queue.len() - self.queue.iter().rev().take_while(waits).count();
        // It stands in the composer, and nothing can be typed before it.
        let first = usize::from(self.composer_state.has_left());
        place.max(first.min(self.queue.len()))
    }
}

impl QueuedPrompt {
    /// It, or what is known of it, changed: it is safe with the next writing.
    pub fn changed(&mut self, ledger: &mut Ledger) {
        self.receipt.due = Some(ledger.change());
    }

    pub(in crate::domain::agent) fn mark_written(&mut self, number: u64) {
        if self.receipt.due.is_some_and(|due| due <= number) {
            self.receipt.due = None;
            self.receipt.taken = true;
            self.receipt.unwritten = false;
        }
    }
}

/// A prompt of which only a hook has told.
pub struct ObservedPrompt {
    pub queued_prompt: QueuedPrompt,
    /// It went into a turn that ran.
    pub(in crate::domain::agent) steer: bool,
    pub(in crate::domain::agent) at: Timestamp,
}

/// The prompt that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InFlight {
    pub queued_prompt: QueuedPrompt,
    pub stage: PromptStage,
    /// Since when it is at this stage.
    pub at: Timestamp,
    pub began: Timestamp,
    /// A person's keys wait until then at most.
    pub(in crate::domain::agent) holds_until: Timestamp,
    /// What stood on the screen before it was pasted, where nobody can read the composer.
    pub(in crate::domain::agent) before: String,
    /// The agent was at work as it was pasted.
    pub(in crate::domain::agent) steers: bool,
    /// The screen has seemed to ask something since then.
    pub(in crate::domain::agent) was_asked: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptStage {
    /// The text is pasted; Enter follows when it has settled and shows.
    Pasted,
    /// Enter was sent so many times; the text is to leave the composer.
    Entered(u8),
    /// The composer has let go of it; evidence is awaited.
    Taken,
}

impl InFlight {
    pub(in crate::domain::agent) fn new(queued_prompt: QueuedPrompt, now: Timestamp) -> InFlight {
        InFlight {
            queued_prompt,
            stage: PromptStage::Pasted,
            at: now,
            began: now,
            holds_until: now.plus_ms(HOLD_MS),
            before: String::new(),
            steers: false,
            was_asked: false,
        }
    }
}

/// How long a person's keys wait at most for one prompt.
pub(in crate::domain::agent) const HOLD_MS: u64 = 5_000;

/// What an agent's composer showed last.
#[derive(Default)]
pub struct ComposerState {
    /// When its terminal was asked, until it answers.
    pub(in crate::domain::agent) asked: Option<Timestamp>,
    pub(in crate::domain::agent) glance: Option<Glance>,
    /// Since when it shows the same.
    pub(in crate::domain::agent) since: Timestamp,
    /// The first prompt of the queue was left in the composer, which has shown the same since then.
    pub(in crate::domain::agent) left: Option<Timestamp>,
    /// What parlour pasted into it last.
    pub(in crate::domain::agent) pasted: Option<String>,
    /// The agent has answered that, or somebody has typed there since: if it stands there again, a person wanted it to.
    pub(in crate::domain::agent) settled: bool,
    /// A person has pressed a key there since.
    pub(in crate::domain::agent) is_touched: bool,
}

impl ComposerState {
    /// The first prompt of the queue was left in the composer.
    pub(in crate::domain::agent) fn has_left(&self) -> bool {
        self.left.is_some()
    }

    /// This is pasted into it.
    pub(in crate::domain::agent) fn pastes(&mut self, text: String) {
        self.pasted = Some(text);
        (self.settled, self.is_touched) = (false, false);
    }

    /// Where that can be read, and was.
    pub fn composer(&self) -> Option<&Composer> {
        self.glance.as_ref()?.composer.as_ref()
    }
}

pub enum Obstacle {
    Until(Timestamp, &'static str),
    Reason(&'static str),
    /// It goes away only when somebody looks at the agent.
    Person(&'static str),
}

impl Obstacle {
    pub fn why(&self) -> &'static str {
        match self {
            Obstacle::Until(_, why) | Obstacle::Reason(why) | Obstacle::Person(why) => why,
        }
    }

    pub fn is_a_persons(&self) -> bool {
        matches!(self, Obstacle::Person(_))
    }
}
