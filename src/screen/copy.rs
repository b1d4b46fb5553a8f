//! Copy mode: selecting a terminal's text by keys, as in vi and tmux.
//!
//! The view is held while it lasts, so that the text does not run away from the cursor.

use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;
use crate::term::{Screen, Style, TextSpot};

mod cursor;
pub mod search;

use super::keymap::{Action, CopyAction};
use super::reading::{Copy, FoundWay, TextSearch};
use super::selection::{Class, Selection, SelectionStep, Unit, class, row, whole};
use super::view::{Focus, Tone};
use super::way::PageTurn;
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
    let effects = go(state, client, Copy { cursor, from, ..copy });
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
        effects.extend(go(state, client, Copy { cursor, ..copy }));
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
        CopyAction::Next => search::step(state, client, FoundStep::Next),
        CopyAction::Previous => search::step(state, client, FoundStep::Previous),
        CopyAction::Left
        | CopyAction::Down
        | CopyAction::Up
        | CopyAction::Right
        | CopyAction::NextWord
        | CopyAction::WordEnd
        | CopyAction::WordBefore
        | CopyAction::LineStart
        | CopyAction::FirstText
        | CopyAction::LineEnd
        | CopyAction::Oldest
        | CopyAction::Newest
        | CopyAction::PageUp
        | CopyAction::PageDown
        | CopyAction::HalfPageUp
        | CopyAction::HalfPageDown => match target(state, client, copy.cursor, action) {
            Some(cursor) => go(state, client, Copy { cursor, ..copy }),
            None => Vec::new(),
        },
    }
}

/// A page up or down while words are typed: they are looked for from there.
pub fn page(state: &mut State, client: ClientId, turn: PageTurn) -> Vec<Effect> {
    let action = match turn {
        PageTurn::Up => CopyAction::PageUp,
        PageTurn::Down => CopyAction::PageDown,
        PageTurn::HalfUp => CopyAction::HalfPageUp,
        PageTurn::HalfDown => CopyAction::HalfPageDown,
    };
    let effects = run(state, client, action);
    look_from_here(state, client);
    effects
}

/// The words that are typed are looked for from where the cursor is now.
fn look_from_here(state: &mut State, client: ClientId) {
    if let Some(reading) = state.views.get_mut(&client).map(|view| &mut view.reading)
        && reading.search.typing.is_some()
    {
        reading.search.origin = reading.copy.map(|copy| copy.cursor);
    }
}

/// Copies and leaves.
fn take(state: &mut State, client: ClientId) -> Vec<Effect> {
    let effects = reading::copy(state, client);
    if effects.is_empty() {
        let key = state.keymap.key(Action::Copy(CopyAction::Select));
        toast::tell(
            state,
            client,
            format!("Nothing was selected: {key} begins."),
            Tone::Told,
        );
    }
    leave(state, client);
    effects
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
        Some(copy) if !copy.is_by_mouse => go(state, client, copy),
        Some(_) | None => Vec::new(),
    }
}

/// Where a command leads that moves the cursor.
fn target(state: &State, client: ClientId, at: TextSpot, action: CopyAction) -> Option<TextSpot> {
    let view = state.views.get(&client)?;
    let live = reading::live(state, view)?;
    let screen = view.reading.shown(live);
    let rows = screen.rows.len() as u64;
    let page = rows.saturating_sub(1);
    let last = live.live() + page;
    let line = |line: u64| TextSpot {
        line: line.clamp(live.oldest(), last),
        ..at
    };
    let to = match action {
        CopyAction::PageUp => line(at.line.saturating_sub(page)),
        CopyAction::PageDown => line(at.line + page),
        CopyAction::HalfPageUp => line(at.line.saturating_sub(rows / 2)),
        CopyAction::HalfPageDown => line(at.line + rows / 2),
        CopyAction::Up => line(at.line.saturating_sub(1)),
        CopyAction::Down => line(at.line + 1),
        CopyAction::Oldest => line(0),
        CopyAction::Newest => line(u64::MAX),
        CopyAction::Left => TextSpot {
            col: at.col.saturating_sub(1),
            ..at
        },
        CopyAction::Right => TextSpot {
            col: (at.col + width(screen, at)).min(screen.cols.saturating_sub(1)),
            ..at
        },
        CopyAction::LineStart => TextSpot { col: 0, ..at },
        CopyAction::FirstText => TextSpot {
            col: edge(screen, at, SelectionStep::Forward),
            ..at
        },
        CopyAction::LineEnd => TextSpot {
            col: edge(screen, at, SelectionStep::Back),
            ..at
        },
        CopyAction::NextWord => next_word(screen, at).unwrap_or(line(at.line + 1)),
        CopyAction::WordEnd => word_end(screen, at).unwrap_or(line(at.line + 1)),
        CopyAction::WordBefore => word_before(screen, at).unwrap_or(line(at.line.saturating_sub(1))),
        CopyAction::Leave
        | CopyAction::Take
        | CopyAction::Select
        | CopyAction::SelectLines
        | CopyAction::SelectBlock
        | CopyAction::Links
        | CopyAction::Search
        | CopyAction::SearchUp
        | CopyAction::Next
        | CopyAction::Previous => return None,
    };
    let col = row(screen, to.line).map_or(to.col, |row| whole(row, to.col));
    Some(TextSpot { col, ..to })
}

