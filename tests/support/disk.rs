//! The disk of a world: what is to be written is written, and transcripts are read.

use parlour::domain::event::{Observed, Outcome};
use parlour::domain::journal::work::JournalThen;
use parlour::domain::state::Awaited;
use parlour::domain::then::Then;
use parlour::domain::work::{JournalDone, JournalWork};
use parlour::domain::{Effect, Event, Work};

use super::world::{World, id};

impl World {
    /// What follows, on a disk that writes prompts down at once.
    pub fn happens(&mut self, event: Event) -> Vec<Effect> {
        let mut effects = self.happens_while_the_disk_is_slow(event);
        let mut at = 0;
        while at < effects.len() {
            if let Effect::Work(work, Work::Journal(JournalWork::Prompts(chat, prompts, removed))) = &effects[at] {
                let mut written = self.state.domain.disk.chats[chat].clone();
                written.record.keep(prompts.clone(), removed);
                let event = Event::Done(*work, Outcome::Journal(JournalDone::Kept(Box::new(written))));
                effects.extend(self.happens_while_the_disk_is_slow(event));
            }
            at += 1;
        }
        effects.extend(self.writes_for_waits());
        effects
    }

    /// What is being written is in the transcripts, if somebody waits for a chat.
    fn writes_for_waits(&mut self) -> Vec<Effect> {
        let domain = &self.state.domain;
        let waits = domain.live.listeners.waits.iter();
        let mut waits = waits.filter(|wait| matches!(wait.until, Awaited::State(_)));
        let Some(chat) = waits.next().map(|wait| wait.chat.clone()) else {
            return Vec::new();
        };
        let is_told = |then: &Then| {
            use JournalThen::{Each, HookAnswered, Nothing, Told};
            matches!(then, Then::Journal(Nothing | HookAnswered(_) | Told(_) | Each(_)))
        };
        let writing = domain.live.waiting.iter().filter(|(_, waiting)| is_told(&waiting.then));
        let writing: Vec<_> = writing.map(|(work, _)| *work).collect();
        let done = |work| Event::Done(work, Outcome::Journal(JournalDone::Appended(chat.clone(), Vec::new())));
        let events: Vec<Event> = writing.into_iter().map(done).collect();
        let mut effects: Vec<Effect> = Vec::new();
        for event in events {
            effects.extend(self.happens_while_the_disk_is_slow(event));
        }
        // Hooks have been answered by then.
        effects.retain(|effect| !matches!(effect, Effect::Rule(..)));
        effects
    }

    pub fn happens_while_the_disk_is_slow(&mut self, event: Event) -> Vec<Effect> {
        self.updates(event)
    }

    /// Its transcript holds nothing more of what was before this start.
    pub fn is_read_up(&mut self, chat: &str) -> Vec<Effect> {
        self.happens(Event::Observed(id(chat), Observed::ReadUp))
    }
}
