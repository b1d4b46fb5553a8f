//! Where Claude Code's composer stands on its screen: between two rules, behind its sign, with hints below.

use std::ops::Range;

use crate::agents::composer::Sheet;
use crate::model::Composer;
use crate::term::Screen;

const RULE: &[&str] = &["───"];
const SIGN: &[&str] = &["❯"];
const INDENT: usize = 2;

/// What it lists below the composer fits in this: its shortcuts, the commands that begin like the text.
const MOST_BELOW: usize = 24;

/// While the prompts of before are searched, keys go there.
const SEARCHES: &str = "search prompts:";

pub(super) fn read(screen: &Screen) -> Composer {
    let sheet = Sheet::new(screen);
    let Some(rows) = frame(&sheet) else {
        return Composer::Absent;
    };
    let below = rows.end..sheet.len();
    let searches = below.clone().any(|row| sheet.row(row).contains(SEARCHES));
    if searches || sheet.has_drawn_cursor(below) {
        return Composer::Absent;
    }
    sheet.composer(rows, INDENT..screen.cols.into())
}

fn frame(sheet: &Sheet) -> Option<Range<usize>> {
    let is_top = |row: &usize| sheet.begins(*row, RULE) && sheet.begins(row + 1, SIGN);
    let top = (0..sheet.len()).rev().find(is_top)? + 1;
    let bottom = (top..sheet.len()).find(|row| sheet.begins(*row, RULE))?;
    let below = (bottom + 1..sheet.len()).filter(|row| !sheet.is_blank(*row)).count();
    (below <= MOST_BELOW).then_some(top..bottom)
}
