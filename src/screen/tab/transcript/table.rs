//! A table of a text in rows: columns as wide as what they hold, or as there is room for.

use crate::screen::wrap::width;

use super::flow::flow;
use super::row::{Piece, TextInk};

/// Columns that a cell has at least.
const NARROWEST: usize = 3;
const BETWEEN: &str = " │ ";

#[derive(Default)]
pub(super) struct TextTable {
    is_right: Vec<bool>,
    is_middle: Vec<bool>,
    rows: Vec<Vec<Vec<Piece>>>,
    row: Vec<Vec<Piece>>,
}

impl TextTable {
    pub fn new(is_right: Vec<bool>, is_middle: Vec<bool>) -> TextTable {
        TextTable {
            is_right,
            is_middle,
            ..TextTable::default()
        }
    }

    pub fn cell(&mut self, cell: Vec<Piece>) {
        self.row.push(cell);
    }

    pub fn end_row(&mut self) {
        self.rows.push(std::mem::take(&mut self.row));
    }

    /// The first row is the head.
    pub fn rows(&self, most: usize) -> Vec<Vec<Piece>> {
        let widths = self.widths(most);
        let mut drawn = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            drawn.extend(self.row(row, &widths));
            if at == 0 {
                let lines: Vec<String> = widths.iter().map(|wide| "─".repeat(*wide)).collect();
                drawn.push(vec![Piece::new(lines.join("─┼─"), TextInk::Border)]);
            }
        }
        drawn
    }

    /// What is widest gives way first.
    fn widths(&self, most: usize) -> Vec<usize> {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let of = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| wide(cell)).max().unwrap_or(0).max(1)
        };
        let mut widths: Vec<usize> = (0..count).map(of).collect();
        let room = most.saturating_sub(width(BETWEEN) * count.saturating_sub(1));
        let mut surplus = widths.iter().sum::<usize>().saturating_sub(room);
        while surplus > 0 {
            let widest = widths.iter().copied().max().unwrap_or(0);
            if widest <= NARROWEST {
                break;
            }
            let next = widths
                .iter()
                .copied()
                .filter(|wide| *wide < widest)
                .max()
                .unwrap_or(NARROWEST);
            let next = next.max(NARROWEST);
            let equals = widths.iter().filter(|wide| **wide == widest).count();
            let each = (widest - next).min(surplus.div_ceil(equals));
            for column in widths.iter_mut().filter(|wide| **wide == widest) {
                let less = each.min(surplus);
                *column -= less;
                surplus -= less;
            }
        }
        widths
    }

    fn row(&self, row: &[Vec<Piece>], widths: &[usize]) -> Vec<Vec<Piece>> {
        let empty = Vec::new();
        let cells = widths.iter().enumerate().map(|(column, wide)| {
            let cell = row.get(column).unwrap_or(&empty);
            flow(cell, *wide)
        });
        let cells: Vec<Vec<Vec<Piece>>> = cells.collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let line = |at: usize| {
            let mut line = Vec::new();
            for (column, room) in widths.iter().enumerate() {
                if column > 0 {
                    line.push(Piece::new(BETWEEN, TextInk::Border));
                }
                let cell = cells[column].get(at).unwrap_or(&empty);
                let free = room.saturating_sub(wide(cell));
                let flag = |flags: &[bool]| flags.get(column).copied().unwrap_or(false);
                let before = match (flag(&self.is_right), flag(&self.is_middle)) {
                    (true, _) => free,
                    (false, true) => free / 2,
                    (false, false) => 0,
                };
                line.push(Piece::new(" ".repeat(before), TextInk::Text));
                line.extend(cell.iter().cloned());
                line.push(Piece::new(" ".repeat(free - before), TextInk::Text));
            }
            line
        };
        (0..height).map(line).collect()
    }
}

fn wide(cell: &[Piece]) -> usize {
    cell.iter().map(|piece| width(&piece.text)).sum()
}
