//! Sums of usage were read or kept.

use crate::domain::effect::Effect;
use crate::domain::state::Domain;
use crate::domain::usage;
use crate::domain::work::{ForeignResult, UsageDone, UsageThen};

pub fn done(state: &mut Domain, then: UsageThen, done: UsageDone) -> Result<Vec<Effect>, ForeignResult> {
    match (then, done) {
        (UsageThen::Read, UsageDone::Read(asked, found)) => Ok(usage::read(state, &asked, found)),
        (UsageThen::Kept, UsageDone::Kept) => {
            state.live.usage.keeping = false;
            Ok(Vec::new())
        }
        (UsageThen::Read | UsageThen::Kept, _) => Err(ForeignResult),
    }
}

/// What could not be read is unknown until the engine begins again; what could not be kept is summed again then.
pub fn failed(state: &mut Domain, then: UsageThen) -> Vec<Effect> {
    match then {
        UsageThen::Read => {
            let usage = &mut state.live.usage;
            let reading = std::mem::take(&mut usage.reading);
            usage.unread.extend(reading.into_keys());
            usage::report::answer_all(state)
        }
        UsageThen::Kept => {
            state.live.usage.keeping = false;
            Vec::new()
        }
    }
}
