//! A schedule was written, or the check of a run has ended.

use serde_json::json;

use crate::domain::effect::Effect;
use crate::domain::reply;
use crate::domain::schedule;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ForeignResult, ScheduleDone, ScheduleThen};
use crate::model::Problem;

use super::{agenda, run};

pub fn done(
    state: &mut Domain,
    requester: Requester,
    then: ScheduleThen,
    done: ScheduleDone,
) -> Result<Vec<Effect>, ForeignResult> {
    match (then, done) {
        (ScheduleThen::Answer, ScheduleDone::Kept(kept)) => Ok(schedule::kept(state, requester, *kept)),
        (ScheduleThen::Answer, ScheduleDone::Gone(id)) => {
            schedule::removed(state, &id);
            Ok(reply::answer(state, requester, Ok(json!({"cancelled": id}))))
        }
        (ScheduleThen::Decided(id, chat), ScheduleDone::Kept(kept)) => {
            schedule::loaded(state, *kept);
            agenda::decided(state, &id, chat);
            Ok(Vec::new())
        }
        (ScheduleThen::Claimed(chat), ScheduleDone::Kept(kept)) => {
            schedule::loaded(state, *kept);
            agenda::claimed(state, &chat);
            Ok(Vec::new())
        }
        (ScheduleThen::RunEnded(chat), ScheduleDone::Kept(kept)) => {
            schedule::loaded(state, *kept);
            Ok(run::ended(state, &chat))
        }
        (ScheduleThen::Checked(_), ScheduleDone::Checked(loaded, checked)) => Ok(run::checked(state, *loaded, checked)),
        (
            ScheduleThen::Answer
            | ScheduleThen::Decided(..)
            | ScheduleThen::Claimed(_)
            | ScheduleThen::RunEnded(_)
            | ScheduleThen::Checked(_),
            _,
        ) => Err(ForeignResult),
    }
}

pub fn failed(state: &mut Domain, requester: Requester, then: ScheduleThen, problem: Problem) -> Vec<Effect> {
    match then {
        ScheduleThen::Answer => reply::answer(state, requester, Err(problem)),
        ScheduleThen::Decided(id, chat) => agenda::not_decided(state, &id, chat, problem),
        ScheduleThen::Claimed(chat) => agenda::not_claimed(state, &chat, problem),
        ScheduleThen::Checked(chat) => run::not_checked(state, &chat, &problem),
        ScheduleThen::RunEnded(chat) => {
            run::not_ended(state, &chat);
            reply::answer(state, requester, Err(problem))
        }
    }
}
