//! How the mouse selects a terminal's text: a drag by character, with Alt as a block, from a second click by word, from a
//! third by line. Letting go copies, unless the person wants to do that by a key; a mere click goes in. In copy mode it puts
//! the cursor there.

use crossterm::event::{KeyModifiers, MouseEvent};

use crate::domain::effect::Effect;
use crate::model::{ClientId, PaneId};
use crate::screen::State;
use crate::term::TextSpot;

use super::reading::Press;
use super::selection::{Selection, Unit, around};
use super::typing::live_pane;
use super::view::{Focus, Mode};
use super::{copy, going, layout, reading, side};

/// Clicks further apart are not of one gesture.
pub(super) const TWICE_MS: u64 = 400;
/// How often a drag beyond the edge scrolls by a line.
const SCROLL_MS: u64 = 50;

/// The left button went down on the terminal.
pub fn press(state: &mut State, client: ClientId, event: MouseEvent) {
    let (x, y) = (event.column, event.row);
    let now = state.domain.now;
    let spot = reading::spot(state, client, x, y);
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    view.reading.selection = None;
    let before = view.reading.press.take();
    let again = before.filter(|last| (last.x, last.y) == (x, y) && !reading::is_past(now, last.at, TWICE_MS));
    let clicks = again.map_or(1, |last| last.clicks % 3 + 1);
    let unit = match (clicks, event.modifiers.contains(KeyModifiers::ALT)) {
        (..=1, true) => Unit::Block,
        (clicks, _) => Unit::of_clicks(clicks),
    };
    view.reading.press = Some(Press {
        at: now,
        x,
        y,
        spot,
        unit,
        clicks,
        held: true,
        beyond: 0,
        scrolled: now,
    });
    if let Some(spot) = spot.filter(|_| clicks > 1) {
        carry(state, client, spot);
    }
}

/// The mouse moved with the button down.
pub fn drag(state: &mut State, client: ClientId, x: u16, y: u16) -> Vec<Effect> {
    let spot = reading::spot(state, client, x, y);
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let layout = layout::arrange(view);
    let (pane, whole) = (layout.pane, layout.whole);
    let (Some(press), Some(spot)) = (&mut view.reading.press, spot) else {
        return Vec::new();
    };
    // Where the pane reaches to the screen's own edge, that row is as far as a mouse gets.
    let beyond = match y {
        y if y < pane.top() || (y == whole.top() && pane.top() == y) => -1,
        y if y >= pane.bottom() || (y + 1 == whole.bottom() && pane.bottom() == whole.bottom()) => 1,
        _ => 0,
    };
    press.beyond = beyond;
    let moved = view.reading.selection.is_some() || (press.x, press.y) != (x, y);
    if moved {
        carry(state, client, spot);
    }
    scroll_on(state, client)
}

/// The button went up: what is selected is copied, or kept for a key that does; a mere click goes into the agent.
pub fn release(state: &mut State, client: ClientId) -> Vec<Effect> {
    let copies = state.domain.disk.settings.copy_on_select.0;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if let Some(press) = &mut view.reading.press {
        press.held = false;
        press.beyond = 0;
    }
    match (view.reading.selection, view.reading.copy, view.mode) {
        (Some(selection), Some(_), _) if copies => copy::take_by_mouse(state, client, selection),
        (Some(_), None, _) if copies => reading::copy(state, client),
        (Some(selection), _, _) => {
            copy::hold(state, client, selection);
            Vec::new()
        }
        (None, Some(before), _) => copy::click(state, client, before),
        (None, None, Mode::Outside) => click_pane(state, client),
        (None, None, Mode::Agent) => Vec::new(),
    }
}

/// Scrolls by a line where the mouse is held beyond the edge, and asks to be woken for the next.
pub fn scroll_on(state: &mut State, client: ClientId) -> Vec<Effect> {
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let Some(press) = view
        .reading
        .press
        .as_mut()
        .filter(|press| press.held && press.beyond != 0)
    else {
        return Vec::new();
    };
    if !reading::is_past(now, press.scrolled, SCROLL_MS) {
        return vec![Effect::WakeAt(press.scrolled.plus_ms(SCROLL_MS))];
    }
    press.scrolled = now;
    let by = press.beyond;
    let rows = u64::from(layout::pane_size(view).rows);
    let mut effects = reading::scroll(state, client, by.into());
    if let Some(top) = reading::top(state, client) {
        let spot = match by {
            ..0 => TextSpot { line: top, col: 0 },
            0.. => TextSpot {
                line: top + rows.saturating_sub(1),
                col: u16::MAX,
            },
        };
        carry(state, client, spot);
    }
    effects.push(Effect::WakeAt(now.plus_ms(SCROLL_MS)));
    effects
}

/// A click on the terminal that selected nothing.
fn click_pane(state: &mut State, client: ClientId) -> Vec<Effect> {
    match live_pane(state, client) {
        Some(PaneId::Agent(chat)) => going::go_in(state, client, chat),
        Some(PaneId::Side(number)) => side::enter(state, client, number),
        // A click is too slight a thing to start an agent by.
        None => {
            focus_pane(state, client);
            Vec::new()
        }
    }
}

fn focus_pane(state: &mut State, client: ClientId) {
    if let Some(view) = state.views.get_mut(&client) {
        view.focus = Focus::Pane;
    }
}

/// Time has passed: who drags beyond the edge scrolls on.
pub fn clock(state: &mut State) -> Vec<Effect> {
    let clients: Vec<ClientId> = state.views.keys().copied().collect();
    clients
        .into_iter()
        .flat_map(|client| scroll_on(state, client))
        .collect()
}

/// Carries the selection from the press to a place.
fn carry(state: &mut State, client: ClientId, to: TextSpot) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let (Some(press), Some(live)) = (view.reading.press, reading::live(state, view)) else {
        return;
    };
    let Some(from) = press.spot else {
        return;
    };
    let unit = press.unit;
    let screen = view.reading.shown(live);
    let col = to.col.min(screen.cols.saturating_sub(1));
    let head = around(screen, TextSpot { col, ..to }, unit);
    let anchor = match &view.reading.selection {
        Some(selection) => selection.anchor,
        None => around(screen, from, unit),
    };
    let selection = Selection::new(anchor, head).shaped(unit.shape());
    copy::carry(state, client, selection);
}
