//! What is done when the engine starts and once a day from then on: the trash, the inboxes and the checkpoints let go of
//! what is old.

use super::chat;
use super::effect::Effect;
use super::state::{Domain, Requester};
use super::team::inbox;
use crate::domain::work::{ReviewThen, ReviewWork, TrashThen, TrashWork};
use crate::model::{Chat, ChatId, Kind};

const DAY_MS: u64 = 86_400_000;

/// The first time, and when the next is due. An engine at rest wakes for it.
pub fn begin(state: &mut Domain) -> Vec<Effect> {
    if state.disk.read_only.is_some() {
        return Vec::new();
    }
    let due = state.now.plus_ms(DAY_MS);
    state.live.upkeep = Some(due);
    let mut effects = vec![Effect::WakeAt(due)];
    effects.extend(chat::work(state, Requester::Nobody, TrashThen::LetGo, TrashWork::LetGo));
    let has_clone = |chat: &&Chat| chat.record.dirs.iter().any(|dir| dir.kind == Kind::Git);
    let with_clone = state.disk.chats.values().filter(has_clone);
    let with_clone: Vec<ChatId> = with_clone.map(|chat| chat.id().clone()).collect();
    if !with_clone.is_empty() {
        let thin = ReviewWork::Thin(with_clone);
        effects.extend(chat::work(state, Requester::Nobody, ReviewThen::Thinned, thin));
    }
    let chats = state.disk.chats.values().filter(|chat| chat.inbox != 0);
    let with_inbox: Vec<ChatId> = chats.map(|chat| chat.id().clone()).collect();
    effects.extend(with_inbox.iter().flat_map(|chat| inbox::look(state, chat)));
    effects
}

/// Again, where a day has passed.
pub fn settle(state: &mut Domain) -> Vec<Effect> {
    match state.live.upkeep {
        Some(due) if due <= state.now => begin(state),
        Some(_) | None => Vec::new(),
    }
}
