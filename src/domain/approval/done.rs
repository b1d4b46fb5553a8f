//! The call of an agent was judged, or done for it.

use crate::domain::effect::Effect;
use crate::domain::state::Domain;
use crate::domain::work::{ApprovalDone, ApprovalThen, ForeignResult};
use crate::model::{Problem, WorkId};

use super::{judging, local_call};

pub fn done(
    state: &mut Domain,
    work: WorkId,
    then: ApprovalThen,
    done: ApprovalDone,
) -> Result<Vec<Effect>, ForeignResult> {
    match (then, done) {
        (ApprovalThen::Judged(chat), ApprovalDone::Judged(rulings)) => Ok(judging::judged(state, &chat, work, rulings)),
        (ApprovalThen::LocalCall, ApprovalDone::LocalCall(done)) => Ok(local_call::done(state, work, done)),
        (ApprovalThen::Judged(_) | ApprovalThen::LocalCall, _) => Err(ForeignResult),
    }
}

pub fn failed(state: &mut Domain, work: WorkId, then: ApprovalThen, problem: Problem) -> Vec<Effect> {
    match then {
        ApprovalThen::Judged(chat) => judging::judged(state, &chat, work, Vec::new()),
        ApprovalThen::LocalCall => local_call::failed(state, work, problem),
    }
}
