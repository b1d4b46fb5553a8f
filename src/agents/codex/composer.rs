//! Where Codex's composer stands on its screen: behind its sign, or a band of a colour of its own where the text is longer
//! than the screen. The terminal's cursor is in it, as nowhere else.

use std::ops::Range;

use crate::agents::composer::Sheet;
use crate::model::Composer;
use crate::term::{Colour, Screen};

const SIGN: &[&str] = &["› ", "›"];
const INDENT: usize = 2;

pub(super) fn read(screen: &Screen) -> Composer {
    let sheet = Sheet::new(screen);
    let Some(cursor) = sheet.cursor() else {
        return Composer::Absent;
    };
    let rows = (0..=cursor.min(sheet.len())).rev().find(|row| sheet.begins(*row, SIGN));
    let rows = rows
        .map(|top| top..end(&sheet, top))
        .filter(|rows| rows.contains(&cursor));
    match rows.or_else(|| band(&sheet, cursor)) {
        Some(rows) => sheet.composer(rows, INDENT..screen.cols.into()),
        None => Composer::Absent,
    }
}

/// Behind its last row: where its colour ends, or, where it has none, the blank row above what stands below it.
fn end(sheet: &Sheet, top: usize) -> usize {
    match coloured(sheet, top) {
        Some(colour) => (top..sheet.len())
            .find(|row| coloured(sheet, *row) != Some(colour))
            .unwrap_or(sheet.len()),
        None => {
            let last = (top..sheet.len())
                .rev()
                .find(|row| !sheet.is_blank(*row))
                .unwrap_or(top);
            (top + 1..last)
                .rev()
                .find(|row| sheet.is_blank(*row))
                .unwrap_or(top + 1)
        }
    }
}

/// The rows around the cursor that have its colour. Its sign has scrolled out of them.
fn band(sheet: &Sheet, cursor: usize) -> Option<Range<usize>> {
    let colour = coloured(sheet, cursor)?;
    let same = |row: &usize| coloured(sheet, *row) == Some(colour);
    let top = (0..=cursor).rev().take_while(same).last()?;
    let bottom = (cursor..sheet.len()).take_while(same).last()?;
    let has_sign = (top..=bottom).any(|row| sheet.begins(row, SIGN));
    (!has_sign).then_some(top..bottom + 1)
}

fn coloured(sheet: &Sheet, row: usize) -> Option<Colour> {
    let colour = sheet.cell(row, 0)?.background;
    (colour != Colour::Default).then_some(colour)
}
