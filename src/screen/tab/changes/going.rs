//! The way to a goal: its file is selected and its line gone to, as soon as they are here.

use super::data::{ChangesPart, ChangesView};
use super::file_key::FileKey;
use super::goal::{Goal, GoalLine};
use super::lines::{self, DiffRow};
use super::{place, tree};
use crate::model::ClientId;
use crate::model::diff::LineKind;
use crate::model::review::FileChange;
use crate::model::text::visible;
use crate::screen::State;
use crate::screen::toast;
use crate::screen::view::{Tone, View};

/// What is wanted to be compared is here: the file of the goal is gone to. If it does not differ, something else is
/// compared; if nothing is left to compare, that is said.
pub fn pursue(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    if view.changes.goal.is_none() || view.changes.is_behind() || select(view) {
        return;
    }
    let Some(mut goal) = view.changes.goal.take() else {
        return;
    };
    if !goal.elsewhere.is_empty() {
        let next = goal.elsewhere.remove(0);
        let is_last = goal.elsewhere.is_empty();
        view.changes.compare(next);
        if !is_last {
            view.changes.goal = Some(goal);
            return;
        }
    }
    let Some(key) = goal.files.first() else {
        return;
    };
    let path = visible(&key.path.to_string_lossy());
    let text = match goal.line {
        GoalLine::Says(_) => format!("{path} is the same at the end of this turn as at its beginning."),
        GoalLine::Remark(_) => format!("{path} is as it was before: what the remark is about was taken back."),
    };
    toast::tell(state, client, text, Tone::Told);
}

/// The file to go to, as the comparison that is shown has it.
fn file_of(goal: &Goal, changes: &ChangesView) -> Option<FileKey> {
    let renamed = |key: &FileKey| {
        let all = changes.overview.iter().flat_map(|overview| &overview.changes);
        let clone = all.into_iter().find(|clone| clone.project == key.project)?;
        let is_it = |change: &&FileChange| change.from.as_ref() == Some(&key.path);
        let path = clone.files.iter().find(is_it)?.path.clone();
        let project = key.project.clone();
        Some(FileKey { project, path })
    };
    let is_there = |key: &&FileKey| changes.change(key).is_some();
    let there = goal.files.iter().find(is_there).cloned();
    there.or_else(|| goal.files.iter().find_map(renamed))
}

/// Selects the file of the goal, if what is shown has it; says whether it has.
pub fn select(view: &mut View) -> bool {
    let changes = &view.changes;
    let Some(key) = changes.goal.as_ref().and_then(|goal| file_of(goal, changes)) else {
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
