//! Whoever asked for something is told how it went.

use serde_json::Value;

use crate::model::Problem;

use super::effect::Effect;
use super::notice::{Notice, Upward};
use super::state::{Domain, Requester};

/// Tells whoever asked how it went: a reply on the wire, or a word on the screen.
pub fn answer(state: &mut Domain, requester: Requester, how: Result<Value, Problem>) -> Vec<Effect> {
    match (requester, how) {
        (Requester::Call(call), how) => vec![Effect::Reply(call, how)],
        (Requester::Screen(client), Err(problem)) => {
            state.notices.push(Notice::Failed(client, problem));
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

/// Says at every screen what failed that nobody there asked for.
pub fn tell_all(state: &mut Domain, text: &str) {
    state.notices.push(Notice::Trouble(text.into()));
}
