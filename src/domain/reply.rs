//! Whoever asked for something is told how it went.

use serde_json::Value;

use crate::model::{ChatId, Problem};

use super::agent::state::{Agent, AtEnd};
use super::effect::Effect;
use super::notice::{Done, Notice, Upward};
use super::state::{Domain, Requester, Then, Waiting};
use super::work::ChatThen;

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

/// Work on a chat has failed. Where nobody asked for it and the chat is being deleted, its folders went away beneath it,
/// and that is no trouble of anybody.
pub fn unless_going(state: &mut Domain, chat: &ChatId, requester: Requester, problem: Problem) -> Vec<Effect> {
    match requester == Requester::Nobody && is_going(state, chat) {
        true => Vec::new(),
        false => answer(state, requester, Err(problem)),
    }
}

/// Whether a chat is gone, or somebody has agreed to delete it.
fn is_going(state: &Domain, chat: &ChatId) -> bool {
    let is_it = |waiting: &Waiting| matches!(&waiting.then, Then::Chat(ChatThen::Delete(of)) if of == chat);
    let ends = |agent: &Agent| agent.at_end.iter().any(|then| matches!(then, AtEnd::Delete(_)));
    !state.disk.chats.contains_key(chat)
        || state.live.live_agent(chat).is_some_and(ends)
        || state.live.waiting.values().any(is_it)
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
