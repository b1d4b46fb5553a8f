//! What people have before them, as far as it matters to chats. Told by the screens after every event.

use std::collections::BTreeSet;

use crate::model::{ChatId, ClientId};

use super::state::Domain;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attention {
    /// On somebody's screen.
    pub shown: BTreeSet<ChatId>,
    /// On a screen for long enough to be seen, or typed in.
    pub seen: BTreeSet<ChatId>,
    /// Keys go to their agents.
    pub used: BTreeSet<ChatId>,
}

/// A person has left: they decide no terminal's size any more.
pub fn left(state: &mut Domain, client: ClientId) {
    let drives = |driver: &Option<ClientId>| *driver == Some(client);
    for agent in state.live.agents.values_mut().filter(|agent| drives(&agent.driver)) {
        agent.driver = None;
    }
    for side in state.live.sides.values_mut().filter(|side| drives(&side.driver)) {
        side.driver = None;
    }
}
