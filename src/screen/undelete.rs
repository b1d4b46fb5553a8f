//! Bringing back what was deleted or archived last, also what is still being deleted.

use crate::domain::effect::Effect;
use crate::domain::state::Requester;
use crate::domain::{chat, removal};
use crate::model::chat::ListMark;
use crate::model::{Chat, ChatId, ClientId, Timestamp};
use crate::screen::State;

use super::going::select;
use super::keymap::ChatsAction;
use super::toast;
use super::view::Tone;

/// Brings back what was deleted or archived last, here or elsewhere: each time what went before.
pub fn undo(state: &mut State, client: ClientId) -> Vec<Effect> {
    let going = removal::under_way(&state.domain, client);
    let since = archived_last(state, client).map(|(since, _)| since);
    let requester = state.requester(client);
    let Some(deleted) = state.views.get_mut(&client).map(|view| &mut view.sidebar.deleted) else {
        return Vec::new();
    };
    let together = match deleted.comes_back || going.is_empty() && deleted.at < since {
        true => Vec::new(),
        false => deleted.chats.clone(),
    };
    if going.is_empty() && together.is_empty() {
        return chat::restore_last(&mut state.domain, since, requester);
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

/// What was archived last in one go, and when. What this person brought back just now is on its way.
fn archived_last(state: &State, client: ClientId) -> Option<(Timestamp, Vec<ChatId>)> {
    let back = &state.views.get(&client)?.sidebar.unarchived;
    let archived = state.domain.disk.chats.values().filter(|chat| chat.record.set.archived);
    let archived = archived.filter_map(|chat| Some((chat.record.set.archived_at?, chat.id().clone())));
    let archived: Vec<(Timestamp, ChatId)> = archived.filter(|one| !back.contains(one)).collect();
    let last = archived.iter().map(|(at, _)| *at).max()?;
    let together = archived.into_iter().filter(|(at, _)| *at == last);
    Some((last, together.map(|(_, chat)| chat).collect()))
}

/// Lists again what was archived last, and shows it: nothing was deleted since.
pub fn unarchive(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some((at, chats)) = archived_last(state, client) else {
        nothing_left(state, client);
        return Vec::new();
    };
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    // What was told of them is not so any more.
    view.over.toasts.retain(|toast| toast.tone == Tone::Failed);
    let back = chats.iter().map(|chat| (at, chat.clone()));
    view.sidebar.unarchived.extend(back);
    let requester = Requester::screen(client);
    let listed = |chat: &ChatId| chat::mark(&mut state.domain, chat, (ListMark::Archived, false), requester);
    let mut effects: Vec<Effect> = chats.iter().flat_map(listed).collect();
    effects.extend(select(state, client, chats.into_iter().next()));
    effects
}

/// Of chats that were archived before their time was noted, none is the last.
fn nothing_left(state: &mut State, client: ClientId) {
    let archived = |chat: &&Chat| chat.record.set.archived && chat.record.set.archived_at.is_none();
    let key = |action: ChatsAction| state.leads(client, action);
    let (groups, filter) = (key(ChatsAction::Groups), key(ChatsAction::Filter));
    let lists = match state.domain.disk.chats.values().filter(archived).count() {
        0 => String::new(),
        1 => format!(" One chat is archived: {groups} lists it by state, {filter} finds it."),
        many => format!(" {many} chats are archived: {groups} lists them by state, {filter} finds them."),
    };
    let text = format!("Nothing is left to bring back: the trash is empty.{lists}");
    toast::tell(state, client, text, Tone::Told);
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
