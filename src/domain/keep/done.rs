//! Work of a chat was kept.

use serde_json::json;

use crate::domain::effect::Effect;
use crate::domain::reply;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{KeepDone, KeepThen};

pub fn done(state: &mut Domain, requester: Requester, then: KeepThen, done: KeepDone) -> Vec<Effect> {
    let KeepThen::Answer = then;
    let value = match done {
        KeepDone::Committed(all) => json!({"projects": all}),
        KeepDone::Pushed(all) => json!({"projects": all}),
        KeepDone::Home(all) => json!({"projects": all}),
        KeepDone::Rebased(all) => json!({"projects": all}),
        KeepDone::Pulls(all) => json!({"projects": all}),
        KeepDone::Collisions(all) => json!({"collisions": all}),
    };
    reply::answer(state, requester, Ok(value))
}
