//! Whoever opens a page of a chat from within its terminal, by the leader or a click, is in the terminal again when it closes.

use crate::domain::auxiliary::Side;
use crate::domain::effect::Effect;
use crate::model::ClientId;

use super::state::State;
use super::tab::views::TypedIn;
use super::view::{Focus, Mode, Tab, View};
use super::{going, side};

/// Something that stands in place of the terminal, or beside it, gets the keys.
pub fn leave(view: &mut View) {
    if view.mode == Mode::Agent {
        let beside = match view.tab {
            Tab::Side(number) => Some(number),
            Tab::Terminal | Tab::Sheet(_) => None,
        };
        let typed_in = |chat| TypedIn { chat, beside };
        view.tabs.within = view.chat.clone().map(typed_in);
    }
}

/// After every event: what was opened from within may have closed, or the person has gone elsewhere.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let Some(TypedIn { chat, beside }) = view.tabs.within.clone() else {
        return Vec::new();
    };
    let has_left = view.chat.as_ref() != Some(&chat) || view.focus == Focus::Sidebar || view.grid.is_some();
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
    let sides = &state.domain.live.sides;
    let lives = match beside {
        Some(number) => sides.get(&number).is_some_and(Side::is_live),
        None => state.domain.status(&chat).is_live(),
    };
    if !lives {
        return Vec::new();
    }
    view.over.guard.came_back("what was opened here has", state.domain.now);
    match beside {
        Some(number) => side::enter(state, client, number),
        None => going::go_in(state, client, chat),
    }
}
