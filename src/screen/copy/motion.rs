//! Where the motions of copy mode lead, as often as a count says.

use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;
use crate::term::{Screen, Style, TextSpot};

use super::super::keymap::CopyMotion;
use super::super::reading::{self, Copy};
use super::super::selection::{self, Class, SelectionStep, row, whole};
use super::cursor::go;

pub(super) fn run(state: &mut State, client: ClientId, motion: CopyMotion, count: u32) -> Vec<Effect> {
    let Some(copy) = state.views.get(&client).and_then(|view| view.reading.copy) else {
        return Vec::new();
    };
    match target(state, client, copy.cursor, (motion, count)) {
        Some(cursor) => go(state, client, Copy { cursor, ..copy }),
        None => Vec::new(),
    }
}

fn target(state: &State, client: ClientId, from: TextSpot, (motion, count): (CopyMotion, u32)) -> Option<TextSpot> {
    let view = state.views.get(&client)?;
    let live = reading::live(state, view)?;
    let seen = SeenLines {
        screen: view.reading.shown(live),
        top: view.reading.top.unwrap_or(live.live()),
        covered: u64::from(view.reading.search.is_shown()),
        lines: (live.oldest(), live.live() + (live.rows.len() as u64).saturating_sub(1)),
    };
    let mut at = from;
    for _ in 0..count {
        let to = seen.step(at, motion);
        // Words are known only of what is shown.
        let is_beyond = motion.is_by_words() && row(seen.screen, to.line).is_none();
        if std::mem::replace(&mut at, to) == to || is_beyond {
            break;
        }
    }
    Some(at)
}

/// What the cursor moves over.
struct SeenLines<'a> {
    screen: &'a Screen,
    /// The line at the top of what is seen, or is about to be.
    top: u64,
    /// Rows at the bottom that the line of the search lies over.
    covered: u64,
    /// The oldest and the newest.
    lines: (u64, u64),
}

impl SeenLines<'_> {
    /// Where a motion leads once.
    fn step(&self, at: TextSpot, motion: CopyMotion) -> TextSpot {
        use CopyMotion as M;
        let screen = self.screen;
        let rows = screen.rows.len() as u64;
        let page = rows.saturating_sub(1);
        let lowest = page.saturating_sub(self.covered);
        let line = |line: u64| TextSpot {
            line: line.clamp(self.lines.0, self.lines.1),
            ..at
        };
        let start = |line: u64| TextSpot { line, col: 0 };
        let above = line(at.line.saturating_sub(1));
        let below = line(at.line + 1);
        let to = match motion {
            M::PageUp => line(at.line.saturating_sub(page)),
            M::PageDown => line(at.line + page),
            M::HalfPageUp => line(at.line.saturating_sub(rows / 2)),
            M::HalfPageDown => line(at.line + rows / 2),
            M::Up => above,
            M::Down => below,
            M::Oldest => line(0),
            M::Newest => line(u64::MAX),
            M::Top => start(self.top),
            M::Middle => start(self.top + lowest / 2),
            M::Bottom => start(self.top + lowest),
            M::Left => TextSpot {
                col: at.col.saturating_sub(1),
                ..at
            },
            M::Right => TextSpot {
                col: (at.col + width(screen, at)).min(screen.cols.saturating_sub(1)),
                ..at
            },
            M::LineStart => TextSpot { col: 0, ..at },
            M::FirstText => TextSpot {
                col: edge(screen, at, SelectionStep::Forward),
                ..at
            },
            M::LineEnd => TextSpot {
                col: edge(screen, at, SelectionStep::Back),
                ..at
            },
            M::NextWord => next_word(screen, at, WordEdge::Any).unwrap_or(below),
            M::WordEnd => word_end(screen, at, WordEdge::Any).unwrap_or(below),
            M::WordBefore => word_before(screen, at, WordEdge::Any).unwrap_or(above),
            M::NextLongWord => next_word(screen, at, WordEdge::Blank).unwrap_or(below),
            M::LongWordEnd => word_end(screen, at, WordEdge::Blank).unwrap_or(below),
            M::LongWordBefore => word_before(screen, at, WordEdge::Blank).unwrap_or(above),
            // They go on beyond what is shown.
            M::NextParagraph | M::ParagraphBefore => at,
        };
        let col = row(screen, to.line).map_or(to.col, |row| whole(row, to.col));
        TextSpot { col, ..to }
    }
}

