//! Work that is done: each noun goes on with its own.

use crate::model::{Problem, WorkId};

use super::effect::Effect;
use super::event::Outcome;
use super::state::{Domain, Requester, Then, Waiting};
use super::work::{ForeignResult, JournalThen, StorageThen};
use super::{
    agent, approval, chat, journal, keep, project, read, reply, review, schedule, script, server, setting, storage,
    team, trash, usage,
};

pub fn update(state: &mut Domain, work: WorkId, outcome: Outcome) -> Vec<Effect> {
    state.live.openings.under_way.remove(&work);
    let waiting = state.live.waiting.remove(&work);
    // What could not be written was told of then, and is told of again once it is.
    let Waiting { requester, then } = waiting.unwrap_or(Waiting {
        requester: Requester::Nobody,
        then: JournalThen::Nothing.into(),
    });
    let done = match (then, outcome) {
        (then, Outcome::Failed(problem)) => Ok(failed(state, work, requester, then, problem)),
        (Then::Chat(then), Outcome::Chat(done)) => chat::done::done(state, requester, then, done),
        (Then::Trash(then), Outcome::Trash(done)) => trash::done::done(state, requester, then, done),
        (Then::Storage(StorageThen::Answer), Outcome::Storage(done)) => Ok(storage::done::done(state, requester, done)),
        (Then::Journal(then), Outcome::Journal(done)) => journal::done::done(state, requester, then, done),
        (Then::Agent(then), Outcome::Agent(done)) => agent::done::done(state, requester, then, done),
        (Then::Project(then), Outcome::Project(done)) => project::done::done(state, requester, then, done),
        (Then::Team(then), Outcome::Team(done)) => team::done::done(state, requester, then, done),
        (Then::Schedule(then), Outcome::Schedule(done)) => schedule::done::done(state, requester, then, done),
        (Then::Script(then), Outcome::Script(done)) => script::done::done(state, work, requester, then, done),
        (Then::Approval(then), Outcome::Approval(done)) => approval::done::done(state, work, requester, then, done),
        (Then::Server(then), Outcome::Server(done)) => Ok(server::done::done(state, requester, then, done)),
        (Then::Setting(then), Outcome::Setting(done)) => Ok(setting::done::done(state, requester, then, done)),
        (Then::Review(then), Outcome::Review(done)) => review::done::done(state, requester, then, done),
        (Then::Keep(then), Outcome::Keep(done)) => keep::done::done(state, requester, then, done),
        (Then::Usage(then), Outcome::Usage(done)) => usage::done::done(state, then, done),
        (Then::Read(then), Outcome::Read(done)) => read::done::done(state, requester, then, done),
        (
            _,
            Outcome::Chat(_)
            | Outcome::Trash(_)
            | Outcome::Storage(_)
            | Outcome::Journal(_)
            | Outcome::Agent(_)
            | Outcome::Project(_)
            | Outcome::Team(_)
            | Outcome::Schedule(_)
            | Outcome::Script(_)
            | Outcome::Approval(_)
            | Outcome::Server(_)
            | Outcome::Setting(_)
            | Outcome::Review(_)
            | Outcome::Keep(_)
            | Outcome::Usage(_)
            | Outcome::Read(_),
        ) => Err(ForeignResult),
    };
    done.unwrap_or_else(|ForeignResult| {
        let cause = "a worker came back with the result of other work";
        reply::answer(state, requester, Err(Problem::fault("carrying it out", cause)))
    })
}

fn failed(state: &mut Domain, work: WorkId, requester: Requester, then: Then, problem: Problem) -> Vec<Effect> {
    match then {
        Then::Chat(then) => chat::done::failed(state, requester, then, problem),
        Then::Journal(then) => journal::done::failed(state, requester, then, problem),
        Then::Agent(then) => agent::done::failed(state, requester, then, problem),
        Then::Project(then) => project::done::failed(state, requester, then, problem),
        Then::Team(then) => team::done::failed(state, requester, then, problem),
        Then::Schedule(then) => schedule::done::failed(state, requester, then, problem),
        Then::Script(then) => script::done::failed(state, work, requester, then, problem),
        Then::Approval(then) => approval::done::failed(state, work, requester, then, problem),
        Then::Review(then) => review::done::failed(state, requester, then, problem),
        Then::Read(then) => read::done::failed(state, requester, then, problem),
        Then::Usage(then) => usage::done::failed(state, then),
        Then::Keep(then) => keep::done::failed(state, requester, then, problem),
        Then::Trash(_) | Then::Storage(_) | Then::Server(_) | Then::Setting(_) => {
            reply::answer(state, requester, Err(problem))
        }
    }
}
