//! Which agents give up their places to others: as many run as may, and some of them only rest.

use crate::domain::state::Domain;
use crate::model::ChatId;

use super::quiescence;
use super::state::Agent;

/// The agents that are stopped if others need their places, the first of them first: what was asked from a shell, then what
/// nobody has on their screen, then what has rested longest.
pub fn chats(state: &Domain) -> Vec<&ChatId> {
    let attention = &state.live.attention;
    let awake = state.live.agents.awake();
    // What its last words are, and that its parent is told of them, comes a moment behind its turn.
    let is_done =
        |chat: &ChatId, agent: &Agent| agent.owed_report.is_none() && quiescence::until(state, chat).is_none();
    let rest =
        awake.filter(|(chat, agent)| agent.is_at_rest() && !attention.used.contains(*chat) && is_done(chat, agent));
    let mut rest: Vec<_> = rest.collect();
    rest.sort_by_key(|(chat, agent)| {
        let is_queried = state.live.listeners.queried.contains(*chat);
        (!is_queried, attention.shown.contains(*chat), agent.since)
    });
    rest.into_iter().map(|(chat, _)| chat).collect()
}
