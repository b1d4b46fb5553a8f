//! The call of an agent was judged, or done for it.

use crate::domain::effect::Effect;
use crate::domain::state::Domain;
use crate::domain::work::{ForeignResult, GateDone, GateThen};
use crate::model::{Problem, WorkId};

use super::{judging, local_call};

pub fn done(state: &mut Domain, work: WorkId, then: GateThen, done: GateDone) -> Result<Vec<Effect>, ForeignResult> {
    match (then, done) {
        (GateThen::Judged(chat), GateDone::Judged(rulings)) => Ok(judging::judged(state, &chat, work, rulings)),
        (GateThen::Deed, GateDone::Deed(done)) => Ok(local_call::done(state, work, done)),
        (GateThen::Judged(_) | GateThen::Deed, _) => Err(ForeignResult),
    }
}

pub fn failed(state: &mut Domain, work: WorkId, then: GateThen, problem: Problem) -> Vec<Effect> {
    match then {
        GateThen::Judged(chat) => judging::judged(state, &chat, work, Vec::new()),
        GateThen::Deed => local_call::failed(state, work, problem),
    }
}
