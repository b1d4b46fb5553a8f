//! The cursor of copy mode, and the selection that it carries.

use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;

use super::super::reading::{self, Copy};
use super::super::selection::{Selection, around, row};

/// Around what was found stay so many rows in sight, where there are as many.
const AROUND: u64 = 3;

/// Moves the cursor, carries the selection there, and scrolls it into sight.
pub(super) fn go(state: &mut State, client: ClientId, copy: Copy) -> Vec<Effect> {
    go_with(state, client, copy, 0)
}

/// As [`go`], to what was looked for.
pub(super) fn go_to_found(state: &mut State, client: ClientId, copy: Copy) -> Vec<Effect> {
    go_with(state, client, copy, AROUND)
}

fn go_with(state: &mut State, client: ClientId, copy: Copy, around_it: u64) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let (Some(live), Some(top)) = (reading::live(state, view), view.reading.top) else {
        return Vec::new();
    };
    let screen = view.reading.shown(live);
    let selection = copy.from.map(|(from, unit)| {
        // What is not in sight can't be widened to its line; it was when the selection began.
        let kept = copy.widened.filter(|_| row(screen, from.line).is_none());
        let anchor = kept.unwrap_or_else(|| around(screen, from, unit));
        Selection::new(anchor, around(screen, copy.cursor, unit)).shaped(unit.shape())
    });
    // The line of the search lies over the last row.
    let covered = u64::from(view.reading.search.is_shown());
    let rows = (screen.rows.len() as u64).saturating_sub(covered).max(1);
    let around_it = around_it.min((rows - 1) / 2);
    let line = copy.cursor.line;
    let lowest = line.saturating_sub(around_it);
    let highest = (line + 1 + around_it).saturating_sub(rows);
    let top = top.clamp(highest.min(lowest), lowest);
    if let Some(view) = state.views.get_mut(&client) {
        view.reading.copy = Some(Copy {
            widened: selection.map(|selection| selection.anchor),
            is_by_mouse: false,
            ..copy
        });
        view.reading.selection = selection;
    }
    reading::show_from(state, client, top)
}
