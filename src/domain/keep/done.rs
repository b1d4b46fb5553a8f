//! Work of a chat was kept.

use serde::Serialize;
use serde_json::{Value, json};

use crate::domain::effect::Effect;
use crate::domain::notice::{Done, KeptNews};
use crate::domain::reply;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{KeepDone, KeepThen};
use crate::model::keep::{BroughtHome, Collision, Committed, PullRequest, Pushed, Rebased};

pub fn done(state: &mut Domain, requester: Requester, then: KeepThen, done: KeepDone) -> Vec<Effect> {
    let KeepThen::Answer = then;
    let (value, words): (Value, Vec<String>) = match done {
        KeepDone::Committed(all) => of_each(&all, Committed::words),
        KeepDone::Pushed(all) => of_each(&all, Pushed::words),
        KeepDone::Home(all) => of_each(&all, BroughtHome::words),
        KeepDone::Rebased(all) => of_each(&all, Rebased::words),
        KeepDone::Pulls(all) => of_each(&all, PullRequest::words),
        KeepDone::Collisions(all) => (
            json!({"collisions": all}),
            match all.is_empty() {
                true => vec!["No branches conflict.".into()],
                false => all.iter().map(Collision::words).collect(),
            },
        ),
        KeepDone::Draft(draft) => {
            reply::show(state, requester, Done::Kept(KeptNews::Draft(draft)));
            return Vec::new();
        }
    };
    reply::show(state, requester, Done::Kept(KeptNews::Done(words)));
    reply::answer(state, requester, Ok(value))
}

fn of_each<T: Serialize>(all: &[T], words: fn(&T) -> String) -> (Value, Vec<String>) {
    (json!({"projects": all}), all.iter().map(words).collect())
}
