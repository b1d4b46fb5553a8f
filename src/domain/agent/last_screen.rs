//! What is left on the screen of an agent that does not run.

use std::sync::Arc;

use crate::domain::effect::Effect;
use crate::domain::state::Domain;
use crate::model::ChatId;
use crate::term::Screen;

use super::state::Process;

/// What it showed last comes again with its terminal. Of one that sleeps it stays, to be seen at once when it wakes.
pub fn let_go(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    if let Some(agent) = state.live.agents.get_mut(chat)
        && matches!(agent.process, Process::Ended { .. })
    {
        agent.screen = None;
    }
    Vec::new()
}

/// Screens that nobody looks at are not worth their memory: they come again when somebody does.
pub fn keep(state: &mut Domain, chat: &ChatId, screen: Arc<Screen>) -> Option<Arc<Screen>> {
    let before = state.live.looked_at.left.insert(chat.clone(), screen);
    let shown = &state.live.attention.shown;
    state.live.looked_at.left.retain(|chat, _| shown.contains(chat));
    before
}
