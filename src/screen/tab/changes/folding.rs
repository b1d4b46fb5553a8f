//! Folds and unfolds hunks.

use super::data::ChangesPart;
use super::lines::{self, DiffRow};
use super::place;
use crate::screen::view::View;

/// Folds the hunk under the cursor, or unfolds it; the cursor stays with it.
pub fn fold(view: &mut View) {
    let rows = place::rows(view);
    let Some(hunk) = rows.get(view.changes.place.row).map(|row| row.hunk()) else {
        return;
    };
    set(view, &[hunk], None);
    go_to_hunk(view, hunk);
}

/// Folds all hunks of the file; if all are folded, unfolds them.
pub fn fold_all(view: &mut View) {
    let rows = place::rows(view);
    let at = rows.get(view.changes.place.row).map_or(0, |row| row.hunk());
    let Some(file) = &view.changes.file else {
        return;
    };
    let hunks = lines::hunks(file);
    let all: Vec<usize> = (0..hunks.len()).collect();
    let folded = hunks.iter().all(|hunk| view.changes.folds.is_folded(file, hunk));
    set(view, &all, Some(!folded));
    go_to_hunk(view, at);
}

pub fn unfold(view: &mut View, hunk: usize) {
    set(view, &[hunk], Some(false));
}

/// `None` turns each round.
fn set(view: &mut View, which: &[usize], folded: Option<bool>) {
    let changes = &mut view.changes;
    let Some(file) = &changes.file else {
        return;
    };
    for hunk in which.iter().filter_map(|at| lines::hunks(file).get(*at)) {
        let now = folded.unwrap_or(!changes.folds.is_folded(file, hunk));
        changes.folds.set(file, hunk, now);
    }
    place::settle(view);
}

fn go_to_hunk(view: &mut View, hunk: usize) {
    let rows = place::rows(view);
    let is_it = |row: &DiffRow| *row == DiffRow::Hunk(hunk);
    if let Some(row) = rows.iter().position(is_it) {
        view.changes.part = ChangesPart::Lines;
        view.changes.place.row = row;
    }
    place::settle(view);
}
