//! Looking for words in all that a terminal keeps. The terminal's own thread searches, at each letter; the cursor of copy
//! mode goes to the place that is nearest to where the typing began: below it, or above it.

use crossterm::event::KeyEvent;

use crate::domain::effect::{Effect, PaneOrder};
use crate::model::{ClientId, PaneId};
use crate::screen::State;
use crate::term::{FoundText, TextSpot};

use super::super::dialog::tables::{SEARCH, SearchKey};
use super::super::dialog::{Field, Room};
use super::super::reading::{self, Copy, FoundWay};
use super::super::tab::search_line::{FROM_END, FROM_TOP};
use super::super::toast;
use super::super::view::{Tone, View};
use super::cursor::{go, go_to_found};

/// Which of the places to go to: on in the way in which they were looked for, or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FoundStep {
    Next,
    Previous,
}

/// Asks for words, and proposes those that were looked for last.
pub(super) fn begin(state: &mut State, client: ClientId, way: FoundWay) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let search = &mut view.reading.search;
    let words = search.wanted.as_deref().unwrap_or_default();
    search.typing = Some(Field::proposing(words, Room::Line));
    search.origin = view.reading.copy.map(|copy| copy.cursor);
    search.top = view.reading.top;
    search.way = way;
}

pub fn is_typing(state: &State, client: ClientId) -> bool {
    let view = state.views.get(&client);
    view.is_some_and(|view| view.reading.search.typing.is_some())
}

/// A key while the words are typed.
pub fn press(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let search = &mut view.reading.search;
    let Some(typing) = &mut search.typing else {
        return Vec::new();
    };
    match SEARCH.command(key) {
        Some(SearchKey::Cancel) => {
            (search.typing, search.wanted, search.found) = (None, None, None);
            let (origin, top) = (search.origin.take(), search.top.take());
            go_back(state, client, origin, top)
        }
        Some(SearchKey::Search) => {
            search.typing = None;
            match search.is_answered() {
                true => settle(state, client),
                // What was found of other words is not shown as if it were of these.
                false => search.found = None,
            }
            Vec::new()
        }
        // Pages are turned by `screen/tab.rs`.
        Some(SearchKey::PageUp | SearchKey::PageDown) => Vec::new(),
        None => {
            typing.press(key);
            ask(view, client)
        }
    }
}

/// To where the typing began, with the lines in sight that were then.
fn go_back(state: &mut State, client: ClientId, origin: Option<TextSpot>, top: Option<u64>) -> Vec<Effect> {
    let copy = state.views.get(&client).and_then(|view| view.reading.copy);
    let (Some(cursor), Some(copy)) = (origin, copy) else {
        return Vec::new();
    };
    let mut effects = top.map_or_else(Vec::new, |top| reading::show_from(state, client, top));
    effects.extend(go(state, client, Copy { cursor, ..copy }));
    effects
}

pub fn paste(state: &mut State, client: ClientId, text: &str) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if let Some(typing) = view.reading.search.typing.as_mut() {
        typing.paste(text);
    }
    ask(view, client)
}

/// Has the terminal searched for what is typed.
fn ask(view: &mut View, client: ClientId) -> Vec<Effect> {
    let search = &mut view.reading.search;
    search.missing = None;
    let words = search.typing.as_ref().map(Field::text).unwrap_or_default();
    if words.is_empty() {
        (search.wanted, search.found) = (None, None);
        return Vec::new();
    }
    search.wanted = Some(words.clone());
    let order = PaneOrder::Find { client, words };
    view.pane().map(|pane| Effect::Pane(pane, order)).into_iter().collect()
}

/// Enter was pressed and the answer is there: the search is over. If nothing was found, that is told.
fn settle(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let search = &mut view.reading.search;
    let (from, at) = (search.origin.take(), view.reading.copy.map(|copy| copy.cursor));
    if search.goes_on == FoundWay::Older && from.is_some() && at > from {
        toast::tell(state, client, FROM_END, Tone::Told);
        return;
    }
    if search.found.as_ref().is_some_and(|found| found.places.is_empty()) {
        search.found = None;
        search.missing = search.wanted.take();
        tell_nowhere(state, client);
    }
}

