//! Where OpenCode's composer stands on its screen: in a box with a bar at its left, above what it says of the agent and
//! the model. The terminal's cursor is in it; a dialog lies over it and has the cursor.

use crate::agents::composer::Sheet;
use crate::model::Composer;
use crate::term::Screen;

const CORNER: char = '╹';
const EDGE: char = '▀';
const BAR: char = '┃';
const INDENT: usize = 3;

/// How its hint begins while a session has no prompt yet.
const HINT: &str = "Ask anything";

/// What stands in place of the agent's name while it takes commands for a shell.
const SHELL: &str = "Shell";

pub(super) fn read(screen: &Screen) -> Composer {
    let sheet = Sheet::new(screen);
    let seen = corner(&sheet, screen).zip(sheet.cursor());
    let Some(((bottom, left), cursor)) = seen else {
        return Composer::Absent;
    };
    let symbol = |row: usize, col: usize| sheet.cell(row, col).map(|cell| cell.symbol);
    let edge = (left + 1..screen.cols.into()).take_while(|col| symbol(bottom, *col) == Some(EDGE));
    let right = edge.last().unwrap_or(left) + 1;
    // Above it, between bars at both sides, stands what completes a command.
    let is_list = |row: usize| (right.saturating_sub(1)..=right).any(|col| symbol(row, col) == Some(BAR));
    let top = (0..bottom)
        .rev()
        .take_while(|row| symbol(*row, left) == Some(BAR) && !is_list(*row))
        .last();
    // A blank row, the text, a blank row, the label.
    let Some(top) = top.filter(|top| bottom - top >= 3) else {
        return Composer::Absent;
    };
    let label: String = sheet.row(bottom - 1).chars().skip(left + 1).collect();
    let rows = top..bottom - 1;
    if !rows.contains(&cursor) || label.trim() == SHELL {
        return Composer::Absent;
    }
    let first = screen.cursor.col <= (left + INDENT) as u16;
    match sheet.composer(rows, left + INDENT..right) {
        Composer::Holds(text) if first && text.starts_with(HINT) => Composer::Empty,
        shown => shown,
    }
}

/// The last row with the corner of a box, and where in it that stands.
fn corner(sheet: &Sheet, screen: &Screen) -> Option<(usize, usize)> {
    (0..sheet.len()).rev().find_map(|row| {
        let cells = &screen.rows.get(row)?.cells;
        let col = cells.iter().position(|cell| cell.symbol == CORNER)?;
        cells
            .get(col + 1)
            .is_some_and(|cell| cell.symbol == EDGE)
            .then_some((row, col))
    })
}
