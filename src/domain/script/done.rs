//! A script or an editor has ended, or what a person agreed to is kept.

use serde_json::json;

use crate::domain::effect::Effect;
use crate::domain::notice::{Done, NotedNews};
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
        (ScriptThen::Browsed(url), ScriptDone::Browsed) => {
            reply::show(state, requester, Done::Noted(NotedNews::Browsed(url, None)));
            Ok(Vec::new())
        }
        (ScriptThen::Nothing, ScriptDone::Denied | ScriptDone::Stopped) => Ok(Vec::new()),
        (
            ScriptThen::Answer
            | ScriptThen::Approved(..)
            | ScriptThen::Ended
            | ScriptThen::Edited
            | ScriptThen::LoggedIn(_)
            | ScriptThen::Written(_)
            | ScriptThen::Browsed(_)
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
        ScriptThen::Browsed(url) => {
            let news = NotedNews::Browsed(url, Some(problem));
            reply::show(state, requester, Done::Noted(news));
            Vec::new()
        }
        ScriptThen::Approved(..) | ScriptThen::Answer | ScriptThen::Nothing => {
            reply::answer(state, requester, Err(problem))
        }
    }
}
