//! A person who writes prompts below the transcript.

use parlour::domain::Effect;
use parlour::domain::chat::work::{ChatDone, ChatWork};
use parlour::domain::event::Outcome;
use parlour::domain::work::{JournalDone, JournalWork, Work};
use parlour::screen::surface::Surface;

use super::events::works;
use super::world::{ME, World};

/// A person before the transcript of an agent that waits, in the composer.
pub fn composing() -> World {
    let mut world = World::at_rest();
    world.attach_to(ME, "auth");
    world.press("ctrl+q esc t enter");
    assert_eq!(world.view().surface(), Surface::Composer);
    world
}

pub fn text(world: &mut World) -> String {
    world.view().composer.field.text()
}

/// The disk writes prompts and drafts down.
pub fn written(world: &mut World, effects: Vec<Effect>) -> Vec<Effect> {
    let mut all = Vec::new();
    let mut due = effects;
    while !due.is_empty() {
        let mut next = Vec::new();
        for (work, job) in works(&due) {
            let outcome = match job {
                Work::Journal(JournalWork::Prompts(chat, prompts, removed)) => {
                    let mut kept = world.state.domain.disk.chats[&chat].clone();
                    kept.record.keep(prompts, &removed);
                    Outcome::Journal(JournalDone::Kept(Box::new(kept)))
                }
                Work::Chat(ChatWork::Draft { chat, text, instead_of }) => {
                    let mut kept = world.state.domain.disk.chats[&chat].clone();
                    if instead_of.is_none_or(|before| kept.record.set.draft == before) {
                        kept.record.set.draft = text;
                    }
                    Outcome::Chat(ChatDone::Loaded(Box::new(kept)))
                }
                _ => continue,
            };
            next.extend(world.done(work, outcome));
        }
        all.extend(due);
        due = next;
    }
    all
}
