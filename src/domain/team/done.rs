//! The work graph of a tree was read or changed, or an agent has said how it stands.

use serde_json::json;

use crate::domain::effect::Effect;
use crate::domain::notice::Done;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ForeignResult, TeamDone, TeamThen};
use crate::domain::{chat, creation, reply};
use crate::model::Problem;

use super::{atom, dispatch};

pub fn done(
    state: &mut Domain,
    requester: Requester,
    then: TeamThen,
    done: TeamDone,
) -> Result<Vec<Effect>, ForeignResult> {
    Ok(match (then, done) {
        (TeamThen::Declared, TeamDone::Declared(loaded)) => {
            let declared = json!(loaded.declared);
            if let Some(agent) = state.live.agents.get_mut(loaded.id()) {
                agent.went_on = false;
            }
            let mut effects = chat::loaded(state, *loaded);
            effects.extend(reply::answer(state, requester, Ok(declared)));
            effects
        }
        (TeamThen::Dispatch(chat), TeamDone::Atoms(root)) => dispatch::made(state, &chat, *root),
        (TeamThen::Answer(wanted), TeamDone::Atoms(root)) => {
            let id = root.id().clone();
            let mut effects = chat::loaded(state, *root);
            let answer = atom::answer(state, &id, &wanted);
            effects.extend(reply::answer(state, requester, answer));
            effects
        }
        (TeamThen::Saved, TeamDone::Atoms(root)) => {
            let effects = chat::loaded(state, *root);
            reply::show(state, requester, Done::AtomSaved);
            effects
        }
        (TeamThen::Continue(chat, new), TeamDone::Atoms(root)) => {
            let mut effects = chat::loaded(state, *root);
            effects.extend(creation::set_up(state, &chat, new, requester));
            effects
        }
        (TeamThen::Discard(chat), TeamDone::Atoms(root)) => {
            let mut effects = chat::loaded(state, *root);
            effects.extend(chat::discard(state, &chat));
            effects
        }
        (TeamThen::Nothing, TeamDone::Atoms(root)) => chat::loaded(state, *root),
        (
            TeamThen::Nothing
            | TeamThen::Declared
            | TeamThen::Answer(_)
            | TeamThen::Saved
            | TeamThen::Continue(..)
            | TeamThen::Dispatch(_)
            | TeamThen::Discard(_),
            _,
        ) => return Err(ForeignResult),
    })
}

pub fn failed(state: &mut Domain, requester: Requester, then: TeamThen, problem: Problem) -> Vec<Effect> {
    match then {
        TeamThen::Continue(chat, _) => chat::not_set_up(state, &chat, problem, requester),
        TeamThen::Dispatch(chat) => dispatch::give_up(state, &chat, problem),
        TeamThen::Discard(chat) => chat::discard(state, &chat),
        TeamThen::Nothing | TeamThen::Declared | TeamThen::Answer(_) | TeamThen::Saved => {
            reply::answer(state, requester, Err(problem))
        }
    }
}
