//! What the composer of an agent in a world shows.

use parlour::app::update;
use parlour::domain::event::{Observed, Outcome};
use parlour::domain::work::{ApprovalDone, ApprovalWork, Read, ShownRead};
use parlour::domain::{Effect, Event, PaneOrder, Work};
use parlour::model::{Composer, Glance, PaneId};

use super::world::{World, id};

impl World {
    /// All that follows. A terminal that is asked what it shows answers at once.
    pub fn updates(&mut self, event: Event) -> Vec<Effect> {
        let mut effects = update(&mut self.state, event);
        let mut at = 0;
        while at < effects.len() {
            if let Effect::Pane(PaneId::Agent(chat), PaneOrder::Read) = &effects[at] {
                let seen = Event::Observed(chat.clone(), Observed::Composer(self.glance(true)));
                effects.extend(update(&mut self.state, seen));
            }
            if let Effect::Work(work, Work::Approval(ApprovalWork::Judge(case))) = &effects[at] {
                let judged = Event::Done(*work, Outcome::Approval(ApprovalDone::Judged(case.judge())));
                effects.extend(update(&mut self.state, judged));
            }
            at += 1;
        }
        // What the card below the list says is no work that anything leads to which happens to chats.
        effects.retain(|effect| !matches!(effect, Effect::Work(_, Work::Read(Read::Shown(ShownRead::Figures(_))))));
        effects
    }

    fn glance(&self, asked: bool) -> Glance {
        Glance {
            composer: self.composer.clone(),
            pastes: self.pastes,
            asked,
            text: self.blind.clone(),
        }
    }

    /// From now on the screen of `auth`, whose composer nobody can read, is this; it changes with that.
    pub fn shows_text(&mut self, text: &str) -> Vec<Effect> {
        self.blind = text.into();
        let glance = self.glance(false);
        self.happens(Event::Observed(id("auth"), Observed::Composer(glance)))
    }

    /// From now on the composer of `auth` is one that can be read, and shows this; its screen changes with that.
    pub fn shows(&mut self, composer: Composer) -> Vec<Effect> {
        self.composer = Some(composer);
        let glance = self.glance(false);
        self.happens(Event::Observed(id("auth"), Observed::Composer(glance)))
    }
}
