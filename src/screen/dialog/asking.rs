//! Keys in a dialog that asks: what is typed in its fields, chosen of its parts, and pressed of its buttons.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::screen::State;

use super::buttons::{self, Button, Pressed};
use super::came::Answer;
use super::tables::{FORM, FormKey, QUESTION, QuestionKey};
use super::{Ask, Part, Stop, place};

/// Lines that a page is scrolled by.
const PAGE: usize = 8;

/// A dialog in which nothing is typed asks for a yes or a no, to something that cannot simply be taken back.
pub fn is_confirmation(ask: &dyn Ask) -> bool {
    ask.fields().is_empty()
}

/// Why the last try failed is said until something is changed.
pub(super) fn editing<T>(ask: &mut dyn Ask, state: &State, work: impl FnOnce(&mut dyn Ask) -> T) -> T {
    let filled_in = |ask: &dyn Ask| {
        let chosen = |part: &Part| matches!(part, Part::Choice { .. } | Part::Tick { .. });
        let typed: Vec<String> = ask.fields().iter().map(|(_, field)| field.text()).collect();
        (typed, ask.parts(state).into_iter().filter(chosen).collect::<Vec<_>>())
    };
    let before = filled_in(ask);
    let done = work(ask);
    if filled_in(ask) != before {
        ask.form_mut().changed();
    }
    done
}

pub(super) fn press_ask(ask: &mut dyn Ask, state: &State, whole: Rect, key: KeyEvent) -> Answer {
    let at = ask.form().at;
    if is_confirmation(ask) {
        return press_question(ask, state, whole, QUESTION.command(key));
    }
    if ask.field_mut(at).is_some() && type_in(ask, key) {
        return Answer::Nothing;
    }
    match FORM.command(key) {
        Some(FormKey::Close) => return escape(ask),
        Some(FormKey::GiveUp) => return Answer::Close,
        Some(FormKey::Submit) => return Answer::Submit,
        Some(FormKey::Enter) => return enter(ask, state),
        Some(FormKey::Previous) => step(ask, state, -1),
        Some(FormKey::Next) => step(ask, state, 1),
        Some(FormKey::Up) if scrolls(ask, state, whole, -1) => {}
        Some(FormKey::Down) if scrolls(ask, state, whole, 1) => {}
        Some(FormKey::Up) => step(ask, state, -1),
        Some(FormKey::Down) => step(ask, state, 1),
        Some(key @ (FormKey::Left | FormKey::Right)) if matches!(at, Stop::Yes | Stop::No) => {
            let buttons = buttons(ask, state);
            let by = if key == FormKey::Left { -1 } else { 1 };
            buttons::step(&mut ask.form_mut().at, &buttons, by);
        }
        Some(FormKey::Left) => ask.turn(state, at, -1),
        Some(FormKey::Right | FormKey::Tick) => ask.turn(state, at, 1),
        // Only a field has a use for these.
        Some(FormKey::NewLine | FormKey::Clear) | None => {}
    }
    Answer::Nothing
}

fn press_question(ask: &mut dyn Ask, state: &State, whole: Rect, key: Option<QuestionKey>) -> Answer {
    // A choice is made by the keys that move between buttons, while the focus is on it.
    let at = ask.form().at;
    match key {
        Some(QuestionKey::Left) if is_choice(ask, state, at) => return turned(ask, state, -1),
        Some(QuestionKey::Right | QuestionKey::Answer) if is_choice(ask, state, at) => return turned(ask, state, 1),
        Some(_) | None => {}
    }
    let buttons = buttons(ask, state);
    match buttons::press(&mut ask.form_mut().at, &buttons, key) {
        Pressed::Chosen(stop) => return chosen(ask, state, stop),
        Pressed::Moved => return Answer::Nothing,
        Pressed::Other => {}
    }
    match key {
        Some(QuestionKey::Close) => return Answer::Close,
        Some(QuestionKey::Up) if !scrolls(ask, state, whole, -1) => step(ask, state, -1),
        Some(QuestionKey::Down) if !scrolls(ask, state, whole, 1) => step(ask, state, 1),
        Some(QuestionKey::PageUp) => (0..PAGE).for_each(|_| _ = scrolls(ask, state, whole, -1)),
        Some(QuestionKey::PageDown) => (0..PAGE).for_each(|_| _ = scrolls(ask, state, whole, 1)),
        Some(
            QuestionKey::Up
            | QuestionKey::Down
            | QuestionKey::Yes
            | QuestionKey::No
            | QuestionKey::Answer
            | QuestionKey::Left
            | QuestionKey::Right,
        )
        | None => {}
    }
    Answer::Nothing
}

