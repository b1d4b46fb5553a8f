//! The files that differ: under their clone or place, and their directory.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ratatui::layout::Rect;

use super::data::ChangesView;
use super::file_key::FileKey;
use super::place;
use crate::model::review::{Changes as CloneChanges, FileChange, StageState};
use crate::screen::scrollbar::{Extent, ScrollBar};
use crate::screen::view::View;
use crate::screen::way::StepWay;

pub enum TreeRow<'c> {
    /// A clone with what changed in it.
    Project {
        key: FileKey,
        clone: &'c CloneChanges,
        is_folded: bool,
    },
    Dir {
        key: FileKey,
        /// What is not shown of it, where it is folded.
        within: FoldedDir,
        is_folded: bool,
    },
    File {
        key: FileKey,
        change: &'c FileChange,
    },
}

/// What the files of a folded directory come to.
#[derive(Default)]
pub struct FoldedDir {
    /// Staged whole, and in part.
    pub staged: usize,
    pub partly: usize,
    pub conflicts: usize,
    pub added: usize,
    pub removed: usize,
    pub keys: Vec<FileKey>,
}

impl FoldedDir {
    fn add(&mut self, key: FileKey, change: &FileChange) {
        match change.index.as_ref().map(|index| index.staged) {
            Some(StageState::Yes) => self.staged += 1,
            Some(StageState::Partly) => self.partly += 1,
            Some(StageState::Conflict) => self.conflicts += 1,
            Some(StageState::No) | None => {}
        }
        self.added += change.added;
        self.removed += change.removed;
        self.keys.push(key);
    }

    /// Of all files together, a conflict of one before all else; `None` where nothing is known of an index, or nothing is staged.
    pub fn staged(&self) -> Option<StageState> {
        match (self.staged, self.partly) {
            _ if self.conflicts > 0 => Some(StageState::Conflict),
            (0, 0) => None,
            (staged, 0) if staged == self.keys.len() => Some(StageState::Yes),
            (_, _) => Some(StageState::Partly),
        }
    }
}

impl TreeRow<'_> {
    pub fn key(&self) -> &FileKey {
        match self {
            TreeRow::Project { key, .. } | TreeRow::Dir { key, .. } | TreeRow::File { key, .. } => key,
        }
    }
}

/// A directory's key: no file is named like it.
fn dir_key(project: &str, dir: &Path) -> FileKey {
    FileKey {
        project: project.into(),
        path: dir.join(""),
    }
}

pub fn rows(changes: &ChangesView) -> Vec<TreeRow<'_>> {
    folded_rows(changes, &changes.tree.folded)
}

/// All files that differ, in the order of the tree, also where it is folded.
pub fn all_files(changes: &ChangesView) -> Vec<FileKey> {
    let rows = folded_rows(changes, &BTreeSet::new()).into_iter();
    let files = rows.filter_map(|row| match row {
        TreeRow::File { key, .. } => Some(key),
        TreeRow::Project { .. } | TreeRow::Dir { .. } => None,
    });
    files.collect()
}

/// Selects a file; what is folded above it is unfolded.
pub fn go_to(view: &mut View, key: &FileKey) {
    // The last of them is the clone itself.
    for dir in key.path.ancestors().skip(1) {
        view.changes.tree.folded.remove(&dir_key(&key.project, dir));
    }
    view.changes.tree.selected = Some(key.clone());
    reveal(view);
}

fn folded_rows<'c>(changes: &'c ChangesView, folded: &BTreeSet<FileKey>) -> Vec<TreeRow<'c>> {
    let mut rows = Vec::new();
    let all = changes.overview.as_ref().map(|overview| overview.changes.as_slice());
    for clone in all.unwrap_or_default().iter().filter(|clone| is_listed(clone)) {
        let key = FileKey {
            project: clone.project.clone(),
            path: PathBuf::new(),
        };
        let is_folded = folded.contains(&key);
        rows.push(TreeRow::Project { key, clone, is_folded });
        if !is_folded {
            push_files(folded, clone, &mut rows);
        }
    }
    rows
}

/// Something differs, or there is something to say.
fn is_listed(clone: &CloneChanges) -> bool {
    !clone.files.is_empty() || clone.left_out.as_ref().is_some_and(|why| !why.is_aside())
}

