//! The grid: live screens of several chats beside each other. The selected one is typed into as ever.

use crossterm::event::KeyCode;

use crate::domain::auxiliary::Side;
use crate::domain::effect::Effect;
use crate::model::{ChatId, ClientId};
use crate::screen::State;

use super::going::{self, select};
use super::view::{Focus, Mode, Tab, Tone};
use super::{listing, toast};
use data::{Grid, GridFrom};
use tiles::TileWay;

pub mod data;
pub mod tiles;

/// Shows the marked chats beside each other, else those whose agents run; or one alone again. From one of its screens
/// that was zoomed it is back.
pub fn toggle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if view.grid.is_some() && std::mem::take(&mut view.zoomed) && view.shown_grid().is_some() {
        return Vec::new();
    }
    if view.shown_grid().is_some() {
        close(state, client);
        return Vec::new();
    }
    let marked = listing::has_marks(state, client);
    let chats = match marked {
        true => listing::meant(state, client),
        false => running(state, client),
    };
    let Some(first) = chats.first().cloned() else {
        toast::tell(state, client, "No agent runs.", Tone::Told);
        return Vec::new();
    };
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    (view.focus, view.zoomed) = (Focus::Pane, false);
    let from = match (view.chat.clone(), view.tab) {
        (Some(chat), Tab::Side(side)) => {
            let typed = view.mode == Mode::Agent;
            Some(GridFrom { chat, side, typed })
        }
        (_, Tab::Terminal | Tab::Sheet(_)) | (None, Tab::Side(_)) => None,
    };
    if let Some(GridFrom { chat, .. }) = &from {
        going::note_side(&mut view.tabs.sides, chat.clone(), view.tab);
        // Keys that are meant for it are not for the agent.
        view.mode = Mode::Outside;
    }
    view.show(Tab::Terminal);
    let stays = view.chat.clone().filter(|chat| chats.contains(chat));
    view.grid = Some(Grid { chats, from });
    select(state, client, stays.or(Some(first)))
}

/// One alone again. Whoever opened it from a terminal beside an agent, and has not gone into another, is in that again.
pub fn close(state: &mut State, client: ClientId) {
    let (sides, now) = (&state.domain.live.sides, state.domain.now);
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let from = view.grid.take().and_then(|grid| grid.from);
    let is_there = view.mode == Mode::Outside && view.focus == Focus::Pane;
    let is_back = |from: &GridFrom| is_there && view.chat.as_ref() == Some(&from.chat);
    let runs = |from: &GridFrom| sides.get(&from.side).is_some_and(Side::is_live);
    if let Some(from) = from.filter(|from| is_back(from) && runs(from)) {
        view.show(Tab::Side(from.side));
        if from.typed {
            view.mode = Mode::Agent;
            view.over.guard.came_back("the grid has", false, now);
        }
    }
}

fn running(state: &State, client: ClientId) -> Vec<ChatId> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let live = |chat: &&ChatId| state.domain.status(chat).is_live();
    view.sidebar.chats().filter(live).cloned().collect()
}

/// To another tile; round the end.
pub fn step(state: &mut State, client: ClientId, by: isize) -> Vec<Effect> {
    let Some((view, grid)) = state
        .views
        .get(&client)
        .and_then(|view| Some((view, view.shown_grid()?)))
    else {
        return Vec::new();
    };
    let at = grid.chats.iter().position(|chat| Some(chat) == view.chat.as_ref());
    let count = grid.chats.len() as isize;
    let next = (at.unwrap_or(0) as isize + by).rem_euclid(count.max(1));
    let chat = grid.chats.get(next as usize).cloned();
    select(state, client, chat)
}

/// To the tile at the side to which an arrow points, where there is one.
pub fn arrow(state: &mut State, client: ClientId, key: KeyCode) -> Option<Vec<Effect>> {
    let way = match key {
        KeyCode::Left => TileWay::Left,
        KeyCode::Right => TileWay::Right,
        _ => return None,
    };
    state.views.get(&client)?.shown_grid()?;
    Some(go(state, client, way).unwrap_or_default())
}

/// Up or down on the screen, or on in the order of the grid where nothing stands there.
pub fn up_or_down(state: &mut State, client: ClientId, by: isize) -> Vec<Effect> {
    let way = if by < 0 { TileWay::Up } else { TileWay::Down };
    go(state, client, way).unwrap_or_else(|| step(state, client, by))
}

fn go(state: &mut State, client: ClientId, way: TileWay) -> Option<Vec<Effect>> {
    let chat = tiles::beside(state.views.get(&client)?, way)?;
    Some(select(state, client, Some(chat)))
}

/// A chat that is gone has no tile, and one that is gone to gets one.
pub fn settle(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let Some(grid) = &mut view.grid else {
        return;
    };
    // They have gone into another terminal since.
    grid.from.take_if(|_| view.mode == Mode::Agent);
    grid.chats.retain(|chat| state.domain.disk.chats.contains_key(chat));
    if let Some(chat) = view.chat.as_ref().filter(|chat| !grid.chats.contains(chat)) {
        grid.chats.push(chat.clone());
    }
    if grid.chats.is_empty() {
        view.grid = None;
    }
}
