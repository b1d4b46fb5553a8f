//! The cursor of copy mode, and the selection that it carries.

use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;

use super::super::reading::{self, Copy};
use super::super::selection::{Selection, around, row};

/// Moves the cursor, carries the selection there, and scrolls it into sight.
pub(super) fn go(state: &mut State, client: ClientId, copy: Copy) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let (Some(live), Some(top)) = (reading::live(state, view), view.reading.top) else {
        return Vec::new();
    };
    let screen = view.reading.shown(live);
    let selection = copy.from.map(|(from, unit)| {
        // What is not in sight can't be widened to its line; it was when the selection began.
        let kept = view.reading.selection.map(|selection| selection.anchor);
        let kept = kept.filter(|_| row(screen, from.line).is_none());
        Selection::new(
            kept.unwrap_or_else(|| around(screen, from, unit)),
            around(screen, copy.cursor, unit),
        )
        .shaped(unit.shape())
    });
    let rows = (screen.rows.len() as u64).max(1);
    let top = top.clamp((copy.cursor.line + 1).saturating_sub(rows), copy.cursor.line);
    if let Some(view) = state.views.get_mut(&client) {
        view.reading.copy = Some(copy);
        view.reading.selection = selection;
    }
    reading::show_from(state, client, top)
}
