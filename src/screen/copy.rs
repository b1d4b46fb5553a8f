//! Copy mode: selecting a terminal's text by keys, as in vi and tmux.
//!
//! The view is held while it lasts, so that the text does not run away from the cursor.

use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;
use crate::term::TextSpot;

pub mod count;
mod cursor;
mod motion;
mod paragraph;
pub mod search;

use super::keymap::{Action, CopyAction, CopyMotion};
use super::reading::{Copy, FoundWay, TextSearch};
use super::selection::{Selection, Unit};
use super::view::{Focus, Tone};
use super::way::{PageTurn, StepWay};
use super::{links, reading, toast};
use cursor::go;
use search::FoundStep;

/// The cursor begins where the program's is, if that is in sight.
pub fn begin(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let Some(live) = reading::live(state, view).cloned() else {
        toast::tell(state, client, "There is no text to select.", Tone::Told);
        return Vec::new();
    };
    let shown = view.reading.shown(&live).clone();
    let last = u16::try_from(shown.rows.len().saturating_sub(1)).unwrap_or(u16::MAX);
    let place = (shown.cursor.row, shown.cursor.col);
    let (at, col) = if place.0 <= last { place } else { (last, 0) };
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    // A sidebar that lies over the text makes way.
    view.focus = Focus::Pane;
    let reading = &mut view.reading;
    reading.selection = None;
    reading.since = if reading.top.is_none() {
        live.live()
    } else {
        reading.since
    };
    reading.top = reading.top.or(Some(live.live()));
    reading.copy = Some(Copy {
        cursor: TextSpot {
            line: shown.first + u64::from(at),
            col: col.min(shown.cols.saturating_sub(1)),
        },
        from: None,
        widened: None,
        is_by_mouse: false,
        count: 0,
        seeks: None,
    });
    Vec::new()
}

/// What the mouse selected stays, for a key that copies it.
pub fn hold(state: &mut State, client: ClientId, selection: Selection) {
    begin(state, client);
    carry(state, client, selection);
}

/// The mouse has selected this: in copy mode the cursor goes along.
pub fn carry(state: &mut State, client: ClientId, selection: Selection) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let unit = view.reading.press.map_or(Unit::Cell, |press| press.unit);
    if let Some(copy) = &mut view.reading.copy {
        *copy = Copy {
            cursor: selection.head.1,
            from: Some((selection.anchor.0, unit)),
            widened: Some(selection.anchor),
            is_by_mouse: true,
            count: 0,
            seeks: None,
        };
    }
    view.reading.selection = Some(selection);
}

/// A click puts the cursor there, and a selection that a key began reaches to it.
pub fn click(state: &mut State, client: ClientId, copy: Copy) -> Vec<Effect> {
    let press = state.views.get(&client).and_then(|view| view.reading.press);
    let Some(cursor) = press.and_then(|press| press.spot) else {
        return Vec::new();
    };
    let from = copy.from.filter(|_| !copy.is_by_mouse);
    let seeks = None;
    let effects = go(
        state,
        client,
        Copy {
            cursor,
            from,
            seeks,
            ..copy
        },
    );
    look_from_here(state, client);
    effects
}

/// The wheel scrolls, and the cursor stays where it is on the screen; what a key began to select reaches to it.
pub fn scroll(state: &mut State, client: ClientId, copy: Copy, lines: i64) -> Vec<Effect> {
    let before = reading::top(state, client);
    let mut effects = reading::scroll(state, client, lines);
    if let (Some(before), Some(top)) = (before, reading::top(state, client))
        && !copy.is_by_mouse
    {
        let line = copy.cursor.line.saturating_add(top).saturating_sub(before);
        let cursor = TextSpot { line, ..copy.cursor };
        let seeks = None;
        effects.extend(go(state, client, Copy { cursor, seeks, ..copy }));
        look_from_here(state, client);
    }
    effects
}

/// Copies what the mouse selected in copy mode, which ends by that: the person goes on in what they see.
pub fn take_by_mouse(state: &mut State, client: ClientId, selection: Selection) -> Vec<Effect> {
    let effects = reading::copy(state, client);
    put_down(state, client);
    if let Some(view) = state.views.get_mut(&client) {
        view.reading.selection = Some(selection);
        view.over.guard.let_go();
    }
    effects
}

/// Back to the newest lines, and to what keys did before.
pub fn leave(state: &mut State, client: ClientId) {
    put_down(state, client);
    reading::follow(state, client);
}

