//! What is so without an event that a test would have to tell.

use parlour::model::Status;
use parlour::model::review::DiffSet;

use super::{World, id};

impl World {
    /// The person has this chat before them, in the tab that they have.
    pub fn has_before_them(&mut self, chat: &str) {
        self.view().chat = Some(id(chat));
        self.look();
    }

    /// All screens were left a while ago.
    pub fn screens_left(&mut self) {
        self.state.views.clear();
    }

    /// None was ever there.
    pub fn knows_no_screen(&mut self) {
        self.state.domain.live.looked_at.first_sizes = None;
    }

    /// Something runs in a shell by now.
    pub fn goes_to_work(&mut self, chat: &str, program: &str) {
        let agent = self.state.domain.live.agents.get_mut(&id(chat)).unwrap();
        agent.verdict.status = Status::Running(Some(program.into()));
    }

    /// As if it had never run.
    pub fn forgets_agent(&mut self, chat: &str) {
        self.state.domain.live.agents.remove(&id(chat));
    }

    /// It did something that nobody has seen.
    pub fn is_unseen(&mut self, chat: &str) {
        self.state.domain.live.unseen.insert(id(chat));
        self.look();
    }

    /// The Changes tab compares this.
    pub fn compares(&mut self, set: DiffSet) {
        self.view().changes.set = set;
    }

    /// Somebody typed in the dialog of an agent's question.
    pub fn touches_question(&mut self, chat: &str) {
        let agent = self.state.domain.live.agents.get_mut(&id(chat)).unwrap();
        agent.turn.asking_mut().next().unwrap().touch();
    }
}
