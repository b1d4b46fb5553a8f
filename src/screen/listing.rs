//! How a person has chats listed: in which order and groups, which at the top or not at all, which marked; and jumps in
//! that list.

use crossterm::event::{KeyCode, KeyEvent};

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Requester;
use crate::domain::work::{ChatThen, ChatWork};
use crate::model::chat::ListMark;
use crate::model::preferences::ListLook;
use crate::model::{ChatId, ClientId};
use crate::screen::State;

use super::dialog::{Several, SeveralAct};
use super::dialogs::open;
use super::going::select;
use super::keymap::ChatsAction;
use super::view::{Focus, Mode, Tone, View};
use super::{forest, layout, numbers, toast};

/// The chat with the number of that key; in the grid, one of those.
pub fn jump(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let KeyCode::Char(digit) = key.code else {
        return Vec::new();
    };
    let digit = digit.to_digit(10).and_then(|digit| u8::try_from(digit).ok());
    let (Some(number), Some(view)) = (digit, state.views.get_mut(&client)) else {
        return Vec::new();
    };
    view.sidebar.hold(state.domain.now);
    let grid = state.views.get(&client).and_then(View::shown_grid);
    let is_shown = |chat: &&ChatId| grid.is_none_or(|grid| grid.chats.contains(chat));
    let Some(chat) = numbers::chat(state, number).filter(is_shown).cloned() else {
        let whose = grid.map_or("No chat", |_| "No chat in the grid");
        toast::tell(state, client, format!("{whose} has the number {number}."), Tone::Told);
        return Vec::new();
    };
    // What the filter did not find would not be shown.
    if let Some(view) = state.views.get_mut(&client)
        && !view.sidebar.chats().any(|listed| *listed == chat)
    {
        view.end_filter();
    }
    select(state, client, Some(chat))
}

/// Back to where the person was, and from there back again.
pub fn last_chat(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let is_there = |chat: &ChatId| state.domain.disk.chats.contains_key(chat);
    let Some(last) = view.sidebar.last.clone().filter(is_there) else {
        toast::tell(state, client, "You were at no other chat.", Tone::Told);
        return Vec::new();
    };
    let here = view.chat.clone();
    let effects = select(state, client, Some(last));
    if let Some(view) = state.views.get_mut(&client) {
        view.sidebar.last = here;
    }
    effects
}

pub fn order(state: &mut State, client: ClientId) -> Vec<Effect> {
    change(state, client, |look| look.order = look.order.next())
}

pub fn groups(state: &mut State, client: ClientId) -> Vec<Effect> {
    change(state, client, |look| look.groups = look.groups.next())
}

/// On this screen at once, and on new ones from now on.
fn change(state: &mut State, client: ClientId, with: impl FnOnce(&mut ListLook)) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    with(&mut view.sidebar.look);
    (view.sidebar.held, view.sidebar.scroll) = (None, 0);
    let look = view.sidebar.look;
    let is_seen = layout::arrange(view).sidebar.is_some();
    let work = ChatWork::KeepLook(look);
    if !is_seen {
        let text = format!("The list is ordered {}, {}.", look.order.words(), look.groups.words());
        toast::tell(state, client, text, Tone::Told);
    }
    chat::work(&mut state.domain, Requester::screen(client), ChatThen::LookKept, work)
}

/// Marks a chat, or takes its mark away; in the list it goes on to the next.
pub fn mark(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.sidebar.hold(state.domain.now);
    let marked = &mut view.sidebar.marked;
    if !marked.remove(&chat) {
        marked.insert(chat.clone());
    }
    let is_listed = view.focus == Focus::Sidebar;
    let next = view.sidebar.chats().skip_while(|other| **other != chat).nth(1).cloned();
    match next.filter(|_| is_listed) {
        Some(next) => select(state, client, Some(next)),
        None => Vec::new(),
    }
}

/// Marks all that the list shows; those that are marked are none then.
pub fn mark_all(state: &mut State, client: ClientId) -> Vec<Effect> {
    if let Some(view) = state.views.get_mut(&client) {
        view.sidebar.hold(state.domain.now);
        let all: Vec<ChatId> = view.sidebar.chats().cloned().collect();
        let marked = &mut view.sidebar.marked;
        match all.iter().all(|chat| marked.contains(chat)) {
            true => marked.clear(),
            false => marked.extend(all),
        }
    }
    Vec::new()
}