/// To what keys did before, at the lines that are seen.
pub fn put_down(state: &mut State, client: ClientId) {
    let live = state.views.get(&client).and_then(|view| reading::live(state, view));
    let newest = live.map(|live| live.live());
    if let Some(view) = state.views.get_mut(&client) {
        view.reading.copy = None;
        view.reading.selection = None;
        view.reading.search = TextSearch::default();
        if view.reading.top >= newest {
            reading::follow(state, client);
        }
    }
}

pub fn run(state: &mut State, client: ClientId, action: CopyAction) -> Vec<Effect> {
    let count = count::take(state, client);
    let Some(copy) = state.views.get(&client).and_then(|view| view.reading.copy) else {
        return Vec::new();
    };
    match action {
        CopyAction::Leave => {
            leave(state, client);
            Vec::new()
        }
        CopyAction::Take => take(state, client),
        CopyAction::Select => select(state, client, copy, Unit::Cell),
        CopyAction::SelectLines => select(state, client, copy, Unit::Line),
        CopyAction::SelectBlock => select(state, client, copy, Unit::Block),
        CopyAction::Links => links::begin(state, client),
        CopyAction::Search => {
            search::begin(state, client, FoundWay::Newer);
            Vec::new()
        }
        CopyAction::SearchUp => {
            search::begin(state, client, FoundWay::Older);
            Vec::new()
        }
        CopyAction::Next => search::steps(state, client, FoundStep::Next, count),
        CopyAction::Previous => search::steps(state, client, FoundStep::Previous, count),
        CopyAction::OtherEnd => to_other_end(state, client, copy),
        // Only its key says which.
        CopyAction::Count => Vec::new(),
    }
}

/// Moves the cursor, as often as was typed before.
pub fn go_by(state: &mut State, client: ClientId, motion: CopyMotion) -> Vec<Effect> {
    let count = count::take(state, client);
    match motion {
        CopyMotion::NextParagraph => paragraph::run(state, client, StepWay::Forward, count),
        CopyMotion::ParagraphBefore => paragraph::run(state, client, StepWay::Back, count),
        motion => motion::run(state, client, motion, count),
    }
}

/// A page up or down while words are typed: they are looked for from there.
pub fn page(state: &mut State, client: ClientId, turn: PageTurn) -> Vec<Effect> {
    let motion = match turn {
        PageTurn::Up => CopyMotion::PageUp,
        PageTurn::Down => CopyMotion::PageDown,
        PageTurn::HalfUp => CopyMotion::HalfPageUp,
        PageTurn::HalfDown => CopyMotion::HalfPageDown,
    };
    let effects = go_by(state, client, motion);
    look_from_here(state, client);
    effects
}

/// The words that are typed are looked for from where the cursor is now.
fn look_from_here(state: &mut State, client: ClientId) {
    if let Some(reading) = state.views.get_mut(&client).map(|view| &mut view.reading)
        && reading.search.typing.is_some()
    {
        reading.search.origin = reading.copy.map(|copy| copy.cursor);
        reading.search.top = reading.top;
    }
}

/// Copies and leaves.
fn take(state: &mut State, client: ClientId) -> Vec<Effect> {
    let effects = reading::copy(state, client);
    if effects.is_empty() {
        tell_nothing_selected(state, client);
    }
    leave(state, client);
    effects
}

fn tell_nothing_selected(state: &mut State, client: ClientId) {
    let key = state.keymap.key(Action::Copy(CopyAction::Select));
    let text = format!("Nothing was selected: {key} begins.");
    toast::tell(state, client, text, Tone::Told);
}

/// From one end of what is selected to the other, which moves from now on.
fn to_other_end(state: &mut State, client: ClientId, copy: Copy) -> Vec<Effect> {
    let Some((from, unit)) = copy.from else {
        tell_nothing_selected(state, client);
        return Vec::new();
    };
    let turned = Copy {
        cursor: from,
        from: Some((copy.cursor, unit)),
        widened: None,
        ..copy
    };
    go(state, client, turned)
}

/// Begins a selection at the cursor, or ends one of the same kind.
fn select(state: &mut State, client: ClientId, copy: Copy, unit: Unit) -> Vec<Effect> {
    let from = match copy.from {
        Some((_, before)) if before == unit => None,
        Some((from, _)) => Some((from, unit)),
        None => Some((copy.cursor, unit)),
    };
    let widened = None;
    go(state, client, Copy { from, widened, ..copy })
}

/// The text under the cursor has come into sight: what is selected may reach to its line's end.
pub fn came(state: &mut State, client: ClientId) -> Vec<Effect> {
    match state.views.get(&client).and_then(|view| view.reading.copy) {
        Some(copy) if copy.seeks.is_some() => paragraph::go_on(state, client, copy),
        Some(copy) if !copy.is_by_mouse => go(state, client, copy),
        Some(_) | None => Vec::new(),
    }
}
