//! The sidebar as a rail: where a screen has no room for it beside the terminal, the signs of the chats alone stand there.

use ratatui::layout::Rect;

use crate::domain::effect::Effect;
use crate::model::{ChatId, ClientId};
use crate::screen::State;

use super::going;
use super::layout::{self, holds};
use super::sidebar_row::{SidebarRow, What};
use super::view::{Focus, Mode, View};

/// How many chats need somebody stands above the signs.
pub const HEAD: u16 = 1;

/// The sign of a chat where it lies, with the row that the sidebar has of it.
pub struct RailSign<'v> {
    pub row: &'v SidebarRow,
    pub chat: &'v ChatId,
    pub area: Rect,
}

/// The chats whose signs are in sight, the selected one among them.
pub fn placed(view: &View, rail: Rect) -> Vec<RailSign<'_>> {
    let chats = view.sidebar.rows.iter().filter_map(|row| match &row.what {
        What::Chat(chat, _) => Some((row, chat)),
        What::Heading(_) | What::Runs { .. } => None,
    });
    let room = usize::from(rail.height.saturating_sub(HEAD));
    let selected = chats.clone().position(|(_, chat)| Some(chat) == view.chat.as_ref());
    let first = (selected.unwrap_or(0) + 1).saturating_sub(room);
    let rows = (rail.y + HEAD..rail.bottom()).map(|y| Rect { y, height: 1, ..rail });
    let placed = chats.skip(first).zip(rows);
    placed.map(|((row, chat), area)| RailSign { row, chat, area }).collect()
}

/// A click opens the drawer, at the chat whose sign is clicked.
pub fn click(state: &mut State, client: ClientId, (x, y): (u16, u16)) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let Some(rail) = layout::arrange(view).rail else {
        return Vec::new();
    };
    let clicked = placed(view, rail).into_iter().find(|sign| holds(sign.area, x, y));
    let chat = clicked.map(|sign| sign.chat.clone());
    (view.mode, view.focus) = (Mode::Outside, Focus::Sidebar);
    view.sidebar.hold(state.domain.now);
    match chat {
        Some(chat) => going::select(state, client, Some(chat)),
        None => Vec::new(),
    }
}