pub fn has_marks(state: &State, client: ClientId) -> bool {
    let view = state.views.get(&client);
    view.is_some_and(|view| !view.sidebar.marked.is_empty())
}

/// Asks before something is done to all that are marked.
pub fn ask(state: &mut State, client: ClientId, act: SeveralAct) -> Vec<Effect> {
    let chats = meant(state, client);
    let several = Several::new(&state.domain, chats, act);
    open(state, client, several)
}

/// The marked chats in the order of the list, else the one that is shown.
pub fn meant(state: &State, client: ClientId) -> Vec<ChatId> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let marked = &view.sidebar.marked;
    match marked.is_empty() {
        true => view.chat.iter().cloned().collect(),
        // Folded ones are in no row.
        false => {
            let listed: Vec<ChatId> = view
                .sidebar
                .chats()
                .filter(|chat| marked.contains(*chat))
                .cloned()
                .collect();
            let others = marked.iter().filter(|chat| !listed.contains(chat)).cloned().collect();
            [listed, others].concat()
        }
    }
}

/// Pins or archives; where all are so already, the opposite.
pub fn turn(state: &mut State, client: ClientId, mark: ListMark) -> Vec<Effect> {
    let chats = meant(state, client);
    let known = |chat: &ChatId| state.domain.disk.chats.get(chat).map(|chat| &chat.record.set);
    let on = !chats.iter().filter_map(known).all(|set| set.is_marked(mark));
    if let Some(view) = state.views.get_mut(&client) {
        view.sidebar.marked.clear();
        // What one does oneself is seen at once.
        view.sidebar.held = None;
    }
    let mut effects = Vec::new();
    if mark == ListMark::Archived && on {
        let key = |action: ChatsAction| state.leads(client, action);
        let (back, groups) = (key(ChatsAction::UndoDelete), key(ChatsAction::Groups));
        let text = match chats.len() {
            1 => format!("Archived. {back} brings it back. A filter finds it, and {groups} lists it by state."),
            many => format!(
                "Archived {many} chats. {back} brings them back. A filter finds them, and {groups} lists them by state."
            ),
        };
        toast::tell(state, client, text, Tone::Told);
        effects.extend(leave(state, client, &chats));
    }
    let is_below = |chat: &ChatId| forest::above(&state.domain.disk.chats, chat).is_some();
    let view = state.views.get(&client);
    let is_seen = view.is_some_and(|view| layout::arrange(view).sidebar.is_some());
    if mark == ListMark::Pinned && !is_seen && !chats.is_empty() {
        let text = if on {
            "Pinned: it stays at the top of the list."
        } else {
            "Pinned no longer."
        };
        toast::tell(state, client, text, Tone::Told);
    } else if mark == ListMark::Pinned && on && !chats.is_empty() && chats.iter().all(is_below) {
        let text = "It keeps its number, and stays below the chat that it belongs to.";
        toast::tell(state, client, text, Tone::Told);
    }
    let requester = Requester::screen(client);
    let marked = |chat: &ChatId| chat::mark(&mut state.domain, chat, (mark, on), requester);
    effects.extend(chats.iter().flat_map(marked).collect::<Vec<_>>());
    effects
}

/// Selects the chat below these, else the one above: what is selected is always listed.
fn leave(state: &mut State, client: ClientId, chats: &[ChatId]) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    if !view.chat.as_ref().is_some_and(|chat| chats.contains(chat)) {
        return Vec::new();
    }
    let listed: Vec<&ChatId> = view.sidebar.chats().collect();
    let at = listed
        .iter()
        .position(|chat| Some(*chat) == view.chat.as_ref())
        .unwrap_or(0);
    let stays = |chat: &&&ChatId| !chats.contains(chat);
    let next = listed[at.min(listed.len())..].iter().find(stays);
    let next = next.or_else(|| listed[..at.min(listed.len())].iter().rfind(stays));
    let Some(next) = next.map(|chat| (*chat).clone()) else {
        return Vec::new();
    };
    // Keys that were meant for this chat are not for the agent of another.
    if let Some(view) = state.views.get_mut(&client) {
        view.mode = Mode::Outside;
    }
    select(state, client, Some(next))
}
