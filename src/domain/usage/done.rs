//! Sums of usage were read or kept.

use crate::domain::effect::Effect;
use crate::domain::notice::Done;
use crate::domain::reply;
use crate::domain::state::{Domain, Requester};
use crate::domain::usage;
use crate::domain::work::{ForeignResult, UsageDone, UsageThen};
use crate::model::Problem;

pub fn done(
    state: &mut Domain,
    requester: Requester,
    then: UsageThen,
    done: UsageDone,
) -> Result<Vec<Effect>, ForeignResult> {
    match (then, done) {
        (UsageThen::Read, UsageDone::Read(asked, found)) => Ok(usage::read(state, &asked, found)),
        (UsageThen::Kept, UsageDone::Kept) => {
            state.live.usage.keeping = false;
            Ok(Vec::new())
        }
        (UsageThen::Show, UsageDone::Detail(chat, detail)) => {
            reply::show(state, requester, Done::UsageDetail(chat, detail));
            Ok(Vec::new())
        }
        (UsageThen::Read | UsageThen::Kept | UsageThen::Show, _) => Err(ForeignResult),
    }
}

/// What could not be read is unknown until the engine begins again; what could not be kept is summed again then.
pub fn failed(state: &mut Domain, requester: Requester, then: UsageThen, problem: Problem) -> Vec<Effect> {
    match then {
        UsageThen::Read => {
            let usage = &mut state.live.usage;
            let reading = std::mem::take(&mut usage.reading);
            usage.unread.extend(reading.into_keys());
            Vec::new()
        }
        UsageThen::Kept => {
            state.live.usage.keeping = false;
            Vec::new()
        }
        UsageThen::Show => reply::answer(state, requester, Err(problem)),
    }
}
