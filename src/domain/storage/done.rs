//! What lies on disk was looked at, or has changed.

use serde_json::json;

use crate::domain::effect::Effect;
use crate::domain::notice::{DiskNews, Done};
use crate::domain::reply;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::StorageDone;

pub fn done(state: &mut Domain, requester: Requester, done: StorageDone) -> Vec<Effect> {
    let told = match &done {
        StorageDone::Used(used) => {
            let unused: u64 = used.unused().map(|item| item.bytes).sum();
            json!({"items": used.items, "bytes": used.bytes(), "unused": unused, "freed": used.freed})
        }
        StorageDone::Setups(setups) => json!({"projects": setups}),
    };
    let news = match done {
        StorageDone::Used(used) => DiskNews::Used(used),
        StorageDone::Setups(setups) => DiskNews::Setups(setups),
    };
    reply::show(state, requester, Done::Disk(news));
    reply::answer(state, requester, Ok(told))
}
