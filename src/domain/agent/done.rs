//! An agent is on its way, or something was found out or written for it.

use serde_json::json;

use crate::domain::effect::Effect;
use crate::domain::notice::{Done, NotedNews};
use crate::domain::state::{Domain, Requester};
use crate::domain::team::{dispatch, inbox};
use crate::domain::work::{AgentDone, AgentThen, ForeignResult, StartedAgent};
use crate::domain::{chat, reply};
use crate::model::{ChatId, Happened, HookAnswer, Problem, Status};

use super::state::Agent;
use super::{acknowledgement, could_not_start, kept, prepared, status};

pub fn done(
    state: &mut Domain,
    requester: Requester,
    then: AgentThen,
    done: AgentDone,
) -> Result<Vec<Effect>, ForeignResult> {
    Ok(match (then, done) {
        (AgentThen::Started(_), AgentDone::Started(agent)) => {
            let (id, mut effects) = started(state, *agent);
            let made = chat::json(state, &id);
            effects.extend(reply::answer(state, requester, Ok(made)));
            effects
        }
        (AgentThen::StartedFirst(_, notes) | AgentThen::StartedDuplicate(_, notes), AgentDone::Started(agent)) => {
            let (id, mut effects) = started(state, *agent);
            let mut made = chat::json(state, &id);
            made["notes"] = json!(notes);
            effects.extend(reply::answer(state, requester, Ok(made)));
            effects
        }
        (AgentThen::Dispatch(_), AgentDone::Started(agent)) => {
            let (id, mut effects) = started(state, *agent);
            effects.extend(dispatch::started(state, &id));
            effects
        }
        (AgentThen::Noted(_), AgentDone::Session(loaded)) => chat::loaded(state, *loaded),
        (AgentThen::Noted(_), AgentDone::InstructedByFile) => Vec::new(),
        (AgentThen::Nothing, AgentDone::Trusted) => {
            reply::show(state, requester, Done::Noted(NotedNews::Trusted));
            Vec::new()
        }
        (AgentThen::Nothing, AgentDone::Detected(found, unusable)) => {
            state.disk.agents = found;
            state.disk.unusable_agents = unusable;
            Vec::new()
        }
        (AgentThen::Instruct, AgentDone::Instructions(text)) => match requester {
            Requester::Call(call) => vec![Effect::Rule(
                call,
                text.map_or(HookAnswer::NoOpinion, HookAnswer::Context),
            )],
            Requester::Screen(_) | Requester::Launch(_) | Requester::Nobody => Vec::new(),
        },
        (
            AgentThen::Nothing
            | AgentThen::Noted(_)
            | AgentThen::Started(_)
            | AgentThen::StartedFirst(..)
            | AgentThen::StartedDuplicate(..)
            | AgentThen::Dispatch(_)
            | AgentThen::Instruct,
            _,
        ) => return Err(ForeignResult),
    })
}

/// It is on its way: what is known of it now, and what waits for it in its inbox.
fn started(state: &mut Domain, agent: StartedAgent) -> (ChatId, Vec<Effect>) {
    let StartedAgent {
        chat: loaded,
        capabilities,
        problems,
        prompt,
        resumes,
        sandbox,
    } = agent;
    let id = loaded.id().clone();
    let mut effects = chat::loaded(state, loaded);
    prepared(state, &id, capabilities, resumes, sandbox);
    let notes = problems.iter().map(|problem| Happened::Note {
        text: problem.to_string(),
    });
    let starting = |agent: &&Agent| agent.verdict.status == Status::Starting;
    let agent = state.live.agents.get(&id).filter(starting);
    // Until it is heard of, this alone tells the next engine that it ran.
    let begins = agent.map(|agent| agent.verdict.told());
    effects.extend(chat::append(state, &id, begins.into_iter().chain(notes).collect()));
    if let Some(prompt) = prompt {
        effects.extend(acknowledgement::went_along(state, &id, &prompt));
    }
    effects.extend(inbox::look(state, &id));
    effects.extend(status::reassess(state, &id));
    (id, effects)
}

pub fn failed(state: &mut Domain, requester: Requester, then: AgentThen, problem: Problem) -> Vec<Effect> {
    match then {
        AgentThen::Started(chat) | AgentThen::StartedDuplicate(chat, _) => {
            let mut effects = could_not_start(state, &chat, &problem.to_string());
            effects.extend(reply::answer(state, requester, Err(problem)));
            effects
        }
        AgentThen::StartedFirst(chat, _) => {
            let mut effects = could_not_start(state, &chat, &problem.to_string());
            let problem = kept(state, &chat, problem);
            effects.extend(reply::answer(state, requester, Err(problem)));
            effects
        }
        AgentThen::Dispatch(chat) => dispatch::not_started(state, &chat, problem),
        AgentThen::Noted(chat) => reply::unless_going(state, &chat, requester, problem),
        AgentThen::Nothing | AgentThen::Instruct => reply::answer(state, requester, Err(problem)),
    }
}
