//! A chat is deleted: its agent ends, its directory goes to the trash, and what was known of it is forgotten.

use super::work::{ChatThen, ChatWork};
use crate::model::{ChatId, ClientId};

use super::agent::state::{Agent, AtEnd};
use super::approval::{clipboard, setup};
use super::chat::{trash, work};
use super::effect::Effect;
use super::keep::{pulls, radar};
use super::state::{Domain, Requester, Then};
use super::team::{atom, tree, wait};
use super::{agent, auxiliary, script, usage};

/// Deletes a chat. A live agent is ended only once the trash has a place for it: on a full disk nothing is lost.
pub fn delete(state: &mut Domain, chat: &ChatId, requester: Requester) -> Vec<Effect> {
    match state.live.is_live(chat) {
        true => {
            let job = ChatWork::ReadyTrash(chat.clone());
            work(state, requester, ChatThen::Delete(chat.clone()), job)
        }
        false => trash(state, chat, requester),
    }
}

/// The chats that this person has agreed to delete, and that are not gone yet.
pub fn under_way(state: &Domain, client: ClientId) -> Vec<ChatId> {
    let waiting = state.live.waiting.values().filter_map(|waiting| {
        let Then::Chat(ChatThen::Delete(chat)) = &waiting.then else {
            return None;
        };
        waiting.requester.is_at(client).then_some(chat)
    });
    let ends = |agent: &Agent| {
        let mut at_end = agent.at_end.iter();
        at_end.any(|then| matches!(then, AtEnd::Delete(requester) if requester.is_at(client)))
    };
    let ending = state.live.live_agents().filter(|(_, agent)| ends(agent));
    waiting.chain(ending.map(|(chat, _)| chat)).cloned().collect()
}

/// Stops the agent, then moves the chat to the trash.
pub fn end_and_trash(state: &mut Domain, chat: &ChatId, requester: Requester) -> Vec<Effect> {
    match agent::end(state, chat, AtEnd::Delete(requester)) {
        Some(mut effects) => {
            effects.push(Effect::CancelFor(chat.clone()));
            effects
        }
        None => trash(state, chat, requester),
    }
}

/// Its folders are gone: by our own deletion, before which its agent ended, or by somebody else's hand. Then what runs of
/// it ends too, or nobody could stop it any more.
pub fn vanished(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let mut effects = script::stop_all(state, chat);
    if state.live.is_live(chat) {
        effects.extend(agent::cut_off(state, chat));
        let forget = ChatWork::Forget(chat.clone());
        effects.extend(work(state, Requester::Nobody, ChatThen::Forgotten, forget));
    }
    effects.extend(removed(state, chat));
    effects
}

pub fn removed(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    // With a root its graph is gone too.
    let mut effects = match tree::root(state, chat) == chat {
        true => Vec::new(),
        false => atom::owner_ended(state, chat, "deleted"),
    };
    usage::goes(state, chat);
    let gone = state.disk.chats.remove(chat);
    state.live.trashed += u64::from(gone.is_some());
    state.live.agents.remove(chat);
    state.live.looked_at.left.remove(chat);
    state.live.unseen.remove(chat);
    state.live.listeners.queried.remove(chat);
    state.live.inboxes.stamps.remove(chat);
    state.live.inboxes.broken.remove(chat);
    state.live.inboxes.waiting.remove(chat);
    state.live.reviews.forget(chat);
    radar::gone(state, chat);
    pulls::gone(state, chat);
    setup::forget(state, chat, None);
    clipboard::forget(state, chat);
    effects.extend(auxiliary::close_all(state, chat));
    effects.extend(wait::gone(state, chat));
    effects
}
