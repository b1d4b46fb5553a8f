//! Where one person is in the Work pane.

use ratatui::layout::Rect;

use crate::domain::team::atom;
use crate::model::atom::{AtomKey, AtomStatus, Graph};
use crate::model::text::visible;
use crate::model::{ChatId, ClientId};
use crate::screen::State;

use super::super::keymap::PaneSheet;
use super::super::layout;
use super::super::view::View;
use super::{cards, graph};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    pub face: Face,
    pub selected: Option<AtomKey>,
    /// Rows above the first that is shown, of each column; where they stand in one, of the first.
    pub tops: [usize; 3],
    /// What of the graph is left of and above what is shown.
    pub corner: (usize, usize),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Face {
    #[default]
    Board,
    Graph,
}

/// The cells it has: without the line that lies over a zoomed pane.
pub fn area(view: &View) -> Rect {
    layout::above_foot(view)
}

/// Of these what the atoms have: a line above says what is wrong, if anything is.
pub fn body(state: &State, view: &View) -> Rect {
    let area = area(view);
    let wrong = shown(state, view).and_then(|(_, graph)| problem(graph)).is_some();
    let line = u16::from(wrong).min(area.height);
    Rect {
        y: area.y + line,
        height: area.height - line,
        ..area
    }
}

/// What in the files cannot be read, and what waits for itself.
pub fn problem(graph: &Graph) -> Option<String> {
    let odd = graph.odd();
    let more = match odd.len() {
        0 | 1 => String::new(),
        many => format!(" (and {} more)", many - 1),
    };
    let odd = odd
        .first()
        .map(|(name, why)| format!("{}.json{more}: {why}", visible(name)));
    let circle = || {
        graph
            .circle(None)
            .map(|circle| format!("never ready: {}", visible(&circle)))
    };
    odd.or_else(circle)
}

/// The graph of the chat that is shown, with the root it belongs to.
pub fn shown<'a>(state: &'a State, view: &'a View) -> Option<(&'a ChatId, &'a Graph)> {
    let chat = view.chat.as_ref()?;
    let root = crate::domain::team::tree::root(&state.domain, chat);
    Some((root, atom::graph(&state.domain, chat)?))
}

/// How an atom is called among the others: its molecule is named only where there are several.
pub fn label(graph: &Graph, key: &AtomKey) -> String {
    match graph.molecules.len() {
        0 | 1 => visible(&key.id),
        _ => visible(&key.to_string()),
    }
}

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
    let there = view.board.selected.as_ref().is_some_and(|key| graph.get(key).is_some());
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
    let mut board = view.board.clone();
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
        view.board = board;
    }
}

pub fn select(state: &mut State, client: ClientId, key: Option<AtomKey>) {
    if let Some(view) = state.views.get_mut(&client) {
        view.board.selected = key;
    }
    reveal(state, client);
}

/// Scrolls so far that the selected atom is seen.
pub fn reveal(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let mut board = view.board.clone();
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
        view.board = board;
    }
}

impl Board {
    /// The columns of the board, from left to right.
    pub const COLUMNS: [AtomStatus; 3] = AtomStatus::ALL;
}
