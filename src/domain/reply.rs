//! Whoever asked for something is told how it went.

use serde_json::Value;

use crate::model::Problem;

use super::effect::Effect;
use super::notice::{Done, Notice, Upward};
use super::state::{Domain, Requester};

/// Tells whoever asked how it went: a reply on the wire, or a word on the screen.
pub fn answer(state: &mut Domain, requester: Requester, how: Result<Value, Problem>) -> Vec<Effect> {
    match (requester, how) {
        (Requester::Call(call), how) => vec![Effect::Reply(call, how)],
        (Requester::Screen(request), Err(problem)) => {
            state.notices.push(Notice::Failed(request, problem));
            Vec::new()
        }
        (Requester::Screen(_), Ok(_)) => Vec::new(),
        (Requester::Launch(number), how) => {
            state.upward.push(Upward::Launched(number, how));
            Vec::new()
        }
        (Requester::Nobody, Err(problem)) => {
            tell_all(state, &problem.to_string());
            Vec::new()
        }
        (Requester::Nobody, Ok(_)) => Vec::new(),
    }
}

/// Tells a person at a screen what they asked for. Others get their answer by [`answer`].
pub fn show(state: &mut Domain, requester: Requester, done: Done) {
    if let Requester::Screen(request) = requester {
        state.notices.push(Notice::Done(request, done));
    }
}

/// Says at every screen what failed that nobody there asked for.
pub fn tell_all(state: &mut Domain, text: &str) {
    state.notices.push(Notice::Trouble(text.into()));
}
