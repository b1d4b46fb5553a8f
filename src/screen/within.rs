//! Whoever opens a page of a chat from within its terminal, by the leader or a click, is in the terminal again when it closes.

use crate::domain::auxiliary::Side;
use crate::domain::effect::Effect;
use crate::model::{Chat, ClientId};

use super::state::State;
use super::tab::views::TypedIn;
use super::view::{Focus, Mode, Tab, View};
use super::{going, side};

/// Something that stands in place of the terminal, or beside it, gets the keys.
pub fn leave(view: &mut View) {
    if view.mode == Mode::Agent {
        view.tabs.within = typed_in(view);
    }
}

/// The list gets the keys, by a key that leads there.
pub fn leave_for_list(view: &mut View) {
    if view.mode == Mode::Agent {
        view.tabs.to_list = typed_in(view);
    }
}

fn typed_in(view: &View) -> Option<TypedIn> {
    let beside = match view.tab {
        Tab::Side(number) => Some(number),
        Tab::Terminal | Tab::Sheet(_) => None,
    };
    let chat = view.chat.clone()?;
    Some(TypedIn { chat, beside })
}

/// From the list into the terminal from which they came there, unless they have chosen another chat. `None` if they came
/// from none.
pub fn back_from_list(state: &mut State, client: ClientId) -> Option<Vec<Effect>> {
    let view = state.views.get_mut(&client)?;
    let from = view.tabs.to_list.take()?;
    if view.chat.as_ref() != Some(&from.chat) || !view.tab.is_terminal() {
        return None;
    }
    view.focus = Focus::Pane;
    Some(go_back(state, client, from))
}

/// After every event: what was opened from within may have closed, or the person has gone elsewhere.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if view.mode == Mode::Agent || view.focus != Focus::Sidebar {
        view.tabs.to_list = None;
    }
    let Some(from) = view.tabs.within.clone() else {
        return Vec::new();
    };
    let chat = &from.chat;
    let has_left = view.chat.as_ref() != Some(chat) || view.focus == Focus::Sidebar || view.grid.is_some();
    let is_beside = view.mode == Mode::Agent && view.over.came_from.is_none();
    if has_left || is_beside {
        view.tabs.within = None;
        return Vec::new();
    }
    let covered = view.over.dialog.is_some() || view.over.automations.is_some() || view.leader;
    if covered || view.mode == Mode::Agent || view.sheet().is_some() || view.focus == Focus::Inspector {
        return Vec::new();
    }
    view.tabs.within = None;
    go_back(state, client, from)
}

/// They type in it again, if it still runs.
fn go_back(state: &mut State, client: ClientId, TypedIn { chat, beside }: TypedIn) -> Vec<Effect> {
    let sides = &state.domain.live.sides;
    let lives = match beside {
        Some(number) => sides.get(&number).is_some_and(Side::is_live),
        None => state.domain.status(&chat).is_live(),
    };
    if !lives {
        return Vec::new();
    }
    // To no other program is an Esc an interrupt.
    let is_agent = beside.is_none() && !state.domain.disk.chats.get(&chat).is_some_and(Chat::is_shell);
    let now = state.domain.now;
    if let Some(view) = state.views.get_mut(&client) {
        view.over.guard.came_back("what was opened here has", is_agent, now);
    }
    match beside {
        Some(number) => side::enter(state, client, number),
        None => going::go_in(state, client, chat),
    }
}
