//! A script or an editor has ended, or what a person agreed to is kept.

use serde_json::json;

use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ForeignResult, ScriptDone, ScriptThen};
use crate::domain::{auxiliary, edit, login, reply, script};
use crate::model::{Problem, WorkId};

pub fn done(
    state: &mut Domain,
    work: WorkId,
    requester: Requester,
    then: ScriptThen,
    done: ScriptDone,
) -> Result<Vec<Effect>, ForeignResult> {
    match (then, done) {
        (ScriptThen::Answer, ScriptDone::Approved(agreed)) => Ok(reply::answer(state, requester, Ok(json!(agreed)))),
        (ScriptThen::Approved(chat, order), ScriptDone::Approved(_)) => {
            Ok(script::approved(state, &chat, order, requester))
        }
        (ScriptThen::Ended, ScriptDone::Ended(end)) => Ok(script::ended(state, work, end)),
        (ScriptThen::Edited, ScriptDone::Ended(end)) => Ok(edit::ended(state, work, &end.how)),
        (ScriptThen::LoggedIn(env), ScriptDone::Ended(end)) => Ok(login::ended(state, work, &env, end.how)),
        (ScriptThen::Written(client), ScriptDone::Written { how, text }) => {
            Ok(edit::written(state, work, client, (&how, text)))
        }
        (ScriptThen::Nothing, ScriptDone::Denied | ScriptDone::Stopped | ScriptDone::Browsed) => Ok(Vec::new()),
        (
            ScriptThen::Answer
            | ScriptThen::Approved(..)
            | ScriptThen::Ended
            | ScriptThen::Edited
            | ScriptThen::LoggedIn(_)
            | ScriptThen::Written(_)
            | ScriptThen::Nothing,
            _,
        ) => Err(ForeignResult),
    }
}

pub fn failed(
    state: &mut Domain,
    work: WorkId,
    requester: Requester,
    then: ScriptThen,
    problem: Problem,
) -> Vec<Effect> {
    match then {
        ScriptThen::Ended => script::failed(state, work, problem),
        ScriptThen::Edited | ScriptThen::LoggedIn(_) | ScriptThen::Written(_) => {
            auxiliary::failed(state, work, problem)
        }
        ScriptThen::Approved(chat, order) if requester == Requester::Nobody => {
            script::not_approved(state, &chat, order, &problem.to_string())
        }
        ScriptThen::Approved(..) | ScriptThen::Answer | ScriptThen::Nothing => {
            reply::answer(state, requester, Err(problem))
        }
    }
}
