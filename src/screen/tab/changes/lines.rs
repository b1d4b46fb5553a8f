//! The lines of one file as rows: one below the other, or before and after side by side.

use super::folds::HunkFolds;
use crate::model::diff::{DiffBody, DiffLine, FileDiff, Hunk, LineKind};
use crate::screen::way::StepWay;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffRow {
    /// The heading of a hunk, by its place among them.
    Hunk(usize),
    /// A line of a hunk.
    Line(usize, usize),
    /// A line before and one after, of the hunk that comes first.
    Pair(usize, Option<usize>, Option<usize>),
    /// Of a remark, below a line of this hunk: its place among all remarks, and which of its rows.
    Remark(usize, usize, usize),
}

impl DiffRow {
    pub fn hunk(self) -> usize {
        match self {
            DiffRow::Hunk(hunk) | DiffRow::Line(hunk, _) | DiffRow::Pair(hunk, ..) | DiffRow::Remark(hunk, ..) => hunk,
        }
    }
}

pub fn hunks(file: &FileDiff) -> &[Hunk] {
    match &file.body {
        DiffBody::Lines { hunks, .. } => hunks,
        DiffBody::Binary { .. } | DiffBody::Lfs { .. } | DiffBody::Submodule { .. } | DiffBody::Equal => &[],
    }
}

pub fn rows(file: &FileDiff, side_by_side: bool, folds: &HunkFolds) -> Vec<DiffRow> {
    let mut rows = Vec::new();
    for (at, hunk) in hunks(file).iter().enumerate() {
        rows.push(DiffRow::Hunk(at));
        if folds.is_folded(file, hunk) {
            continue;
        }
        match side_by_side {
            true => push_pairs(at, hunk, &mut rows),
            false => rows.extend((0..hunk.lines.len()).map(|line| DiffRow::Line(at, line))),
        }
    }
    rows
}

/// How wide the numbers of lines are.
pub fn digits(file: &FileDiff) -> usize {
    let last = hunks(file).last();
    let most = last.map_or(0, |hunk| (hunk.old.0 + hunk.old.1).max(hunk.new.0 + hunk.new.1));
    most.to_string().len().max(3)
}

/// Lines that were removed stand beside those that came in their place.
fn push_pairs(at: usize, hunk: &Hunk, rows: &mut Vec<DiffRow>) {
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    let flush = |removed: &mut Vec<usize>, added: &mut Vec<usize>, rows: &mut Vec<DiffRow>| {
        let long = removed.len().max(added.len());
        rows.extend((0..long).map(|n| DiffRow::Pair(at, removed.get(n).copied(), added.get(n).copied())));
        removed.clear();
        added.clear();
    };
    for (number, line) in hunk.lines.iter().enumerate() {
        match line.kind {
            LineKind::Removed => removed.push(number),
            LineKind::Added => added.push(number),
            LineKind::Context => {
                flush(&mut removed, &mut added, rows);
                rows.push(DiffRow::Pair(at, Some(number), Some(number)));
            }
        }
    }
    flush(&mut removed, &mut added, rows);
}

/// The line that a row is about: where there are two, the one after.
pub fn line_of(file: &FileDiff, row: DiffRow) -> Option<&DiffLine> {
    let hunk = hunks(file).get(row.hunk())?;
    match row {
        DiffRow::Hunk(_) | DiffRow::Remark(..) => None,
        DiffRow::Line(_, line) => hunk.lines.get(line),
        DiffRow::Pair(_, before, after) => hunk.lines.get(after.or(before)?),
    }
}

/// The lines of a row with their places in its hunk: before and after, where both are there.
pub fn lines_of(file: &FileDiff, row: DiffRow) -> impl Iterator<Item = (usize, &DiffLine)> {
    let numbers = match row {
        DiffRow::Hunk(_) | DiffRow::Remark(..) => [None, None],
        DiffRow::Line(_, line) => [Some(line), None],
        DiffRow::Pair(_, before, after) => [before, after.filter(|after| Some(*after) != before)],
    };
    let hunk = hunks(file).get(row.hunk());
    let numbers = numbers.into_iter().flatten();
    numbers.filter_map(move |number| Some((number, hunk?.lines.get(number)?)))
}

/// The row that shows what a row showed before the rows of a file were laid out otherwise: its line, or what is left of it.
pub fn row_of(rows: &[DiffRow], was: DiffRow) -> Option<usize> {
    let find = |is_it: &dyn Fn(&DiffRow) -> bool| rows.iter().position(is_it);
    let line = |hunk: usize, line: usize| {
        find(&|row| match *row {
            DiffRow::Line(other, at) => (other, at) == (hunk, line),
            DiffRow::Pair(other, before, after) => other == hunk && [before, after].contains(&Some(line)),
            DiffRow::Hunk(_) | DiffRow::Remark(..) => false,
        })
    };
    let same = find(&|row| *row == was);
    let found = same.or_else(|| match was {
        DiffRow::Hunk(_) => None,
        DiffRow::Line(hunk, at) => line(hunk, at),
        DiffRow::Pair(hunk, before, after) => line(hunk, after.or(before)?),
        DiffRow::Remark(hunk, number, _) => find(&|row| *row == DiffRow::Remark(hunk, number, 0)),
    });
    // It is folded.
    found.or_else(|| find(&|row| *row == DiffRow::Hunk(was.hunk())))
}

/// Where the next change begins, or the one before: at the head of its hunk, or below others of that at its own first row.
pub fn next_change(file: &FileDiff, rows: &[DiffRow], at: usize, way: StepWay) -> Option<usize> {
    let is_changed = |row: &DiffRow| lines_of(file, *row).any(|(_, line)| line.kind != LineKind::Context);
    let (mut begins, mut in_hunk, mut before) = (Vec::new(), false, false);
    for (at, row) in rows.iter().enumerate() {
        match row {
            DiffRow::Hunk(_) => {
                begins.push(at);
                (in_hunk, before) = (false, false);
            }
            DiffRow::Remark(..) => {}
            DiffRow::Line(..) | DiffRow::Pair(..) => {
                let changed = is_changed(row);
                if changed && !before && in_hunk {
                    begins.push(at);
                }
                in_hunk |= changed;
                before = changed;
            }
        }
    }
    match way {
        StepWay::Forward => begins.into_iter().find(|begin| *begin > at),
        StepWay::Back => begins.into_iter().rfind(|begin| *begin < at),
    }
}
