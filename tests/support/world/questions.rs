//! Agents whose CLI asks in a dialog of its own.

use parlour::domain::agent::state::Agent;
use parlour::model::Asks;

use super::{World, id};

impl World {
    /// As of a CLI whose questions keys answer: this one allows, Esc refuses, and its dialog begins so.
    pub fn answered_by_keys(&mut self, yes: &str, begins: &str) -> &mut Agent {
        let agent = self.state.domain.live.agents.get_mut(&id("auth")).expect("it runs");
        agent.capabilities.as_mut().expect("it is known").asks = Asks::Keys {
            yes: yes.into(),
            no: b"\x1b".to_vec(),
            begins: begins.into(),
            by_rule: true,
            tells_end: false,
        };
        agent
    }
}
