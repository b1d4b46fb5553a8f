//! What was heard of an agent and waits to be recorded, in the order of the conversation.

use std::collections::VecDeque;

use crate::domain::journal::work::JournalThen;
use crate::domain::requester::Requester;
use crate::model::{Happened, Mark, Reported, Timestamp};

/// Claude Code writes a line a tenth of a second behind its hook, and later on a busy machine.
const WAITS_MS: u64 = 5_000;

/// As long at most where a hook waits, whose answer is a decision: it gives up after four seconds.
const DECIDES_MS: u64 = 2_500;

/// What waits to be recorded, in the order in which it was heard.
#[derive(Default)]
pub struct Reorder {
    pub(in crate::domain::agent) slots: VecDeque<ToolSlot>,
    /// How far the transcript was read where it told no news, until something is recorded that can carry this.
    pub(in crate::domain) unmarked: Option<Mark>,
}

#[derive(Default)]
pub(in crate::domain::agent) struct ToolSlot {
    /// The key of what the transcript is to tell first, and until when it may.
    pub(in crate::domain::agent) awaits: Option<(String, Timestamp)>,
    pub(in crate::domain::agent) told: Vec<Reported>,
    pub(in crate::domain::agent) follows: Vec<(Requester, JournalThen)>,
}

/// What may be recorded now, and what follows once it is.
#[derive(Default)]
pub struct DueRecords {
    pub told: Vec<Reported>,
    pub follows: Vec<(Requester, JournalThen)>,
}

impl DueRecords {
    pub(in crate::domain::agent) fn take(&mut self, slot: ToolSlot) {
        self.told.extend(slot.told);
        self.follows.extend(slot.follows);
    }

    pub fn extend(&mut self, other: DueRecords) {
        self.told.extend(other.told);
        self.follows.extend(other.follows);
    }
}

impl Reorder {
    /// Holds what was heard behind a call that is not recorded yet. What is no part of the conversation is not held: it is
    /// given back.
    pub(in crate::domain) fn behind(&mut self, happened: Vec<Happened>, now: Timestamp) -> Vec<Happened> {
        if self.is_empty() {
            return happened;
        }
        let (held, rest): (Vec<Happened>, Vec<Happened>) = happened.into_iter().partition(is_of_conversation);
        held.into_iter().for_each(|what| self.hold(what.into(), now));
        rest
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// What is heard from now on is recorded behind what has this key.
    pub fn awaits(&mut self, key: String, now: Timestamp) {
        let until = now.plus_ms(WAITS_MS);
        self.slots.push_back(ToolSlot {
            awaits: Some((key, until)),
            ..ToolSlot::default()
        });
    }

    /// Recorded with the newest slot, and so behind it.
    pub(in crate::domain::agent) fn hold(&mut self, told: Reported, now: Timestamp) {
        if let Some(slot) = self.slots.back_mut() {
            let at = told.at.or(Some(now));
            slot.told.push(Reported { at, ..told });
        }
    }

    /// Behind the newest slot. Says until when that and all before it wait now.
    pub(in crate::domain::agent) fn follow(
        &mut self,
        requester: Requester,
        then: JournalThen,
        now: Timestamp,
    ) -> Timestamp {
        let soon = now.plus_ms(DECIDES_MS);
        for (_, until) in self.slots.iter_mut().filter_map(|slot| slot.awaits.as_mut()) {
            *until = soon.min(*until);
        }
        if let Some(slot) = self.slots.back_mut() {
            slot.follows.push((requester, then));
        }
        soon
    }

    pub(in crate::domain::agent) fn has(&self, key: &str) -> bool {
        let is_it = |slot: &ToolSlot| slot.awaits.as_ref().is_some_and(|(awaited, _)| awaited == key);
        self.slots.iter().any(is_it)
    }

    /// The transcript tells what has this key, and when it happened: it is recorded now, with what was heard behind it.
    pub fn release(&mut self, key: &str, as_told: Option<(&Happened, Option<Timestamp>)>) -> DueRecords {
        let is_it = |slot: &ToolSlot| slot.awaits.as_ref().is_some_and(|(awaited, _)| awaited == key);
        let mut due = DueRecords::default();
        let place = self.slots.iter().position(is_it);
        if let Some(mut slot) = place.and_then(|place| self.slots.remove(place)) {
            let itself = |told: &&mut Reported| told.what.key().as_deref() == Some(key);
            if let (Some(told), Some((what, at))) = (slot.told.first_mut().filter(itself), as_told) {
                told.at = at.or(told.at);
                told.what.completed_by(what);
            }
            due.take(slot);
        }
        due
    }

    /// What has waited long enough.
    pub(in crate::domain::agent) fn expired(&mut self, now: Timestamp) -> DueRecords {
        let is_over = |slot: &mut ToolSlot| slot.awaits.as_ref().is_none_or(|(_, until)| *until <= now);
        let mut due = DueRecords::default();
        while let Some(slot) = self.slots.pop_front_if(is_over) {
            due.take(slot);
        }
        due
    }

    /// The mark of what is recorded now. A failure that a hook told has no key by which it is known when the transcript
    /// is read again, so its line must not be. What has a key would be told twice if it carried a mark that is before it.
    pub(in crate::domain) fn marked(&mut self, told: &[Reported], read: Option<Mark>) -> Option<Mark> {
        let unmarked = self.unmarked.take();
        let is_keyless = told.iter().all(|told| told.what.key().is_none());
        read.or(unmarked.filter(|_| is_keyless && !told.is_empty()))
    }

    pub fn all(&mut self) -> DueRecords {
        let mut due = DueRecords::default();
        self.slots.drain(..).for_each(|slot| due.take(slot));
        due
    }

    /// Until when something waits at most.
    pub fn until(&self) -> Option<Timestamp> {
        let last = self.slots.back()?;
        last.awaits.as_ref().map(|(_, until)| *until)
    }
}

fn is_of_conversation(what: &Happened) -> bool {
    match what {
        Happened::Session { .. } | Happened::Message { .. } | Happened::Note { .. } => false,
        Happened::Prompt { .. }
        | Happened::Text { .. }
        | Happened::Thinking { .. }
        | Happened::ToolStart { .. }
        | Happened::ToolEnd { .. }
        | Happened::Permission { .. }
        | Happened::Usage { .. }
        | Happened::Status { .. }
        | Happened::Error { .. }
        | Happened::Compaction { .. }
        | Happened::Summary { .. }
        | Happened::Background { .. }
        | Happened::Cwd { .. }
        | Happened::Subagent { .. }
        | Happened::SubagentText { .. }
        | Happened::Interrupt { .. }
        | Happened::Retry { .. }
        | Happened::Revert { .. }
        | Happened::Unknown { .. } => true,
    }
}
