//! Whether what somebody waits for has come of a chat.

use crate::domain::agent::quiescence;
use crate::domain::state::Domain;
use crate::model::request::Until;
use crate::model::{ChatId, Status};

pub fn has_come(state: &Domain, chat: &ChatId, until: Until) -> bool {
    let status = state.status(chat);
    // A hibernated one only rests.
    let exited = matches!(status, Status::Exited(_));
    let rests = matches!(status, Status::Idle(_) | Status::Hibernated);
    // A prompt on its way is work to come: the chat only seems idle.
    let agent = state.live.agents.get(chat);
    let on_its_way = agent.is_some_and(|agent| agent.is_live() && !agent.outbox.is_empty());
    let outstanding = on_its_way || quiescence::until(state, chat).is_some();
    match until {
        Until::Idle => exited || rests && !outstanding,
        Until::NeedsYou => matches!(status, Status::NeedsYou(_)),
        Until::Exited => exited,
        Until::Done => {
            let declared = state.disk.chats.get(chat).and_then(|c| c.declared.as_ref());
            declared.is_some_and(|d| d.status == "done")
        }
    }
}

/// Whether a chat's turn is over, well or not.
pub fn cannot_go_on(state: &Domain, chat: &ChatId) -> bool {
    state.status(chat).has_failed() || has_come(state, chat, Until::Idle)
}
