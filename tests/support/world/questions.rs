//! Agents whose CLI asks in a dialog of its own.

use parlour::domain::agent::state::Agent;
use parlour::domain::event::Outcome;
use parlour::domain::work::{JournalDone, JournalWork};
use parlour::domain::{Effect, Event, Work};
use parlour::model::{Asks, Happened};

use super::{World, id};
use crate::support::events::{entry, works};

impl World {
    /// As of one that tells of each dialog's end.
    pub fn tells_ends_of_dialogs(&mut self) {
        let agent = self.state.domain.live.agents.get_mut(&id("auth")).expect("it runs");
        let asks = &mut agent.capabilities.as_mut().expect("it is known").asks;
        let Asks::Keys { tells_end, .. } = asks else {
            panic!("its questions take no keys");
        };
        *tells_end = true;
    }

    /// As of a CLI whose questions keys answer: this one allows, Esc refuses, and its dialog begins so.
    pub fn answered_by_keys(&mut self, yes: &str, begins: &str) -> &mut Agent {
        let agent = self.state.domain.live.agents.get_mut(&id("auth")).expect("it runs");
        agent.capabilities.as_mut().expect("it is known").asks = Asks::Keys {
            yes: yes.into(),
            no: b"\x1b".to_vec(),
            begins: begins.into(),
            shows: None,
            by_rule: true,
            tells_end: false,
            by_server: false,
        };
        agent
    }

    /// As of a CLI whose own server takes the answers about the calls that it told of.
    pub fn answered_by_server(&mut self, begins: &str) {
        let asks = &mut self.answered_by_keys("\r", begins).capabilities.as_mut();
        let Asks::Keys { by_server, .. } = &mut asks.as_mut().expect("it is known").asks else {
            panic!("it is not answered by keys");
        };
        *by_server = true;
    }

    /// Its dialogs show so many lines of a command.
    pub fn cuts_dialogs_after(&mut self, lines: usize) {
        let agent = self.state.domain.live.agents.get_mut(&id("auth")).expect("it runs");
        let asks = &mut agent.capabilities.as_mut().expect("it is known").asks;
        let Asks::Keys { shows, .. } = asks else {
            panic!("it is not answered by keys");
        };
        *shows = Some(lines);
    }

    /// What a person decided is on disk by now: all that was to be done.
    pub fn with_decisions_safe(&mut self, mut effects: Vec<Effect>) -> Vec<Effect> {
        let decides = |what: &Happened| matches!(what, Happened::Permission { answer, .. } if answer != "asked");
        for (work, job) in works(&effects) {
            if let Work::Journal(JournalWork::Append(chat, lines, _)) = job
                && lines.iter().any(|line| decides(&line.what))
            {
                let entries = lines.into_iter().map(|line| entry(13, line.what)).collect();
                let safe = Outcome::Journal(JournalDone::Appended(chat, entries));
                effects.extend(self.happens(Event::Done(work, safe)));
            }
        }
        effects
    }
}
