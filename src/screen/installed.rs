//! Which agent CLIs the person at a screen has installed.

use crate::domain::effect::Effect;
use crate::domain::state::{Requester, Waiting};
use crate::domain::work::{AgentThen, AgentWork};
use crate::model::{ClientId, WorkId};
use crate::screen::State;

/// Finds out which agent CLIs this person has installed: one may have been since.
pub fn look_for_agents(state: &mut State, client: ClientId) -> Vec<Effect> {
    find_agents(state, client)
        .map(|(_, effect)| effect)
        .into_iter()
        .collect()
}

/// The same, with the number of the work that does it.
pub fn find_agents(state: &mut State, client: ClientId) -> Option<(WorkId, Effect)> {
    let env = state.views.get(&client)?.client.env.clone();
    let work = state.domain.ids.work();
    let waiting = Waiting {
        requester: Requester::Nobody,
        then: AgentThen::Nothing.into(),
    };
    state.domain.live.waiting.insert(work, waiting);
    let path = env.get("PATH").cloned().unwrap_or_default();
    Some((work, Effect::Work(work, AgentWork::Detect { path, env }.into())))
}
