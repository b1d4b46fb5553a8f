//! Terminals beside those of agents, brought about as workers and their programs do it.

use parlour::app::update;
use parlour::domain::event::{Observed, Outcome, PtyEvent, ScriptReport, Size};
use parlour::domain::work::{Agreed, ScriptDone};
use parlour::domain::{Effect, Event, Work};
use parlour::model::script::{Proposal, ScriptEnd, ScriptEnding};
use parlour::model::{ChatId, Handle, PaneEvent, PaneId, ScriptKind, WorkId};

use super::events::works;
use super::world::{World, screen};

impl World {
    /// What the worker was given that is to open the editor, or run the project.
    pub fn presses_for(&mut self, key: &str) -> (WorkId, Work) {
        let effects = self.press(key);
        works(&effects).pop().expect("something is started")
    }

    /// The editor's process begins, and draws this.
    pub fn editor_starts(&mut self, number: WorkId, said: &str) {
        let started = PtyEvent::Said(PaneEvent::Started { pid: 900 });
        update(&mut self.state, Event::Pty(PaneId::Side(number), started));
        self.draws(number, said);
    }

    /// The same of the run of a project.
    pub fn run_starts(&mut self, chat: ChatId, number: WorkId, said: &str) -> Vec<Effect> {
        let says = ScriptReport::Started {
            number,
            pid: 901,
            project: "grove".into(),
        };
        let effects = update(&mut self.state, Event::Observed(chat, Observed::Script(says)));
        self.draws(number, said);
        effects
    }

    pub fn draws(&mut self, number: WorkId, said: &str) {
        let size = Size { cols: 89, rows: 36 };
        let screen = PtyEvent::Screen(screen(said, size));
        update(&mut self.state, Event::Pty(PaneId::Side(number), screen));
    }

    pub fn comes_to_its_end(&mut self, number: WorkId, how: ScriptEnding) -> Vec<Effect> {
        let end = ScriptEnd { how, last: Vec::new() };
        update(
            &mut self.state,
            Event::Done(number, Outcome::Script(ScriptDone::Ended(end))),
        )
    }
}

/// What a repository could want to be run.
pub fn proposal() -> Proposal {
    let command = "npm run dev -- --port $PARLOUR_PORT \\\n  --origin https://staging.example.org --verbose --log-level debug --open";
    Proposal {
        project: "grove".into(),
        origin: "https://example.org/grove.git".into(),
        key: "example.org/grove".into(),
        shown: command
            .lines()
            .map(str::to_string)
            .chain(["with NODE_ENV=development".to_string()])
            .collect(),
        definition: "{\"command\":\"npm run dev\"}".into(),
    }
}

/// A person's approval of a script is kept.
pub fn agreed(kind: ScriptKind) -> Outcome {
    Outcome::Script(ScriptDone::Approved(Agreed {
        chat: Handle::from_name("auth").unwrap(),
        project: "grove".into(),
        kind,
    }))
}
