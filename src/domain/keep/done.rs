//! Work of a chat was kept.

use serde::Serialize;
use serde_json::{Value, json};

use crate::domain::effect::Effect;
use crate::domain::keep::{pulls, radar};
use crate::domain::notice::{Done, KeptNews};
use crate::domain::reply;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ForeignResult, KeepDone, KeepThen};
use crate::model::Problem;
use crate::model::keep::{BroughtHome, Collision, Committed, EndedGit, PullRequest, Pushed, Rebased};

pub fn done(
    state: &mut Domain,
    requester: Requester,
    then: KeepThen,
    done: KeepDone,
) -> Result<Vec<Effect>, ForeignResult> {
    match (then, done) {
        (KeepThen::Answer, done) => Ok(answer(state, requester, done)),
        (KeepThen::Kept(chat), done) => {
            match &done {
                KeepDone::Pushed(_) => pulls::pushed(state, &chat),
                KeepDone::Pulls(told) => pulls::told(state, &chat, told),
                KeepDone::Committed(_)
                | KeepDone::Home(_)
                | KeepDone::Rebased(_)
                | KeepDone::Ended(_)
                | KeepDone::Collisions(_)
                | KeepDone::Draft(_)
                | KeepDone::Seen(_) => {}
            }
            Ok(answer(state, requester, done))
        }
        (KeepThen::SeenPulls(chat), KeepDone::Seen(seen)) => {
            pulls::seen(state, &chat, seen);
            Ok(Vec::new())
        }
        (KeepThen::Compared(chats), KeepDone::Collisions(found)) => {
            radar::compared(state, &chats, found);
            Ok(Vec::new())
        }
        (KeepThen::Compared(_) | KeepThen::SeenPulls(_), _) => Err(ForeignResult),
    }
}

pub fn failed(state: &mut Domain, requester: Requester, then: KeepThen, problem: Problem) -> Vec<Effect> {
    match then {
        KeepThen::Answer | KeepThen::Kept(_) => reply::answer(state, requester, Err(problem)),
        // It is in the log, and the next commit has them compared again.
        KeepThen::Compared(_) => {
            radar::not_compared(state);
            Vec::new()
        }
        KeepThen::SeenPulls(_) => {
            pulls::not_seen(state);
            Vec::new()
        }
    }
}

fn answer(state: &mut Domain, requester: Requester, done: KeepDone) -> Vec<Effect> {
    let (value, words): (Value, Vec<String>) = match done {
        KeepDone::Committed(all) => of_each(&all, Committed::words),
        KeepDone::Pushed(all) => of_each(&all, Pushed::words),
        KeepDone::Home(all) => of_each(&all, BroughtHome::words),
        KeepDone::Rebased(all) => of_each(&all, Rebased::words),
        KeepDone::Ended(all) => of_each(&all, EndedGit::words),
        KeepDone::Pulls(all) => of_each(&all, PullRequest::words),
        KeepDone::Collisions(all) => (
            json!({"collisions": all}),
            match all.is_empty() {
                true => vec![Collision::NONE.into()],
                false => all.iter().map(Collision::words).collect(),
            },
        ),
        KeepDone::Seen(_) => return Vec::new(),
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
