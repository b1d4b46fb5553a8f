//! Opens a file in a person's editor, at the line that they are at.

use super::data::ChangesPart;
use super::lines::DiffRow;
use super::{lines, place};
use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::model::diff::{FileKind, LineKind};
use crate::screen::State;
use crate::screen::view::{Tone, View};
use crate::screen::{side, toast};

pub fn open(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let (Some((key, change)), Some(chat)) = (view.changes.selected(), view.chat.clone()) else {
        toast::tell(state, client, "No file is selected.", Tone::Told);
        return Vec::new();
    };
    let why_not = match change.kind {
        FileKind::Deleted => Some("This file was deleted: there is nothing to edit."),
        FileKind::Submodule => Some("This is a repository of its own, not a file."),
        _ if change.binary => Some("This file is binary: an editor shows nothing of use."),
        FileKind::Added | FileKind::Modified | FileKind::Renamed | FileKind::Mode | FileKind::Staged => None,
    };
    let (project, path) = (key.project.clone(), key.path.clone());
    if let Some(why_not) = why_not {
        toast::tell(state, client, why_not, Tone::Told);
        return Vec::new();
    }
    let line = line(view);
    side::edit_at(state, client, &chat, project, (path, line))
}

/// The line under the cursor; where it was removed, the one that is there now.
fn line(view: &View) -> u32 {
    let Some(file) = &view.changes.file else {
        return 1;
    };
    let rows = place::rows(view);
    let at = match view.changes.part {
        ChangesPart::Lines => view.changes.place.row,
        ChangesPart::Files => 0,
    };
    // A hunk stands for what is changed in it.
    let is_changed = |row: &DiffRow| lines::line_of(file, *row).is_some_and(|line| line.kind != LineKind::Context);
    let head = rows.get(at).filter(|row| matches!(row, DiffRow::Hunk(_)));
    let changed = head.and_then(|_| rows.iter().skip(at).position(is_changed));
    let at = at + changed.unwrap_or_default();
    let number = |row| lines::line_of(file, row).and_then(|line| line.new);
    let below = rows.iter().skip(at).find_map(|row| number(*row));
    below
        .or_else(|| rows.iter().rev().find_map(|row| number(*row)))
        .unwrap_or(1)
}
