//! Text that parlour draws itself is marked by a drag of the mouse, within the part of a page where it began. Letting go
//! copies what stands there, unless the person wants to do that by a key.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use crate::domain::effect::{DrawnText, Effect};
use crate::model::ClientId;
use crate::screen::State;

use super::keymap::PaneSheet;
use super::layout::{self, holds};
use super::surface::{Cover, Surface};
use super::tab::{changes, checkpoints, transcript};
use super::view::{Tone, View};
use super::{dialogs, scrolling, toast};
use data::TextMark;

pub mod data;

/// What the mouse does while a button is down that was pressed on text. `None` if that is nothing.
pub fn mouse(state: &mut State, client: ClientId, event: MouseEvent) -> Option<Vec<Effect>> {
    let copies = state.domain.disk.settings.copy_on_select.0;
    let view = state.views.get_mut(&client)?;
    let mark = view.over.mark.as_mut()?;
    match event.kind {
        MouseEventKind::Drag(MouseButton::Left) if mark.is_held => {
            mark.carry((event.column, event.row));
            Some(Vec::new())
        }
        MouseEventKind::Up(MouseButton::Left) if mark.is_held && mark.to.is_some() => {
            mark.is_held = false;
            view.tabs.pressed = None;
            if copies {
                return Some(copy(state, client));
            }
            toast::tell(state, client, "y copies what is marked.", Tone::Told);
            Some(Vec::new())
        }
        // A mouse that only moves was let go where nobody could see it.
        MouseEventKind::Moved if !mark.is_held => None,
        _ => {
            view.over.mark = None;
            None
        }
    }
}

/// A key copies what is marked, or takes the mark away and does what it does.
pub fn press(state: &mut State, client: ClientId, key: KeyEvent) -> Option<Vec<Effect>> {
    let over = &mut state.views.get_mut(&client)?.over;
    over.mark.as_ref()?;
    let copies = matches!(key.code, KeyCode::Char('y') | KeyCode::Enter) && key.modifiers == KeyModifiers::NONE;
    if copies && over.mark.as_ref().is_some_and(|mark| mark.to.is_some()) {
        return Some(copy(state, client));
    }
    over.mark = None;
    None
}

/// Has the marked text read from the screen, and takes the mark away.
fn copy(state: &mut State, client: ClientId) -> Vec<Effect> {
    let mark = state.views.get_mut(&client).and_then(|view| view.over.mark.take());
    let rows: Vec<_> = mark.iter().flat_map(TextMark::rows).collect();
    match rows.is_empty() {
        true => Vec::new(),
        false => vec![Effect::CopyDrawn(client, DrawnText { rows })],
    }
}

/// The part of a page on whose text the left button went down.
pub fn part(state: &State, client: ClientId, event: MouseEvent) -> Option<Rect> {
    if event.kind != MouseEventKind::Down(MouseButton::Left) {
        return None;
    }
    let view = state.views.get(&client)?;
    let (x, y) = (event.column, event.row);
    let layout = layout::arrange(view);
    let sheet = view.sheet().filter(|_| layout.beside.is_none());
    let parts = match view.surface().cover() {
        Some(Cover::Dialog) => dialog(state, view).into_iter().collect(),
        Some(Cover::Schedules) => Vec::new(),
        None if view.surface() == Surface::Leader => Vec::new(),
        None => match layout.inspector {
            Some(panel) if holds(panel.area, x, y) => vec![panel.list],
            _ if layout.beside.is_some_and(|area| holds(area, x, y)) => sheet_parts(view, PaneSheet::Transcript, x),
            _ => sheet.map_or_else(Vec::new, |sheet| sheet_parts(view, sheet, x)),
        },
    };
    let part = parts.into_iter().find(|part| holds(*part, x, y))?;
    let part = scrolling::without_bar(state, view, part);
    holds(part, x, y).then_some(part)
}

/// From this press on a drag marks text, where it left the page as it was and took hold of nothing else.
pub fn hold(state: &mut State, client: ClientId, event: MouseEvent, before: Rect) {
    let is_there = part(state, client, event) == Some(before);
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let is_elsewhere = view.over.held_bar.is_some() || view.sidebar.dragged;
    view.over.mark = (is_there && !is_elsewhere).then(|| TextMark::new(before, (event.column, event.row)));
}

fn dialog(state: &State, view: &View) -> Option<Rect> {
    let dialog = view.over.dialog.as_ref().filter(|_| view.over.keys.is_none())?;
    dialog.contract().text(&dialogs::input::around(state, view))
}

/// Where text stands in a sheet that is clicked in this column.
fn sheet_parts(view: &View, sheet: PaneSheet, x: u16) -> Vec<Rect> {
    match sheet {
        PaneSheet::Transcript => vec![transcript::place::text(view)],
        PaneSheet::Changes => changes::place::texts(view, x),
        PaneSheet::Checkpoints => {
            let areas = checkpoints::place::areas(view);
            vec![areas.list, areas.detail]
        }
        PaneSheet::Work | PaneSheet::Todos => vec![layout::above_foot(view)],
    }
}
