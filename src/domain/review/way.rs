//! When a chat's checkpoints are taken: it depends on what its agent CLI tells of prompts.

use crate::domain::state::Domain;
use crate::model::{ChatId, Ready};

/// What makes parlour take a checkpoint of an agent's clones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointWay {
    /// Its CLI asks a hook about each prompt, and waits for the answer until the clones are saved.
    Before,
    /// It tells of each prompt: by its own transcript or by a stream of events.
    Told,
    /// It tells of none: a prompt that leaves parlour counts, and Enter in its terminal after a rest.
    Sent,
    /// A person's shell has no prompts.
    OnDemand,
}

/// Not known before the agent has run.
pub fn way(state: &Domain, chat: &ChatId) -> Option<PointWay> {
    let capabilities = state.live.agents.get(chat)?.capabilities.as_ref()?;
    if state.live.reviews.hooked.contains(chat) {
        return Some(PointWay::Before);
    }
    Some(match (capabilities.confirms, capabilities.ready) {
        (true, _) => PointWay::Told,
        (false, Ready::Foreground) => PointWay::OnDemand,
        (false, Ready::Hooks | Ready::Composer | Ready::Screen | Ready::Nothing) => PointWay::Sent,
    })
}
