//! A place that a person goes to, once the comparison and the file that have it are here.

use std::collections::BTreeSet;

use crate::model::diff::LineKind;
use crate::model::review::FileChange;

use super::super::view::View;
use super::data::{ChangesPart, ChangesView};
use super::key::FileKey;
use super::lines::{self, DiffRow};
use super::{place, tree};

/// The first of these files that differs, and a line of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    pub files: Vec<FileKey>,
    pub line: GoalLine,
}

#[derive(Clone, Debug, PartialEq)]
pub enum GoalLine {
    /// The remark with this number.
    Remark(u64),
    /// The first changed line that says one of these, without the white space around it; else the first change.
    Says(BTreeSet<String>),
}

impl Goal {
    /// The file to go to, as the comparison that is shown has it.
    pub fn file(&self, changes: &ChangesView) -> Option<FileKey> {
        let renamed = |key: &FileKey| {
            let all = changes.overview.iter().flat_map(|overview| &overview.changes);
            let clone = all.into_iter().find(|clone| clone.project == key.project)?;
            let is_it = |change: &&FileChange| change.from.as_ref() == Some(&key.path);
            let path = clone.files.iter().find(is_it)?.path.clone();
            let project = key.project.clone();
            Some(FileKey { project, path })
        };
        let is_there = |key: &&FileKey| changes.change(key).is_some();
        let there = self.files.iter().find(is_there).cloned();
        there.or_else(|| self.files.iter().find_map(renamed))
    }
}

/// Selects the file of the goal, if what is shown has it; says whether it has.
pub fn select(view: &mut View) -> bool {
    let changes = &view.changes;
    let Some(key) = changes.goal.as_ref().and_then(|goal| goal.file(changes)) else {
        return false;
    };
    tree::go_to(view, &key);
    view.changes.part = ChangesPart::Lines;
    if let Some(goal) = &mut view.changes.goal {
        goal.files = vec![key];
    }
    seek(view);
    true
}

/// Goes to the line of the goal, if its file is the one that is shown, and as it is wanted.
pub fn seek(view: &mut View) {
    let changes = &view.changes;
    let Some(goal) = &changes.goal else {
        return;
    };
    let (Some(file), Some(key)) = (&changes.file, &changes.tree.selected) else {
        return;
    };
    if changes.is_behind() || !goal.files.contains(key) || changes.wanted_file().as_ref() != Some(&file.ask) {
        return;
    }
    let rows = place::rows(view);
    let row = match &goal.line {
        GoalLine::Remark(id) => {
            let number = changes.remarks.iter().position(|placed| placed.remark.id == *id);
            let begins = |row: &DiffRow| matches!(row, DiffRow::Remark(_, at, 0) if Some(*at) == number);
            rows.iter().position(begins)
        }
        GoalLine::Says(words) => {
            let changed = |row: &DiffRow| {
                let mut all = lines::lines_of(file, *row).map(|(_, line)| line);
                all.find(|line| line.kind != LineKind::Context)
            };
            let says = |row: &DiffRow| {
                let mut all = lines::lines_of(file, *row).map(|(_, line)| line);
                all.any(|line| line.kind != LineKind::Context && words.contains(line.text.trim()))
            };
            let first = || rows.iter().position(|row| changed(row).is_some());
            rows.iter().position(says).or_else(first)
        }
    };
    view.changes.goal = None;
    if let Some(row) = row {
        view.changes.place.row = row;
        place::centre(view);
    }
}
