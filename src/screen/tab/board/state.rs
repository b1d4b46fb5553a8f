//! What the Work pane shows, and where.

use ratatui::layout::Rect;

use crate::domain::team::atom;
use crate::model::ChatId;
use crate::model::atom::{AtomKey, Graph};
use crate::model::text::visible;
use crate::screen::State;
use crate::screen::layout;
use crate::screen::view::View;

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
