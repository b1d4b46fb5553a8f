//! What is selected of a terminal's text, and how the mouse selects it.
//!
//! A drag selects by character, from a second click by word, from a third by line; letting go copies.

use crate::domain::effect::Effect;
use crate::model::{ClientId, Timestamp};
use crate::screen::State;
use crate::term::{Row, Screen, Style, TextSpot};

use super::view::Mode;
use super::{layout, reading};

/// Clicks further apart are not of one gesture.
const TWICE_MS: u64 = 400;
/// How often a drag beyond the edge scrolls by a line.
const SCROLL_MS: u64 = 50;

/// What separates words beside blanks; what names a file, a URL or an option in one piece does not.
const SEPARATORS: &str = "\"'`()[]{}<>|│,;";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// What was under the press: a cell, a word, a line. Always selected.
    pub anchor: (TextSpot, TextSpot),
    /// The same where the selection was carried to.
    pub head: (TextSpot, TextSpot),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Cell,
    Word,
    Line,
}

impl Unit {
    fn of_clicks(clicks: u8) -> Unit {
        match clicks {
            ..=1 => Unit::Cell,
            2 => Unit::Word,
            3.. => Unit::Line,
        }
    }
}

/// A press of the left button on the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    pub at: Timestamp,
    x: u16,
    y: u16,
    /// `None` where nothing is shown to select from.
    spot: Option<TextSpot>,
    /// One more for each that follows in time at the same place.
    clicks: u8,
    /// The button is down.
    pub held: bool,
    /// Lines beyond the edge that the mouse is dragged to: negative is above.
    beyond: i8,
    scrolled: Timestamp,
}

impl Selection {
    pub fn new(from: (TextSpot, TextSpot), to: (TextSpot, TextSpot)) -> Selection {
        Selection { anchor: from, head: to }
    }

    /// First and last place.
    pub fn ends(&self) -> (TextSpot, TextSpot) {
        (self.anchor.0.min(self.head.0), self.anchor.1.max(self.head.1))
    }

    /// The columns of a line that are selected.
    pub fn columns(&self, line: u64) -> Option<(u16, u16)> {
        let (from, to) = self.ends();
        let first = if line == from.line { from.col } else { 0 };
        let last = if line == to.line { to.col } else { u16::MAX };
        (from.line..=to.line).contains(&line).then_some((first, last))
    }

    /// Whether what is selected is still there, as it was.
    pub fn stands(&self, before: &Screen, now: &Screen) -> bool {
        let (from, to) = self.ends();
        if before.cols != now.cols || from.line < now.oldest() || to.line >= now.live() + now.rows.len() as u64 {
            return false;
        }
        (from.line.max(now.live())..=to.line).all(|line| {
            let Some((first, last)) = self.columns(line) else {
                return true;
            };
            let cells = |screen: &Screen| {
                let row = screen
                    .rows
                    .get(usize::try_from(line.checked_sub(screen.live())?).ok()?)?;
                let last = row.cells.len().min(usize::from(last) + 1);
                row.cells.get(usize::from(first)..last).map(<[_]>::to_vec)
            };
            cells(before).is_none_or(|before| Some(before) == cells(now))
        })
    }
}

