//! Bringing back what was deleted last, also while it is still being deleted.

use crate::domain::effect::Effect;
use crate::domain::{chat, removal};
use crate::model::{ChatId, ClientId};
use crate::screen::State;

use super::view::Tone;
use super::{listing, toast};

/// Brings back what was archived last here, or deleted last, here or elsewhere.
pub fn undo(state: &mut State, client: ClientId) -> Vec<Effect> {
    let going = removal::under_way(&state.domain, client);
    if going.is_empty()
        && let Some(effects) = listing::bring_back(state, client)
    {
        return effects;
    }
    let requester = state.requester(client);
    let Some(deleted) = state.views.get_mut(&client).map(|view| &mut view.sidebar.deleted) else {
        return Vec::new();
    };
    let together = match deleted.comes_back {
        true => Vec::new(),
        false => deleted.chats.clone(),
    };
    if going.is_empty() && together.is_empty() {
        return chat::restore(&mut state.domain, None, requester);
    }
    deleted.comes_back |= !together.is_empty();
    let is_gone = |chat: &ChatId| !state.domain.disk.chats.contains_key(chat);
    let gone: Vec<ChatId> = together.into_iter().filter(is_gone).collect();
    for chat in going {
        restore_later(state, client, chat);
    }
    let back = |chat: ChatId| chat::restore(&mut state.domain, Some(chat.to_string()), requester);
    gone.into_iter().flat_map(back).collect()
}

/// A key that undoes counts right after a person deleted something, whatever has closed by then: it does no harm.
pub fn is_meant(state: &State, client: ClientId) -> bool {
    let now = state.domain.now;
    let view = state.views.get(&client);
    view.is_some_and(|view| view.sidebar.deleted.is_fresh(now)) || !removal::under_way(&state.domain, client).is_empty()
}

/// It is being deleted, and comes back as soon as it is.
pub fn restore_later(state: &mut State, client: ClientId, chat: ChatId) {
    if let Some(view) = state.views.get_mut(&client) {
        let late = &mut view.sidebar.deleted.late;
        if !late.contains(&chat) {
            late.push(chat);
        }
    }
    toast::tell(state, client, "It comes back as soon as it is deleted.", Tone::Told);
}

/// Brings back what a person wanted back while it was still being deleted, and what is in the trash by now.
pub fn restore_late(state: &mut State, client: ClientId) -> Vec<Effect> {
    let requester = state.requester(client);
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let chats = &state.domain.disk.chats;
    let late = std::mem::take(&mut view.sidebar.deleted.late);
    let (stay, gone): (Vec<_>, Vec<_>) = late.into_iter().partition(|chat| chats.contains_key(chat));
    view.sidebar.deleted.late = stay;
    let back = |chat: ChatId| chat::restore(&mut state.domain, Some(chat.to_string()), requester);
    gone.into_iter().flat_map(back).collect()
}
