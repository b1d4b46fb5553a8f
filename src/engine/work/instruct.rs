//! What an agent is told of the project that it came into.

use crate::domain::agent::work::Arrival;
use crate::domain::work::AgentDone;
use crate::model::{ChatId, Problem};
use crate::store::{Arriving, Surroundings, Wrote};

use super::super::services::Services;
use super::loading::loading;

/// In words, for the agent's hook.
pub fn instruct(services: &Services, id: &ChatId, arrival: &Arrival) -> Result<AgentDone, Problem> {
    let around = around(services, id, arrival)?;
    let into = Arriving {
        project: &arrival.project,
        enters: arrival.enters,
        below: &arrival.below,
    };
    let said = services.home.arrival(id, &into, &around);
    said.map(AgentDone::Instructions).map_err(|error| loading(id, error))
}

/// For a CLI without such hooks, in the file that it reads.
pub fn by_file(services: &Services, id: &ChatId, arrival: Arrival) -> Result<AgentDone, Problem> {
    let mut around = around(services, id, &arrival)?;
    around.below = arrival
        .below
        .iter()
        .map(|below| (arrival.project.clone(), below.clone()))
        .collect();
    match services.home.write_agents_md(id, &around) {
        Ok(Wrote::Changed | Wrote::Same) => {}
        Ok(Wrote::LeftAlone(why)) => tracing::warn!("{id}: AGENTS.md does not say where the agent is: {why}"),
        Err(error) => return Err(loading(id, error)),
    }
    Ok(AgentDone::InstructedByFile)
}

fn around(services: &Services, id: &ChatId, arrival: &Arrival) -> Result<Surroundings, Problem> {
    let chat = services.home.load(id).map_err(|error| loading(id, error))?;
    Ok(Surroundings {
        cwd: Some(arrival.cwd.clone()),
        ..services.surroundings(&chat.record.llm)
    })
}
