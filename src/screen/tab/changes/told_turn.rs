//! The line that a person is at, and the turn that was told of it.

use super::data::{ChangesPart, OriginTurn};
use super::lines::DiffRow;
use super::{lines, place};
use crate::model::diff::{DiffLine, LineKind};
use crate::model::origin::AskedLine;
use crate::screen::view::View;

/// The line under the cursor. The heading of a hunk stands for the first change in that, to which `n` leads there.
pub(super) fn here(view: &View) -> Option<&DiffLine> {
    let row = *place::rows(view).get(view.changes.place.row)?;
    let file = view.changes.file.as_ref()?;
    match row {
        DiffRow::Hunk(hunk) => {
            let lines = &lines::hunks(file).get(hunk)?.lines;
            lines.iter().find(|line| line.kind != LineKind::Context)
        }
        DiffRow::Line(..) | DiffRow::Pair(..) | DiffRow::Remark(..) => lines::line_of(file, row),
    }
}

/// The turn that was told of the line under the cursor, while a person is in the lines.
pub fn told(view: &View) -> Option<OriginTurn> {
    let is_there = view.changes.part == ChangesPart::Lines;
    let told = view.changes.place.origin.filter(|_| is_there)?;
    let line = here(view)?;
    let is_it = match told.line {
        AskedLine::There(number) => line.kind != LineKind::Removed && line.new == Some(number),
        AskedLine::Removed(number) => line.kind == LineKind::Removed && line.old == Some(number),
    };
    is_it.then_some(told)
}
