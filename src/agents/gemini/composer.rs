//! Where Gemini CLI's composer stands on its screen: behind its sign, with what it says of the workspace below. Another
//! sign is another mode: its shell, a search.

use std::ops::Range;

use crate::agents::composer::Sheet;
use crate::model::Composer;
use crate::term::Screen;

const SIGNS: &[&str] = &[" > ", " * "];
const INDENT: usize = 3;

/// The edges of its box, where it draws one.
const UPPER: &[&str] = &["▄▄▄", "───"];
const LOWER: &[&str] = &["▀▀▀", "───"];

/// What it shows while it is empty.
const HINT: &str = "Type your message or @path/to/file";

/// A dialog opens below the composer, which stays there. What is said below stands below a prompt of before.
const OTHER: &[&str] = &["╭", " ╭", "│", "✦"];

pub(super) fn read(screen: &Screen) -> Composer {
    let sheet = Sheet::new(screen);
    let Some(rows) = frame(&sheet) else {
        return Composer::Absent;
    };
    let below = rows.end..sheet.len();
    let other = below.clone().any(|row| sheet.begins(row, OTHER));
    if other || sheet.has_drawn_cursor(below) {
        return Composer::Absent;
    }
    match sheet.composer(rows, INDENT..screen.cols.into()) {
        Composer::Holds(text) if text == HINT => Composer::Empty,
        shown => shown,
    }
}

/// The last row that has an edge above it; an edge may be blank where the terminal's colours are not known.
fn frame(sheet: &Sheet) -> Option<Range<usize>> {
    let edge = |row: usize| sheet.begins(row, UPPER) || sheet.is_blank(row);
    let top = (1..sheet.len())
        .rev()
        .find(|row| sheet.begins(*row, &["▄▄▄"]) || has_sign(sheet, *row) && edge(row - 1))?;
    if !has_sign(sheet, top) {
        return None;
    }
    let drawn = (top..sheet.len()).find(|row| sheet.begins(*row, LOWER));
    let bottom = drawn.or_else(|| {
        let last = (top..sheet.len()).rev().find(|row| !sheet.is_blank(*row))?;
        (top + 1..last).rev().find(|row| sheet.is_blank(*row))
    });
    Some(top..bottom.unwrap_or(top + 1))
}

/// The cursor of an empty composer may be all that stands behind the sign.
fn has_sign(sheet: &Sheet, row: usize) -> bool {
    sheet.begins(row, SIGNS) || matches!(sheet.row(row), " >" | " *")
}
