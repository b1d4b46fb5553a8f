//! What several sources tell is told once, and where it happened.

use crate::domain::state::Domain;
use crate::model::{ChatId, Happened};

use super::cwd;
use super::label::label;

/// What of this was not told before, by whichever source.
pub(in crate::domain) fn news(state: &mut Domain, chat: &ChatId, mut happened: Vec<Happened>) -> Vec<Happened> {
    if let Some(known) = state.disk.chats.get(chat) {
        label(known, cwd::cwd(state, chat), &mut happened);
    }
    let happened = match state.live.agents.get_mut(chat) {
        Some(agent) => agent.dedup.news(happened),
        None => happened,
    };
    cwd::follow(state, chat, happened)
}