fn is_choice(ask: &dyn Ask, state: &State, at: Stop) -> bool {
    let parts = ask.parts(state);
    parts
        .iter()
        .any(|part| matches!(part, Part::Choice { stop, .. } if *stop == at))
}

fn turned(ask: &mut dyn Ask, state: &State, by: i8) -> Answer {
    let at = ask.form().at;
    ask.turn(state, at, by);
    Answer::Nothing
}

/// The key as the focused field takes it, suggestions included.
fn type_in(ask: &mut dyn Ask, key: KeyEvent) -> bool {
    let at = ask.form().at;
    let command = FORM.command(key);
    if at == Stop::Place
        && let Some(places) = ask.places_mut()
    {
        match command {
            Some(FormKey::Down) if places.chosen.is_some() || !places.hints().is_empty() => {
                places.choose(1);
                return true;
            }
            Some(FormKey::Up) if places.chosen.is_some() => {
                places.choose(-1);
                return true;
            }
            Some(FormKey::Enter | FormKey::Next) if places.take() => return true,
            Some(FormKey::Next) if places.complete() => return true,
            Some(_) | None => {}
        }
    }
    if matches!(command, Some(FormKey::Submit | FormKey::GiveUp)) {
        return false;
    }
    let before = ask.places().map(|places| places.field.text());
    let taken = ask.field_mut(at).is_some_and(|field| field.press(key));
    if let Some(places) = ask.places_mut()
        && before != Some(places.field.text())
    {
        places.chosen = None;
    }
    taken
}

/// Esc gives up a choice of suggestions first, then the dialog.
fn escape(ask: &mut dyn Ask) -> Answer {
    let chosen = ask.places_mut().and_then(|places| places.chosen.take());
    match chosen {
        Some(_) => Answer::Nothing,
        None => Answer::Close,
    }
}

fn enter(ask: &mut dyn Ask, state: &State) -> Answer {
    let stops = stops(ask, state);
    let fields = stops
        .iter()
        .filter(|stop| !matches!(stop, Stop::Yes | Stop::No))
        .count();
    match ask.form().at {
        stop @ (Stop::No | Stop::Yes) => chosen(ask, state, stop),
        _ if fields == 1 => Answer::Submit,
        at if stops
            .iter()
            .position(|stop| *stop == at)
            .is_some_and(|place| place + 1 == fields) =>
        {
            Answer::Submit
        }
        _ => {
            step(ask, state, 1);
            Answer::Nothing
        }
    }
}

fn stops(ask: &dyn Ask, state: &State) -> Vec<Stop> {
    ask.parts(state).iter().flat_map(|part| part.stops()).collect()
}

fn step(ask: &mut dyn Ask, state: &State, by: i8) {
    let stops = stops(ask, state);
    let at = stops.iter().position(|stop| *stop == ask.form().at).unwrap_or(0);
    let next = match by {
        ..0 => (at + stops.len() - 1) % stops.len().max(1),
        0.. => (at + 1) % stops.len().max(1),
    };
    if let Some(stop) = stops.get(next) {
        ask.form_mut().at = *stop;
    }
}

fn buttons(ask: &dyn Ask, state: &State) -> Vec<Button> {
    let parts = ask.parts(state).into_iter();
    parts
        .flat_map(|part| match part {
            Part::Buttons(buttons) => buttons,
            Part::Field { .. }
            | Part::Choice { .. }
            | Part::Hints
            | Part::Tick { .. }
            | Part::Words(_)
            | Part::Note(_)
            | Part::Warning(_)
            | Part::Lines(_)
            | Part::Gap => Vec::new(),
        })
        .collect()
}

/// A button is pressed. Before the question could be read that is no answer; giving up always is possible.
pub(super) fn chosen(ask: &dyn Ask, state: &State, stop: Stop) -> Answer {
    let unread = is_confirmation(ask) && ask.form().is_unread(state.domain.now);
    match stop {
        _ if unread => Answer::Early,
        Stop::Yes => Answer::Submit,
        _ => Answer::Close,
    }
}

/// Scrolls a list that is longer than its room; false where there is none.
fn scrolls(ask: &mut dyn Ask, state: &State, whole: Rect, by: i8) -> bool {
    let most = place::most_scrolled(ask, state, whole);
    let scroll = &mut ask.form_mut().scroll;
    *scroll = match by {
        ..0 => scroll.saturating_sub(1),
        0.. => (*scroll + 1).min(most),
    };
    most > 0
}
