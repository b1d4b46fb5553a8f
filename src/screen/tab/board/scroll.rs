//! Which atom is selected, and how far the Work pane is scrolled.

use super::data::Face;
use super::state::shown;
use super::{cards, graph};
use crate::model::ClientId;
use crate::model::atom::AtomKey;
use crate::screen::State;
use crate::screen::keymap::PaneSheet;
use crate::screen::scrollbar::{Extent, ScrollBar};
use crate::screen::view::View;

/// What is selected stays there, and one atom always is; what is scrolled away stays in bounds.
pub fn settle(state: &mut State, client: ClientId) {
    let Some(view) = state
        .views
        .get(&client)
        .filter(|view| view.sheet() == Some(PaneSheet::Work))
    else {
        return;
    };
    let Some((_, graph)) = shown(state, view) else {
        return;
    };
    let there = view
        .tabs
        .board
        .selected
        .as_ref()
        .is_some_and(|key| graph.get(key).is_some());
    if !there {
        let first = cards::sorted(graph).into_iter().flatten().next();
        select(state, client, first);
    }
    clamp(state, client);
}

fn clamp(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let mut board = view.tabs.board.clone();
    match (board.face, shown(state, view)) {
        (Face::Board, _) => {
            for (top, column) in board.tops.iter_mut().zip(&cards::columns(state, view)) {
                *top = (*top).min(column.lines.len().saturating_sub(column.list.height.into()));
            }
        }
        // It is drawn only where it is looked at: this is done after each event.
        (Face::Graph, Some((_, plan))) => {
            let drawing = graph::draw(plan, board.selected.as_ref());
            let place = graph::place(state, view);
            board.corner.0 = board.corner.0.min(drawing.width.saturating_sub(place.width.into()));
            board.corner.1 = board.corner.1.min(drawing.height.saturating_sub(place.height.into()));
        }
        (Face::Graph, None) => {}
    }
    if let Some(view) = state.views.get_mut(&client) {
        view.tabs.board = board;
    }
}

pub fn select(state: &mut State, client: ClientId, key: Option<AtomKey>) {
    if let Some(view) = state.views.get_mut(&client) {
        view.tabs.board.selected = key;
    }
    reveal(state, client);
}

/// Scrolls so far that the selected atom is seen.
pub fn reveal(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let mut board = view.tabs.board.clone();
    let Some(key) = board.selected.clone() else {
        return;
    };
    for (top, column) in board.tops.iter_mut().zip(cards::columns(state, view)) {
        let of_it = |line: &cards::CardLine| line.key.as_ref() == Some(&key);
        let (first, last) = (
            column.lines.iter().position(of_it),
            column.lines.iter().rposition(of_it),
        );
        if let (Some(first), Some(last)) = (first, last) {
            // The heading above the first card comes along.
            let first = if first == 1 { 0 } else { first };
            *top = (*top)
                .max((last + 1).saturating_sub(column.list.height.into()))
                .min(first);
        }
    }
    if let Some((_, plan)) = shown(state, view) {
        let drawing = graph::draw(plan, Some(&key));
        let place = graph::place(state, view);
        if let Some(node) = drawing.nodes.iter().find(|node| node.key == key) {
            let (width, height) = (usize::from(place.width), usize::from(place.height));
            let (left, top) = board.corner;
            board.corner.0 = left.max((node.x + node.width + 2).saturating_sub(width)).min(node.x);
            board.corner.1 = top.max((node.y + 1).saturating_sub(height)).min(node.y);
        }
    }
    if let Some(view) = state.views.get_mut(&client) {
        view.tabs.board = board;
    }
}

/// In the last column of each column of cards. What lies below is counted by cards.
pub fn bars(state: &State, view: &View) -> Vec<ScrollBar> {
    match view.tabs.board.face {
        Face::Graph => Vec::new(),
        Face::Board => {
            let columns = cards::columns(state, view);
            let bar = |(column, top): (&cards::Column, usize)| column_bar(column, top);
            columns.iter().zip(view.tabs.board.tops).map(bar).collect()
        }
    }
}

pub fn column_bar(column: &cards::Column, top: usize) -> ScrollBar {
    let extent = Extent::of_rows(column.list, top, column.lines.len());
    ScrollBar::within(column.list, extent).silent()
}

pub fn scroll_to(state: &mut State, client: ClientId, bar: &ScrollBar, first: usize) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let columns = cards::columns(state, view);
    if let Some(view) = state.views.get_mut(&client) {
        let tops = view.tabs.board.tops.iter_mut().zip(&columns);
        let meant = tops.filter(|(_, column)| column.list == bar.list);
        meant.for_each(|(top, _)| *top = first);
    }
}
