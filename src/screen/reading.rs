//! What a person reads of a terminal: how far back they are, and what they have selected there.
//!
//! Who has scrolled back stays on the same lines while output arrives: a view is held at the number of its top line,
//! not at a distance from the end.

mod data;

use std::sync::Arc;

use crate::domain::effect::{Effect, PaneOrder};
use crate::model::text::count;
use crate::model::{ClientId, PaneId, Timestamp};
use crate::screen::State;
use crate::term::{Copied, Screen, TextSpot};

use super::selection;
use super::view::{Tone, View};
use super::{layout, toast};

pub use data::{Copy, FoundWay, Press, Reading, TextSearch};

/// The newest screen of the terminal that this client is shown.
pub fn live<'a>(state: &'a State, view: &View) -> Option<&'a Arc<Screen>> {
    state.domain.live.screen(&view.pane()?)
}

/// Scrolls by lines: negative is back.
pub fn scroll(state: &mut State, client: ClientId, lines: i64) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let Some(live) = live(state, view) else {
        return Vec::new();
    };
    let top = view.reading.top.unwrap_or(live.live());
    show_from(state, client, top.saturating_add_signed(lines))
}

/// Returns to the newest lines.
pub fn follow(state: &mut State, client: ClientId) {
    if let Some(view) = state.views.get_mut(&client) {
        view.reading.top = None;
        view.reading.screen = None;
    }
}

/// Holds the view at a line, or follows where that is the newest.
pub fn show_from(state: &mut State, client: ClientId, top: u64) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let (Some(live), Some(pane)) = (live(state, view).cloned(), view.pane()) else {
        return Vec::new();
    };
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if top >= live.live() {
        view.reading.top = view.reading.copy.map(|_| live.live());
        view.reading.screen = None;
        return Vec::new();
    }
    let top = top.max(live.oldest());
    if view.reading.top == Some(top) {
        return Vec::new();
    }
    if view.reading.top.is_none() {
        view.reading.since = live.live();
    }
    view.reading.top = Some(top);
    vec![Effect::Pane(pane, PaneOrder::View { client, line: top })]
}

/// A terminal shows something new: whoever reads in it stays where they are, for as long as that is kept.
pub fn changed(state: &mut State, pane: &PaneId, before: Option<&Screen>) -> Vec<Effect> {
    let Some(now) = state.domain.live.screen(pane).cloned() else {
        return Vec::new();
    };
    let mut effects = Vec::new();
    for (client, view) in &mut state.views {
        if view.pane().as_ref() != Some(pane) {
            continue;
        }
        let reading = &mut view.reading;
        if let (Some(selection), Some(before)) = (&reading.selection, before)
            && reading.copy.is_none()
            && !selection.stands(before, &now)
        {
            reading.selection = None;
        }
        let Some(top) = reading.top else {
            continue;
        };
        if top >= now.live() {
            reading.top = reading.copy.map(|_| now.live());
            reading.screen = None;
            continue;
        }
        let kept = top.max(now.oldest());
        let same_shape = |screen: &Arc<Screen>| screen.cols == now.cols && screen.rows.len() == now.rows.len();
        // Lines of the live screen may be in sight, and those change.
        let rows = now.rows.len() as u64;
        let overlaps = before.is_some_and(|before| top + rows > before.live());
        if kept != top || overlaps || !reading.screen.as_ref().is_some_and(same_shape) {
            reading.top = Some(kept);
            let order = PaneOrder::View {
                client: *client,
                line: kept,
            };
            effects.push(Effect::Pane(pane.clone(), order));
        }
    }
    effects
}

/// Takes in the screen that was asked for, and says whether it is what is wanted now: one that was asked for before the view
/// moved on is shown for the moment.
pub fn arrived(state: &mut State, pane: &PaneId, client: ClientId, screen: Arc<Screen>) -> bool {
    let Some(view) = state.views.get_mut(&client).filter(|v| v.pane().as_ref() == Some(pane)) else {
        return false;
    };
    let reading = &mut view.reading;
    let Some(top) = reading.top else {
        return false;
    };
    // What is no longer kept can't be shown; the oldest line is as near as it gets.
    if screen.first > top && screen.offset == screen.history {
        reading.top = Some(screen.first);
    }
    if screen.offset == 0 {
        reading.top = reading.copy.map(|_| screen.first);
    }
    let wanted = screen.first == top;
    reading.screen = Some(screen).filter(|screen| screen.offset > 0);
    wanted
}

/// The text of a selection has come: it goes to the person's terminal.
pub fn copied(state: &mut State, client: ClientId, copied: Copied) -> Vec<Effect> {
    let text: String = copied
        .text
        .chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect();
    if text.is_empty() {
        return Vec::new();
    }
    let told = match (text.lines().count(), copied.cut) {
        (lines, true) => format!("Copied {}, the first 1 MiB of what is selected.", count(lines, "line")),
        (lines, false) => format!("Copied {}.", count(lines, "line")),
    };
    toast::tell(state, client, told, Tone::Told);
    vec![Effect::Clipboard(client, text)]
}

/// Asks for the text of what is selected.
pub fn copy(state: &State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let (Some(pane), Some(selection)) = (view.pane(), &view.reading.selection) else {
        return Vec::new();
    };
    let ((from, to), shape) = (selection.ends(), selection.shape);
    let order = PaneOrder::Copy {
        client,
        from,
        to,
        shape,
    };
    vec![Effect::Pane(pane, order)]
}

/// The line at the top of what the person sees, or is about to see.
pub fn top(state: &State, client: ClientId) -> Option<u64> {
    let view = state.views.get(&client)?;
    let live = live(state, view)?;
    Some(view.reading.top.unwrap_or(live.live()))
}

/// The place in the text under a cell of the client's screen; beyond the pane's edge, the nearest.
pub fn spot(state: &State, client: ClientId, x: u16, y: u16) -> Option<TextSpot> {
    let view = state.views.get(&client)?;
    let screen = view.reading.shown(live(state, view)?);
    let pane = layout::arrange(view).pane;
    if pane.is_empty() || screen.rows.is_empty() {
        return None;
    }
    let (left, above) = layout::crop(screen, pane, &view.reading);
    let row = y.clamp(pane.top(), pane.bottom() - 1) - pane.top() + above;
    let col = x.clamp(pane.left(), pane.right() - 1) - pane.left() + left;
    let row = usize::from(row).min(screen.rows.len() - 1);
    Some(TextSpot {
        line: screen.first + row as u64,
        col: selection::whole(&screen.rows[row], col.min(screen.cols.saturating_sub(1))),
    })
}

/// When something last happened is a while ago.
pub fn is_past(now: Timestamp, at: Timestamp, ms: u64) -> bool {
    now.ms_since(at) >= ms
}
