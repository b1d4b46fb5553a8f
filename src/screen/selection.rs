//! What is selected of a terminal's text: by characters, words, lines, or as a block.

use crate::term::{Row, Screen, Style, TextShape, TextSpot};

/// What separates words beside blanks; what names a file, a URL or an option in one piece does not.
const SEPARATORS: &str = "\"'`()[]{}<>|│,;";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// What was under the press: a cell, a word, a line. Always selected.
    pub anchor: (TextSpot, TextSpot),
    /// The same where the selection was carried to.
    pub head: (TextSpot, TextSpot),
    pub shape: TextShape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Cell,
    Word,
    Line,
    /// A cell, as a corner of a block.
    Block,
}

impl Unit {
    pub fn shape(self) -> TextShape {
        match self {
            Unit::Cell | Unit::Word => TextShape::Flow,
            Unit::Line => TextShape::Lines,
            Unit::Block => TextShape::Block,
        }
    }

    pub fn of_clicks(clicks: u8) -> Unit {
        match clicks {
            ..=1 => Unit::Cell,
            2 => Unit::Word,
            3.. => Unit::Line,
        }
    }
}

impl Selection {
    pub fn new(from: (TextSpot, TextSpot), to: (TextSpot, TextSpot)) -> Selection {
        Selection {
            anchor: from,
            head: to,
            shape: TextShape::Flow,
        }
    }

    pub fn shaped(self, shape: TextShape) -> Selection {
        Selection { shape, ..self }
    }

    /// First and last place; of a block, two corners.
    pub fn ends(&self) -> (TextSpot, TextSpot) {
        (self.anchor.0.min(self.head.0), self.anchor.1.max(self.head.1))
    }

    /// The columns of a line that are selected.
    pub fn columns(&self, line: u64) -> Option<(u16, u16)> {
        let (from, to) = self.ends();
        if self.shape == TextShape::Block {
            let columns = (from.col.min(to.col), from.col.max(to.col));
            return (from.line..=to.line).contains(&line).then_some(columns);
        }
        let first = if line == from.line { from.col } else { 0 };
        let last = if line == to.line { to.col } else { u16::MAX };
        (from.line..=to.line).contains(&line).then_some((first, last))
    }

    /// Whether what is selected is still there, as it was.
    pub fn stands(&self, before: &Screen, now: &Screen) -> bool {
        let (from, to) = self.ends();
        if before.cols != now.cols || from.line < now.oldest() || to.line >= now.live() + now.rows.len() as u64 {
            return false;
        }
        (from.line.max(now.live())..=to.line).all(|line| {
            let Some((first, last)) = self.columns(line) else {
                return true;
            };
            let cells = |screen: &Screen| {
                let row = screen
                    .rows
                    .get(usize::try_from(line.checked_sub(screen.live())?).ok()?)?;
                let last = row.cells.len().min(usize::from(last) + 1);
                row.cells.get(usize::from(first)..last).map(<[_]>::to_vec)
            };
            cells(before).is_none_or(|before| Some(before) == cells(now))
        })
    }
}

/// What a click at a place takes.
pub fn around(screen: &Screen, spot: TextSpot, unit: Unit) -> (TextSpot, TextSpot) {
    match unit {
        Unit::Cell | Unit::Block => (spot, spot),
        Unit::Word => (
            while_word(screen, spot, SelectionStep::Back),
            while_word(screen, spot, SelectionStep::Forward),
        ),
        Unit::Line => {
            let (mut first, mut last) = (spot.line, spot.line);
            while first > screen.first && row(screen, first - 1).is_some_and(|row| row.wrapped) {
                first -= 1;
            }
            while row(screen, last).is_some_and(|row| row.wrapped) && row(screen, last + 1).is_some() {
                last += 1;
            }
            let end = TextSpot {
                line: last,
                col: screen.cols.saturating_sub(1),
            };
            (TextSpot { line: first, col: 0 }, end)
        }
    }
}

/// The column at which the character begins whose cell this is.
pub fn whole(row: &Row, col: u16) -> u16 {
    let cell = |col: u16| row.cells.get(usize::from(col));
    let right_half = cell(col).is_some_and(|cell| cell.style.has(Style::SPACER));
    let before = col.saturating_sub(1);
    match right_half && cell(before).is_some_and(|cell| cell.style.has(Style::WIDE)) {
        true => before,
        false => col,
    }
}

pub fn row(screen: &Screen, line: u64) -> Option<&Row> {
    let at = usize::try_from(line.checked_sub(screen.first)?).ok()?;
    screen.rows.get(at).map(AsRef::as_ref)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionStep {
    Back,
    Forward,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Blank,
    Word,
    Separator,
}

/// What kind of character is at a place; `None` outside the screen.
pub fn class(screen: &Screen, spot: TextSpot) -> Option<Class> {
    let row = row(screen, spot.line)?;
    let symbol = row.cells.get(usize::from(whole(row, spot.col)))?.symbol;
    Some(match symbol {
        ' ' | '\t' => Class::Blank,
        symbol if SEPARATORS.contains(symbol) => Class::Separator,
        _ => Class::Word,
    })
}

/// The next cell in the text; from a line that the terminal broke, into the next.
pub fn step(screen: &Screen, spot: TextSpot, step: SelectionStep) -> Option<TextSpot> {
    let last = screen.cols.saturating_sub(1);
    match step {
        SelectionStep::Back if spot.col > 0 => Some(TextSpot {
            col: spot.col - 1,
            ..spot
        }),
        SelectionStep::Back => {
            let line = spot.line.checked_sub(1)?;
            row(screen, line)
                .filter(|row| row.wrapped)
                .map(|_| TextSpot { line, col: last })
        }
        SelectionStep::Forward if spot.col < last => Some(TextSpot {
            col: spot.col + 1,
            ..spot
        }),
        SelectionStep::Forward => {
            let line = spot.line + 1;
            row(screen, spot.line).filter(|row| row.wrapped)?;
            row(screen, line).map(|_| TextSpot { line, col: 0 })
        }
    }
}

/// As far as characters are of one kind.
fn while_word(screen: &Screen, spot: TextSpot, way: SelectionStep) -> TextSpot {
    let kind = class(screen, spot);
    let mut at = spot;
    while let Some(next) = step(screen, at, way).filter(|next| kind.is_some() && class(screen, *next) == kind) {
        at = next;
    }
    at
}
