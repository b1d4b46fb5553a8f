//! The disk of a world: what is to be written is written, and transcripts are read.

use parlour::domain::event::{Observed, Outcome};
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