/// The left button went down on the terminal.
pub fn press(state: &mut State, client: ClientId, x: u16, y: u16) {
    let now = state.domain.now;
    let spot = reading::spot(state, client, x, y);
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    view.reading.selection = None;
    view.reading.copy = None;
    let before = view.reading.press.take();
    let again = before.filter(|last| (last.x, last.y) == (x, y) && !reading::is_past(now, last.at, TWICE_MS));
    let clicks = again.map_or(1, |last| last.clicks % 3 + 1);
    view.reading.press = Some(Press {
        at: now,
        x,
        y,
        spot,
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

/// The button went up: what is selected is copied; a mere click goes into the agent.
pub fn release(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if let Some(press) = &mut view.reading.press {
        press.held = false;
        press.beyond = 0;
    }
    match (view.reading.selection, view.mode) {
        (Some(_), _) => reading::copy(state, client),
        (None, Mode::Outside) => super::mouse::click_pane(state, client),
        (None, Mode::Agent) => Vec::new(),
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
    let unit = Unit::of_clicks(press.clicks);
    let screen = view.reading.shown(live);
    let head = around(screen, to, unit);
    let anchor = match &view.reading.selection {
        Some(selection) => selection.anchor,
        None => around(screen, from, unit),
    };
    if let Some(view) = state.views.get_mut(&client) {
        view.reading.selection = Some(Selection::new(anchor, head));
    }
}

/// What a click at a place takes.
pub fn around(screen: &Screen, spot: TextSpot, unit: Unit) -> (TextSpot, TextSpot) {
    match unit {
        Unit::Cell => (spot, spot),
        Unit::Word => (
            while_word(screen, spot, SelectionStep::Back),
            while_word(screen, spot, SelectionStep::Forward),
        ),
        Unit::Line => {
            let (mut first, mut last) = (spot.line, spot.line);
            while first > screen.first && row(screen, first - 1).is_some_and(|row| row.wrapped) {
                first -= 1;
            }
            while row(screen, last).is_some_and(|row| row.wrapped) && row(screen, last + 1).is_some() {
                last += 1;
            }
            let end = TextSpot {
                line: last,
                col: screen.cols.saturating_sub(1),
            };
            (TextSpot { line: first, col: 0 }, end)
        }
    }
}

/// The column at which the character begins whose cell this is.
pub fn whole(row: &Row, col: u16) -> u16 {
    let cell = |col: u16| row.cells.get(usize::from(col));
    let right_half = cell(col).is_some_and(|cell| cell.style.has(Style::SPACER));
    let before = col.saturating_sub(1);
    match right_half && cell(before).is_some_and(|cell| cell.style.has(Style::WIDE)) {
        true => before,
        false => col,
    }
}

pub fn row(screen: &Screen, line: u64) -> Option<&Row> {
    let at = usize::try_from(line.checked_sub(screen.first)?).ok()?;
    screen.rows.get(at).map(AsRef::as_ref)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionStep {
    Back,
    Forward,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Blank,
    Word,
    Separator,
}

/// What kind of character is at a place; `None` outside the screen.
pub fn class(screen: &Screen, spot: TextSpot) -> Option<Class> {
    let row = row(screen, spot.line)?;
    let symbol = row.cells.get(usize::from(whole(row, spot.col)))?.symbol;
    Some(match symbol {
        ' ' | '\t' => Class::Blank,
        symbol if SEPARATORS.contains(symbol) => Class::Separator,
        _ => Class::Word,
    })
}

/// The next cell in the text; from a line that the terminal broke, into the next.
pub fn step(screen: &Screen, spot: TextSpot, step: SelectionStep) -> Option<TextSpot> {
    let last = screen.cols.saturating_sub(1);
    match step {
        SelectionStep::Back if spot.col > 0 => Some(TextSpot {
            col: spot.col - 1,
            ..spot
        }),
        SelectionStep::Back => {
            let line = spot.line.checked_sub(1)?;
            row(screen, line)
                .filter(|row| row.wrapped)
                .map(|_| TextSpot { line, col: last })
        }
        SelectionStep::Forward if spot.col < last => Some(TextSpot {
            col: spot.col + 1,
            ..spot
        }),
        SelectionStep::Forward => {
            let line = spot.line + 1;
            row(screen, spot.line).filter(|row| row.wrapped)?;
            row(screen, line).map(|_| TextSpot { line, col: 0 })
        }
    }
}

/// As far as characters are of one kind.
fn while_word(screen: &Screen, spot: TextSpot, way: SelectionStep) -> TextSpot {
    let kind = class(screen, spot);
    let mut at = spot;
    while let Some(next) = step(screen, at, way).filter(|next| kind.is_some() && class(screen, *next) == kind) {
        at = next;
    }
    at
}
