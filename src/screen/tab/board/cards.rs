//! The board's columns and what stands in them, line by line.

use ratatui::layout::Rect;

use super::Board;
use super::state::{area, body, label, shown};
use crate::domain::team::atom;
use crate::model::atom::{Atom, AtomKey, AtomStatus, Graph};
use crate::model::text::{one_line, visible};
use crate::screen::State;
use crate::screen::view::View;
use crate::screen::wrap::wrap;

/// From here on the columns stand beside each other.
const WIDE: u16 = 84;

/// Lines of one column, or of all of them below each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub area: Rect,
    /// What of it scrolls.
    pub list: Rect,
    /// Above the list, where the columns stand beside each other.
    pub head: Option<(AtomStatus, usize)>,
    pub lines: Vec<CardLine>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardLine {
    pub key: Option<AtomKey>,
    pub kind: CardLineKind,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardLineKind {
    Heading(AtomStatus),
    /// The first line of an atom.
    Title(AtomLook),
    /// The rest of a title that is longer than its column.
    Further(AtomLook),
    /// More of it.
    About,
    /// It says why it is as it is.
    Note,
    Gap,
}

/// How an atom stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomLook {
    Ready,
    Blocked,
    InProgress,
    Done,
}

pub fn look(graph: &Graph, key: &AtomKey, atom: &Atom) -> AtomLook {
    match atom.status {
        AtomStatus::Todo if graph.waits_for(key).is_empty() => AtomLook::Ready,
        AtomStatus::Todo => AtomLook::Blocked,
        AtomStatus::InProgress => AtomLook::InProgress,
        AtomStatus::Done => AtomLook::Done,
    }
}

/// The atoms of each status: what is ready first, and what was done last first.
pub fn sorted(graph: &Graph) -> [Vec<AtomKey>; 3] {
    Board::COLUMNS.map(|status| {
        let mut atoms: Vec<(AtomKey, &Atom)> = graph.atoms().filter(|(_, atom)| atom.status == status).collect();
        match status {
            AtomStatus::Todo => atoms.sort_by_cached_key(|(key, _)| !graph.is_ready(key)),
            AtomStatus::InProgress => {}
            AtomStatus::Done => atoms.sort_by_key(|(_, atom)| std::cmp::Reverse(atom.since)),
        }
        atoms.into_iter().map(|(key, _)| key).collect()
    })
}

/// Whether the columns stand beside each other.
pub fn is_wide(view: &View) -> bool {
    area(view).width >= WIDE
}

pub fn columns(state: &State, view: &View) -> Vec<Column> {
    let whole = body(state, view);
    let Some((_, graph)) = shown(state, view) else {
        return Vec::new();
    };
    let sorted = sorted(graph);
    if !is_wide(view) {
        let parts = Board::COLUMNS
            .into_iter()
            .zip(&sorted)
            .filter(|(_, keys)| !keys.is_empty());
        let mut lines = Vec::new();
        for (status, keys) in parts {
            if !lines.is_empty() {
                lines.push(CardLine::gap());
            }
            lines.push(CardLine {
                key: None,
                kind: CardLineKind::Heading(status),
                text: heading(status, keys.len()),
            });
            let cards = keys.iter().map(|key| card(state, view, graph, key));
            lines.extend(cards.flat_map(|card| wrapped(card, whole.width.saturating_sub(BESIDE))));
        }
        return vec![Column {
            area: whole,
            list: whole,
            head: None,
            lines,
        }];
    }
    let third = whole.width / 3;
    let column = |at: usize| {
        let at16 = at as u16;
        let right = if at == 2 { whole.width } else { third * (at16 + 1) };
        let area = Rect {
            x: whole.x + third * at16,
            width: right - third * at16,
            ..whole
        };
        let list = Rect {
            y: area.y + 1.min(area.height),
            height: area.height.saturating_sub(1),
            ..area
        };
        let keys = &sorted[at];
        let cards = keys.iter().map(|key| card(state, view, graph, key));
        let mut lines: Vec<CardLine> = Vec::new();
        for card in cards {
            if !lines.is_empty() {
                lines.push(CardLine::gap());
            }
            lines.extend(wrapped(card, area.width.saturating_sub(BESIDE + 1)));
        }
        Column {
            area,
            list,
            head: Some((Board::COLUMNS[at], keys.len())),
            lines,
        }
    };
    (0..3).map(column).collect()
}

pub fn heading(status: AtomStatus, count: usize) -> String {
    let name = match status {
        AtomStatus::Todo => "To do",
        AtomStatus::InProgress => "In progress",
        AtomStatus::Done => "Done",
    };
    format!("{name} {count}")
}

/// Columns that a card's words leave: one at each side, and the sign.
const BESIDE: u16 = 4;

/// Lines of a card, each whole.
fn wrapped(card: Vec<CardLine>, wide: u16) -> impl Iterator<Item = CardLine> {
    card.into_iter().flat_map(move |line| {
        let rows = wrap(&line.text, wide.into());
        rows.into_iter().enumerate().map(move |(at, text)| CardLine {
            key: line.key.clone(),
            kind: match line.kind {
                CardLineKind::Title(look) if at > 0 => CardLineKind::Further(look),
                kind => kind,
            },
            text,
        })
    })
}

/// An atom's lines: what it is, and what else matters of it as it stands.
fn card(state: &State, view: &View, graph: &Graph, key: &AtomKey) -> Vec<CardLine> {
    let (Some(atom), Some(chat)) = (graph.get(key), view.chat.as_ref()) else {
        return Vec::new();
    };
    let root = crate::domain::team::tree::root(&state.domain, chat);
    let line = |kind, text| CardLine {
        key: Some(key.clone()),
        kind,
        text,
    };
    let title = match one_line(&atom.title, 200) {
        title if title.is_empty() => visible(&atom.id),
        title => title,
    };
    let mut lines = vec![line(CardLineKind::Title(look(graph, key, atom)), title)];
    let about = match atom.status {
        AtomStatus::Todo => match graph.waits_for(key) {
            waits if waits.is_empty() => label(graph, key),
            waits => format!("{} · waits for {}", label(graph, key), visible(&waits.join(", "))),
        },
        AtomStatus::InProgress | AtomStatus::Done => {
            let owner = match atom::owner(&state.domain, root, atom) {
                Some(owner) => format!("by {owner}"),
                // Whoever marked it as done need not have claimed it.
                None if atom.status == AtomStatus::Done => return lines,
                None => "by nobody known".into(),
            };
            let age = atom.since.map(|since| format!(" · {}", since.age(state.domain.now)));
            format!("{} · {owner}{}", label(graph, key), age.unwrap_or_default())
        }
    };
    lines.push(line(CardLineKind::About, about));
    // What is worked on says mostly that nobody does so any more.
    let longest = if atom.status == AtomStatus::Todo { 400 } else { 120 };
    if !atom.note.is_empty() {
        lines.push(line(CardLineKind::Note, one_line(&atom.note, longest)));
    }
    lines
}

impl CardLine {
    fn gap() -> CardLine {
        CardLine {
            key: None,
            kind: CardLineKind::Gap,
            text: String::new(),
        }
    }
}