fn push_files<'c>(folded: &BTreeSet<FileKey>, clone: &'c CloneChanges, rows: &mut Vec<TreeRow<'c>>) {
    let mut files: Vec<&FileChange> = clone.files.iter().collect();
    // Files of a directory stand together, above what is deeper, which is folded with it.
    files.sort_by(|a, b| (a.path.parent(), a.path.file_name()).cmp(&(b.path.parent(), b.path.file_name())));
    let mut inside: Option<(&Path, bool)> = None;
    for change in files {
        let dir = change.path.parent().unwrap_or(Path::new(""));
        let is_in = |(last, is_folded): (&Path, bool)| last == dir || is_folded && dir.starts_with(last);
        if !inside.is_some_and(is_in) {
            let key = dir_key(&clone.project, dir);
            let is_folded = folded.contains(&key);
            inside = Some((dir, is_folded));
            if dir != Path::new("") {
                let within = FoldedDir::default();
                rows.push(TreeRow::Dir { key, within, is_folded });
            }
        }
        let key = FileKey {
            project: clone.project.clone(),
            path: change.path.clone(),
        };
        if inside.is_some_and(|(_, is_folded)| is_folded) {
            if let Some(TreeRow::Dir { within, .. }) = rows.last_mut() {
                within.add(key, change);
            }
            continue;
        }
        rows.push(TreeRow::File { key, change });
    }
}

/// Something is always selected: a file at first.
pub fn settle(view: &mut View) {
    let height = usize::from(place::areas(view).files.height);
    let changes = &view.changes;
    let rows = rows(changes);
    let selected = changes.tree.selected.as_ref();
    let at = rows.iter().position(|row| Some(row.key()) == selected);
    let first = || rows.iter().position(|row| matches!(row, TreeRow::File { .. }));
    let at = at.or_else(first).unwrap_or(0);
    let key = rows.get(at).map(|row| row.key().clone());
    let last = rows.len().saturating_sub(height);
    let top = changes.tree.top.min(last);
    view.changes.tree.top = top;
    view.changes.tree.selected = key;
}

/// Scrolls so far that what is selected is seen.
pub fn reveal(view: &mut View) {
    let height = usize::from(place::areas(view).files.height);
    let rows = rows(&view.changes);
    let selected = view.changes.tree.selected.as_ref();
    let Some(at) = rows.iter().position(|row| Some(row.key()) == selected) else {
        return;
    };
    view.changes.tree.top = place::reveal(view.changes.tree.top, at, height);
}

/// Selects the row so many further on.
pub fn step(view: &mut View, by: isize) {
    let rows = rows(&view.changes);
    let selected = view.changes.tree.selected.as_ref();
    let at = rows.iter().position(|row| Some(row.key()) == selected).unwrap_or(0);
    let to = at.saturating_add_signed(by).min(rows.len().saturating_sub(1));
    let key = rows.get(to).map(|row| row.key().clone());
    view.changes.tree.selected = key;
    reveal(view);
}

/// Selects the next file, or the one before; says whether there is one.
pub fn step_file(view: &mut View, way: StepWay) -> bool {
    let rows = rows(&view.changes);
    let selected = view.changes.tree.selected.as_ref();
    let at = rows.iter().position(|row| Some(row.key()) == selected).unwrap_or(0);
    let is_file = |row: &&TreeRow<'_>| matches!(row, TreeRow::File { .. });
    let next = match way {
        StepWay::Forward => rows.iter().skip(at + 1).find(is_file),
        StepWay::Back => rows.iter().take(at).rev().find(is_file),
    };
    let Some(key) = next.map(|row| row.key().clone()) else {
        return false;
    };
    view.changes.tree.selected = Some(key);
    reveal(view);
    true
}

/// Folds the clone or directory that is selected, or shows what is in it; `false` where a file is selected.
pub fn fold(view: &mut View) -> bool {
    let changes = &mut view.changes;
    let Some(key) = changes.tree.selected.clone() else {
        return false;
    };
    if changes.change(&key).is_some() {
        return false;
    }
    if !changes.tree.folded.remove(&key) {
        changes.tree.folded.insert(key);
    }
    true
}

/// On the line between the files and the lines, where that is at their side.
pub fn bar(view: &View) -> Option<ScrollBar> {
    let areas = place::areas(view);
    let (list, border) = (areas.files, areas.border);
    let extent = Extent::of_rows(list, view.changes.tree.top, rows(&view.changes).len());
    let track = Rect {
        y: list.y,
        height: list.height,
        ..border
    };
    let bar = match border.width {
        1 => ScrollBar::on_line(track, list, extent),
        _ => ScrollBar::within(list, extent),
    };
    (!list.is_empty()).then_some(bar)
}