/// Cells of the character at a place.
fn width(screen: &Screen, at: TextSpot) -> u16 {
    let cell = row(screen, at.line).and_then(|row| row.cells.get(usize::from(at.col)));
    1 + u16::from(cell.is_some_and(|cell| cell.style.has(Style::WIDE)))
}

/// The first or last column of a line that is not blank.
pub(super) fn edge(screen: &Screen, at: TextSpot, way: SelectionStep) -> u16 {
    let mut columns = 0..screen.cols;
    let written = |col: &u16| selection::class(screen, TextSpot { col: *col, ..at }) != Some(Class::Blank);
    let found = match way {
        SelectionStep::Forward => columns.find(written),
        SelectionStep::Back => columns.rfind(written),
    };
    found.unwrap_or(0)
}

/// The next character, or the one before, over the ends of lines. `None` outside what is shown.
fn beside(screen: &Screen, at: TextSpot, way: SelectionStep) -> Option<TextSpot> {
    let last = screen.cols.saturating_sub(1);
    let next = match way {
        SelectionStep::Forward if at.col + width(screen, at) <= last => TextSpot {
            col: at.col + width(screen, at),
            ..at
        },
        SelectionStep::Forward => TextSpot {
            line: at.line + 1,
            col: 0,
        },
        SelectionStep::Back if at.col > 0 => TextSpot { col: at.col - 1, ..at },
        SelectionStep::Back => TextSpot {
            line: at.line.checked_sub(1)?,
            col: last,
        },
    };
    row(screen, next.line).map(|row| TextSpot {
        col: whole(row, next.col),
        ..next
    })
}

/// What ends a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordEdge {
    /// Blanks and separators.
    Any,
    Blank,
}

/// What kind of character is at a place.
fn class(screen: &Screen, at: TextSpot, edge: WordEdge) -> Option<Class> {
    match (selection::class(screen, at), edge) {
        (Some(Class::Separator), WordEdge::Blank) => Some(Class::Word),
        (class, _) => class,
    }
}

/// Goes on while characters are of a kind; the place behind them.
fn skip(screen: &Screen, mut at: TextSpot, kind: Option<Class>, edge: WordEdge) -> Option<TextSpot> {
    while class(screen, at, edge) == kind {
        at = beside(screen, at, SelectionStep::Forward)?;
    }
    Some(at)
}

fn next_word(screen: &Screen, at: TextSpot, edge: WordEdge) -> Option<TextSpot> {
    let kind = class(screen, at, edge);
    let behind = skip(screen, at, kind, edge)?;
    skip(screen, behind, Some(Class::Blank), edge)
}

fn word_end(screen: &Screen, at: TextSpot, edge: WordEdge) -> Option<TextSpot> {
    let next = beside(screen, at, SelectionStep::Forward)?;
    let begin = skip(screen, next, Some(Class::Blank), edge)?;
    Some(last_alike(screen, begin, SelectionStep::Forward, edge))
}

fn word_before(screen: &Screen, at: TextSpot, edge: WordEdge) -> Option<TextSpot> {
    let mut at = beside(screen, at, SelectionStep::Back)?;
    while class(screen, at, edge) == Some(Class::Blank) {
        at = beside(screen, at, SelectionStep::Back)?;
    }
    Some(last_alike(screen, at, SelectionStep::Back, edge))
}

fn last_alike(screen: &Screen, mut at: TextSpot, way: SelectionStep, edge: WordEdge) -> TextSpot {
    let kind = class(screen, at, edge);
    while let Some(next) = beside(screen, at, way).filter(|next| class(screen, *next, edge) == kind) {
        at = next;
    }
    at
}
