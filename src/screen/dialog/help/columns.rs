//! Where the key help lies: in as many columns as there is room for, each heading with what is below it in one of them.

use ratatui::layout::Rect;

use super::super::super::wrap::wrap;
use super::super::tables::{HelpKey, MoveKey};
use super::super::{Around, place as places};
use super::content::{self, HelpEntry, HelpLine, HelpSection};

/// Columns of the screen that one of keys has at least.
const COLUMN: u16 = 54;
/// Between two of them.
const GAP: u16 = 2;
/// What is typed, and a free row.
const HEAD: u16 = 2;
/// What is said of the chosen one.
const FOOT: u16 = 1;

pub struct PlacedHelp {
    /// With its border.
    pub area: Rect,
    pub typed: Rect,
    /// All columns.
    pub list: Rect,
    /// What is said of the chosen one.
    pub detail: Rect,
    /// From the left.
    pub columns: Vec<Vec<HelpLine>>,
}

/// As high as all keys where there is room, whatever is found: it does not jump while one types.
pub fn place(around: &Around, typed: &str) -> PlacedHelp {
    let whole = around.whole;
    let inner = whole.width.saturating_sub(4);
    let count = ((inner + GAP) / (COLUMN + GAP)).clamp(1, 3);
    let wide = column_width(inner, count);
    let area = places::middle(whole, whole.width, whole.height);
    let inside = Rect {
        x: area.x + 2.min(area.width / 2),
        y: area.y + 1.min(area.height),
        width: inner,
        height: area.height.saturating_sub(2),
    };
    let detail = FOOT.min(inside.height.saturating_sub(HEAD));
    let list = Rect {
        y: inside.y + HEAD.min(inside.height),
        height: inside.height.saturating_sub(HEAD + detail),
        ..inside
    };
    PlacedHelp {
        area,
        typed: Rect {
            height: inside.height.min(1),
            ..inside
        },
        list,
        detail: Rect {
            y: list.bottom(),
            height: detail,
            ..inside
        },
        columns: laid(content::sections(around, typed), usize::from(count), usize::from(wide)),
    }
}

fn column_width(inner: u16, count: u16) -> u16 {
    inner.saturating_sub(GAP * (count - 1)) / count
}

/// Each where the shortest column ends, so that what comes first stands above.
fn laid(sections: Vec<HelpSection>, count: usize, wide: usize) -> Vec<Vec<HelpLine>> {
    let mut columns: Vec<Vec<HelpLine>> = vec![Vec::new(); count];
    for section in sections {
        let shortest = columns.iter_mut().min_by_key(|column| column.len());
        let Some(column) = shortest else { continue };
        if !column.is_empty() {
            column.push(HelpLine::Gap);
        }
        for line in section.lines {
            match line {
                HelpLine::Words(words) => column.extend(wrap(&words, wide).into_iter().map(HelpLine::Words)),
                line => column.push(line),
            }
        }
    }
    columns
}

impl PlacedHelp {
    /// Where the lines of a column are drawn.
    pub fn column(&self, at: usize) -> Rect {
        let count = u16::try_from(self.columns.len()).unwrap_or(1).max(1);
        let wide = column_width(self.list.width, count);
        let at = u16::try_from(at).unwrap_or(0);
        Rect {
            x: self.list.x + at * (wide + GAP),
            width: wide,
            ..self.list
        }
        .intersection(self.list)
    }

    /// The entries with their columns and rows, down the first column, then the next.
    fn entries(&self) -> impl Iterator<Item = ((usize, usize), &HelpEntry)> {
        let columns = self.columns.iter().enumerate();
        columns.flat_map(|(at, column)| {
            let lines = column.iter().enumerate();
            lines.filter_map(move |(row, line)| match line {
                HelpLine::Entry(entry) => Some(((at, row), entry)),
                HelpLine::Heading(_) | HelpLine::Words(_) | HelpLine::Gap => None,
            })
        })
    }

    pub fn entry(&self, at: usize) -> Option<&HelpEntry> {
        self.entries().nth(at).map(|(_, entry)| entry)
    }

    /// Column and row.
    pub fn spot(&self, at: usize) -> Option<(usize, usize)> {
        self.entries().nth(at).map(|(spot, _)| spot)
    }

    pub fn most_scrolled(&self) -> usize {
        let longest = self.columns.iter().map(Vec::len).max().unwrap_or(0);
        longest.saturating_sub(self.list.height.into())
    }

    /// The one that fits best what is typed; of equals the first.
    pub(super) fn best(&self) -> Option<usize> {
        let entries = self.entries().map(|(_, entry)| entry).enumerate();
        let best = entries.max_by_key(|(at, entry)| (entry.fit, entry.action.is_some(), std::cmp::Reverse(*at)));
        best.map(|(at, _)| at)
    }

    pub(super) fn step(&self, from: Option<usize>, key: HelpKey) -> Option<usize> {
        let last = self.entries().count().checked_sub(1)?;
        let page = usize::from(self.list.height).max(1);
        let Some(from) = from else {
            return Some(match key {
                HelpKey::Move(MoveKey::PageDown | MoveKey::HalfDown) => page.min(last),
                HelpKey::Move(MoveKey::Up | MoveKey::PageUp | MoveKey::HalfUp | MoveKey::Last) => last,
                HelpKey::Move(MoveKey::Down | MoveKey::First)
                | HelpKey::Left
                | HelpKey::Right
                | HelpKey::Run
                | HelpKey::Close => 0,
            });
        };
        Some(match key {
            HelpKey::Move(key) => key.go(from, last, page),
            HelpKey::Left => self.beside(from, -1),
            HelpKey::Right => self.beside(from, 1),
            HelpKey::Run | HelpKey::Close => from,
        })
    }

    /// The nearest in the column at that side.
    fn beside(&self, from: usize, by: isize) -> usize {
        let Some((column, row)) = self.spot(from) else {
            return from;
        };
        let wanted = column.checked_add_signed(by);
        let there = self
            .entries()
            .enumerate()
            .filter(|(_, ((at, _), _))| Some(*at) == wanted);
        let nearest = there.min_by_key(|(_, ((_, other), _))| other.abs_diff(row));
        nearest.map_or(from, |(at, _)| at)
    }

    /// The entry at a place of the screen.
    pub(super) fn at(&self, (x, y): (u16, u16), scroll: usize) -> Option<usize> {
        let column = (0..self.columns.len()).find(|at| self.column(*at).contains((x, y).into()))?;
        let row = scroll + usize::from(y - self.list.y);
        self.entries().position(|(spot, _)| spot == (column, row))
    }
}
