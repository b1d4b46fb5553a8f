//! A directory was opened in a chat, or files of it are kept.

use serde_json::json;

use crate::domain::effect::Effect;
use crate::domain::notice::Done;
use crate::domain::state::{Domain, Requester};
use crate::domain::team::dispatch;
use crate::domain::work::{ForeignResult, ProjectDone, ProjectThen};
use crate::domain::{chat, creation, reply};
use crate::model::Problem;

use super::{opened, same_branch};

pub fn done(
    state: &mut Domain,
    requester: Requester,
    then: ProjectThen,
    done: ProjectDone,
) -> Result<Vec<Effect>, ForeignResult> {
    Ok(match (then, done) {
        (ProjectThen::Answer, ProjectDone::Opened(loaded, directory)) => {
            let id = loaded.id().clone();
            let (value, mut effects) = opened(state, *loaded, &directory);
            reply::show(state, requester, Done::Opened(id));
            effects.extend(reply::answer(state, requester, Ok(value)));
            effects
        }
        (ProjectThen::Continue(chat, mut new), ProjectDone::Opened(loaded, directory)) => {
            let (_, mut effects) = opened(state, *loaded, &directory);
            if let Some(note) = same_branch(state, &chat, &directory) {
                new.notes.get_or_insert_default().0.push(note);
            }
            effects.extend(creation::set_up(state, &chat, new, requester));
            effects
        }
        (ProjectThen::Dispatch(_), ProjectDone::Opened(loaded, directory)) => {
            dispatch::opened(state, *loaded, directory)
        }
        (ProjectThen::Discard(chat), ProjectDone::Opened(loaded, directory)) => {
            let (_, mut effects) = opened(state, *loaded, &directory);
            effects.extend(chat::discard(state, &chat));
            effects
        }
        (ProjectThen::GivenUp, ProjectDone::Opened(loaded, directory)) => opened(state, *loaded, &directory).1,
        (ProjectThen::Answer, ProjectDone::Saved(files)) => {
            reply::answer(state, requester, Ok(json!({"saved": files})))
        }
        (ProjectThen::Continue(..) | ProjectThen::Dispatch(_) | ProjectThen::Discard(_) | ProjectThen::GivenUp, _) => {
            return Err(ForeignResult);
        }
    })
}

pub fn failed(state: &mut Domain, requester: Requester, then: ProjectThen, problem: Problem) -> Vec<Effect> {
    match then {
        ProjectThen::Answer => reply::answer(state, requester, Err(problem)),
        ProjectThen::Continue(chat, _) => chat::not_set_up(state, &chat, problem, requester),
        ProjectThen::Dispatch(chat) => dispatch::give_up(state, &chat, problem),
        ProjectThen::Discard(chat) => chat::discard(state, &chat),
        ProjectThen::GivenUp => Vec::new(),
    }
}