/// What was looked for last is nowhere. It may have been in lines that went.
fn tell_nowhere(state: &mut State, client: ClientId) {
    let view = state.views.get(&client);
    let lost = view
        .and_then(|view| reading::live(state, view))
        .is_some_and(|live| live.oldest() > 0);
    let told = match view.and_then(|view| view.reading.search.missing.as_deref()) {
        Some(words) if lost => format!("Nothing here says “{words}”. Older lines are no longer kept."),
        Some(words) => format!("Nothing here says “{words}”."),
        None => "Nothing is looked for yet.".into(),
    };
    toast::tell(state, client, told, Tone::Told);
}

/// The terminal has been searched. What was asked for before the last letter, or is not wanted any more, is passed over.
pub fn found(state: &mut State, client: ClientId, pane: &PaneId, found: FoundText) -> Vec<Effect> {
    let Some(view) = state
        .views
        .get_mut(&client)
        .filter(|view| view.pane().as_ref() == Some(pane))
    else {
        return Vec::new();
    };
    let search = &mut view.reading.search;
    if view.reading.copy.is_none() || search.wanted.as_ref() != Some(&found.words) {
        return Vec::new();
    }
    let origin = search.origin.or(view.reading.copy.map(|copy| copy.cursor));
    // The newest comes first.
    let mut places = found.places.iter().map(|(first, _)| *first);
    let newest = places.clone().next();
    let below = places.clone().rfind(|first| Some(*first) > origin);
    let below = below.filter(|_| search.way == FoundWay::Newer);
    search.goes_on = below.map_or(FoundWay::Older, |_| FoundWay::Newer);
    let above = places.find(|first| Some(*first) <= origin);
    let target = below.or(above).or(newest);
    search.found = Some(found);
    let is_typing = search.typing.is_some();
    let effects = match target.or(origin) {
        Some(target) => go_to(state, client, target),
        None => Vec::new(),
    };
    if !is_typing {
        settle(state, client);
    }
    effects
}

/// As often as a count says.
pub(super) fn steps(state: &mut State, client: ClientId, to: FoundStep, count: u32) -> Vec<Effect> {
    let found = state
        .views
        .get(&client)
        .and_then(|view| view.reading.search.found.as_ref());
    let most = found.map_or(1, |found| found.places.len().max(1));
    let times = usize::try_from(count).unwrap_or(most).min(most);
    // Where the last one leads is what is to be seen.
    let mut effects = Vec::new();
    for _ in 0..times {
        effects = step(state, client, to);
    }
    effects
}

/// To the next of the places that were found; from the last one, around to the first.
fn step(state: &mut State, client: ClientId, step: FoundStep) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let (Some(copy), Some(found)) = (view.reading.copy, &view.reading.search.found) else {
        tell_nowhere(state, client);
        return Vec::new();
    };
    let at = copy.cursor;
    let way = match (step, view.reading.search.goes_on) {
        (FoundStep::Next, way) => way,
        (FoundStep::Previous, FoundWay::Older) => FoundWay::Newer,
        (FoundStep::Previous, FoundWay::Newer) => FoundWay::Older,
    };
    let mut places = found.places.iter().map(|(first, _)| *first);
    let next = match way {
        FoundWay::Older => places.clone().find(|first| *first < at),
        FoundWay::Newer => places.clone().rfind(|first| *first > at),
    };
    let (other, told) = match way {
        FoundWay::Older => (places.next(), FROM_END),
        FoundWay::Newer => (places.next_back(), FROM_TOP),
    };
    if next.is_none() && other.is_some() {
        toast::tell(state, client, told, Tone::Told);
    }
    match next.or(other) {
        Some(next) => go_to(state, client, next),
        None => Vec::new(),
    }
}

fn go_to(state: &mut State, client: ClientId, cursor: TextSpot) -> Vec<Effect> {
    match state.views.get(&client).and_then(|view| view.reading.copy) {
        Some(copy) => go_to_found(state, client, Copy { cursor, ..copy }),
        None => Vec::new(),
    }
}
