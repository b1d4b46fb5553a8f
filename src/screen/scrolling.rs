//! The bars on the screen, and what is scrolled by the mouse on them: a press beside the thumb brings it there, a drag takes
//! it along.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;

use super::keymap::PaneSheet;
use super::layout::{self, Bar};
use super::scrollbar::{Extent, HeldBar, ScrollBar};
use super::view::View;
use super::{automations, dialogs, inspector, tab};

/// What a bar belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scrolled {
    Keys,
    Dialog,
    Schedules,
    Sidebar,
    Inspector,
    Sheet(PaneSheet),
}

/// Those that the mouse reaches: what lies over something else has it alone.
fn bars(state: &State, view: &View) -> Vec<(Scrolled, ScrollBar)> {
    let of = |what: Scrolled| move |bar: ScrollBar| (what, bar);
    if let Some(dialog) = view.over.dialog.as_ref().map(|dialog| dialog.contract()) {
        let whole = layout::for_dialogs(view);
        return match &view.over.keys {
            Some(card) => vec![(Scrolled::Keys, card.bar(dialog, whole))],
            None => {
                let own = dialog.bars(&dialogs::input::around(state, view));
                own.into_iter().map(of(Scrolled::Dialog)).collect()
            }
        };
    }
    if let Some(page) = &view.over.automations {
        let bar = automations::bar(state, view, page);
        return vec![(Scrolled::Schedules, bar)];
    }
    let layout = layout::arrange(view);
    let sidebar = layout.sidebar.map(|bar| sidebar(view, &bar));
    let panel = layout
        .inspector
        .and_then(|panel| inspector::bar::bar(state, view, &panel));
    let sheet = match (view.sheet(), layout.beside) {
        (_, Some(_)) => Some(PaneSheet::Transcript),
        (sheet, None) => sheet,
    };
    let own = sheet.iter().flat_map(|sheet| {
        tab::bars(state, view, *sheet)
            .into_iter()
            .map(of(Scrolled::Sheet(*sheet)))
    });
    let sides = sidebar.map(of(Scrolled::Sidebar)).into_iter();
    sides.chain(panel.map(of(Scrolled::Inspector))).chain(own).collect()
}

/// Without the column in which a bar stands at its right.
pub fn without_bar(state: &State, view: &View, text: Rect) -> Rect {
    let is_over = |bar: &ScrollBar| {
        let track = bar.track;
        bar.is_needed() && track.x + 1 == text.right() && track.intersects(text)
    };
    let is_narrower = bars(state, view).iter().any(|(_, bar)| is_over(bar));
    Rect {
        width: text.width.saturating_sub(u16::from(is_narrower)),
        ..text
    }
}

/// On the border that can be dragged.
pub fn sidebar(view: &View, bar: &Bar) -> ScrollBar {
    let extent = Extent::of_rows(
        bar.list,
        view.sidebar.scroll,
        view.sidebar.rows.last().map_or(0, |row| row.top + row.height),
    );
    let track = Rect {
        y: bar.list.y,
        height: bar.list.height,
        ..bar.border
    };
    ScrollBar {
        is_shared: true,
        ..ScrollBar::on_line(track, bar.list, extent).silent()
    }
}

/// `None` if the mouse is at no bar and holds none.
pub fn mouse(state: &mut State, client: ClientId, event: MouseEvent) -> Option<Vec<Effect>> {
    let view = state.views.get(&client)?;
    let before = view.over.held_bar;
    let held = match event.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            let at = (event.column, event.row);
            bars(state, view).into_iter().find_map(|(_, bar)| {
                let track = bar.track;
                bar.grip(at).map(|grip| HeldBar { track, grip })
            })
        }
        MouseEventKind::Drag(MouseButton::Left) => before,
        // A mouse that only moves was let go where nobody could see it.
        MouseEventKind::Up(_) | MouseEventKind::Moved => None,
        _ => return None,
    };
    let found = held.and_then(|held| bars(state, view).into_iter().find(|(_, bar)| bar.track == held.track));
    state.views.get_mut(&client)?.over.held_bar = held;
    let ends = before.is_some() && matches!(event.kind, MouseEventKind::Up(_));
    match (held, found) {
        (Some(held), Some((what, bar))) => {
            let first = bar.led_to(event.row, held.grip);
            Some(scroll_to(state, client, (what, &bar), first))
        }
        (Some(_), None) => Some(Vec::new()),
        (None, _) => ends.then(Vec::new),
    }
}

fn scroll_to(state: &mut State, client: ClientId, (what, bar): (Scrolled, &ScrollBar), first: usize) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match what {
        Scrolled::Keys => {
            if let Some(card) = &mut view.over.keys {
                card.scroll = first;
            }
        }
        Scrolled::Dialog => return dialogs::input::scroll_to(state, client, bar, first),
        Scrolled::Schedules => automations::scroll_to(state, client, bar, first),
        Scrolled::Sidebar => view.sidebar.scroll = first,
        Scrolled::Inspector => inspector::bar::scroll_to(state, client, bar, first),
        Scrolled::Sheet(sheet) => tab::scroll_to(state, client, sheet, (bar, first)),
    }
    Vec::new()
}
