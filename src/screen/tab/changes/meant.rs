//! What a key means that is pressed at chosen lines, at a hunk or at a file.

use super::data::ChangesPart;
use super::file_key::FileKey;
use super::lines::{self, DiffRow};
use super::place;
use crate::model::diff::{DiffLine, FileDiff, LineKind};
use crate::model::pick::{Pick, PickedFile, PickedPart};
use crate::model::review::StageState;
use crate::screen::view::View;

/// The rows that are meant: the chosen ones, or all of the hunk that a person is at.
pub fn meant(view: &View) -> (Vec<DiffRow>, bool) {
    let rows = place::rows(view);
    let at = view.changes.place.row;
    if let Some(from) = view.changes.range {
        let (first, last) = (from.min(at), from.max(at));
        let chosen = rows.into_iter().skip(first).take(last - first + 1);
        return (chosen.collect(), true);
    }
    let Some(here) = rows.get(at) else {
        return (Vec::new(), false);
    };
    let hunk = here.hunk();
    (rows.into_iter().filter(|row| row.hunk() == hunk).collect(), false)
}

/// The lines of those rows as runs, which is how parts of a file are named.
pub fn parts(file: &FileDiff, rows: &[DiffRow], are_chosen: bool) -> Vec<PickedPart> {
    let Some(hunk) = rows.first().map(|row| row.hunk()).filter(|_| !are_chosen) else {
        let mut numbers: Vec<(usize, usize)> = Vec::new();
        for row in rows {
            let found = lines::lines_of(file, *row);
            let changed = found.filter(|(_, line)| line.kind != LineKind::Context);
            numbers.extend(changed.map(|(number, _)| (row.hunk(), number)));
        }
        numbers.sort_unstable();
        numbers.dedup();
        let part = |(hunk, line)| PickedPart {
            hunk,
            lines: Some((line, line)),
        };
        return numbers.into_iter().map(part).collect();
    };
    vec![PickedPart { hunk, lines: None }]
}

/// What a key means now: files of the tree, or lines of the file that is shown.
pub fn picks(view: &View) -> Vec<Pick> {
    let changes = &view.changes;
    let whole = |key: &FileKey| {
        Some(Pick {
            of: PickedFile::Shown(changes.ask_for(key)?),
            parts: Vec::new(),
        })
    };
    let Some(key) = &changes.tree.selected else {
        return Vec::new();
    };
    match (changes.part, &changes.file) {
        (ChangesPart::Files, _) => below(view, key).iter().filter_map(whole).collect(),
        (ChangesPart::Lines, Some(file)) if !lines::hunks(file).is_empty() => {
            let (rows, are_chosen) = meant(view);
            let parts = parts(file, &rows, are_chosen);
            let of = PickedFile::Shown(file.ask.clone());
            if parts.is_empty() {
                Vec::new()
            } else {
                vec![Pick { of, parts }]
            }
        }
        (ChangesPart::Lines, _) => whole(key).into_iter().collect(),
    }
}

/// The file of this row of the tree, or all files of a clone or directory.
fn below(view: &View, key: &FileKey) -> Vec<FileKey> {
    if view.changes.change(key).is_some() {
        return vec![key.clone()];
    }
    let all = view.changes.overview.iter().flat_map(|overview| &overview.changes);
    let clone = all.filter(|clone| clone.project == key.project);
    let inside = clone
        .flat_map(|clone| &clone.files)
        .filter(|file| file.path.starts_with(&key.path));
    let named = inside.map(|file| FileKey {
        project: key.project.clone(),
        path: file.path.clone(),
    });
    named.collect()
}

/// Whether all of what a key means is staged: it is unstaged then.
pub fn is_staged(view: &View) -> bool {
    let changes = &view.changes;
    let is_whole = |key: &FileKey| {
        let index = changes.change(key).and_then(|change| change.index.as_ref());
        index.is_some_and(|index| index.staged == StageState::Yes)
    };
    let Some(key) = &changes.tree.selected else {
        return false;
    };
    match (changes.part, &changes.file) {
        (ChangesPart::Lines, Some(file)) if !lines::hunks(file).is_empty() => {
            let (rows, _) = meant(view);
            let meant = rows.iter().flat_map(|row| lines::lines_of(file, *row));
            let changed: Vec<&DiffLine> = meant
                .map(|(_, line)| line)
                .filter(|line| line.kind != LineKind::Context)
                .collect();
            !changed.is_empty() && changed.iter().all(|line| line.is_staged)
        }
        (ChangesPart::Files, _) => below(view, key).iter().all(is_whole),
        (ChangesPart::Lines, _) => is_whole(key),
    }
}