/// Cells of the character at a place.
fn width(screen: &Screen, at: TextSpot) -> u16 {
    let cell = row(screen, at.line).and_then(|row| row.cells.get(usize::from(at.col)));
    1 + u16::from(cell.is_some_and(|cell| cell.style.has(Style::WIDE)))
}

/// The first or last column of a line that is not blank.
fn edge(screen: &Screen, at: TextSpot, way: SelectionStep) -> u16 {
    let mut columns = 0..screen.cols;
    let written = |col: &u16| class(screen, TextSpot { col: *col, ..at }) != Some(Class::Blank);
    let found = match way {
        SelectionStep::Forward => columns.find(written),
        SelectionStep::Back => columns.rfind(written),
    };
    found.unwrap_or(0)
}

/// The next character, or the one before, over the ends of lines. `None` outside what is shown.
fn beside(screen: &Screen, at: TextSpot, way: SelectionStep) -> Option<TextSpot> {
    let last = screen.cols.saturating_sub(1);
    let next = match way {
        SelectionStep::Forward if at.col + width(screen, at) <= last => TextSpot {
            col: at.col + width(screen, at),
            ..at
        },
        SelectionStep::Forward => TextSpot {
            line: at.line + 1,
            col: 0,
        },
        SelectionStep::Back if at.col > 0 => TextSpot { col: at.col - 1, ..at },
        SelectionStep::Back => TextSpot {
            line: at.line.checked_sub(1)?,
            col: last,
        },
    };
    row(screen, next.line).map(|row| TextSpot {
        col: whole(row, next.col),
        ..next
    })
}

/// Goes on while characters are of a kind; the place behind them.
fn skip(screen: &Screen, mut at: TextSpot, kind: Option<Class>) -> Option<TextSpot> {
    while class(screen, at) == kind {
        at = beside(screen, at, SelectionStep::Forward)?;
    }
    Some(at)
}

fn next_word(screen: &Screen, at: TextSpot) -> Option<TextSpot> {
    let kind = class(screen, at);
    skip(screen, skip(screen, at, kind)?, Some(Class::Blank))
}

fn word_end(screen: &Screen, at: TextSpot) -> Option<TextSpot> {
    let begin = skip(screen, beside(screen, at, SelectionStep::Forward)?, Some(Class::Blank))?;
    Some(last_alike(screen, begin, SelectionStep::Forward))
}

fn word_before(screen: &Screen, at: TextSpot) -> Option<TextSpot> {
    let mut at = beside(screen, at, SelectionStep::Back)?;
    while class(screen, at) == Some(Class::Blank) {
        at = beside(screen, at, SelectionStep::Back)?;
    }
    Some(last_alike(screen, at, SelectionStep::Back))
}

fn last_alike(screen: &Screen, mut at: TextSpot, way: SelectionStep) -> TextSpot {
    let kind = class(screen, at);
    while let Some(next) = beside(screen, at, way).filter(|next| class(screen, *next) == kind) {
        at = next;
    }
    at
}
