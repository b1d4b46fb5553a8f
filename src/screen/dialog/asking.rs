//! Keys in a dialog that asks: what is typed in its fields, chosen of its parts, and pressed of its buttons.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;

use super::super::hint::Hint;
use super::super::scrollbar::{Extent, ScrollBar};
use super::buttons::{self, Button, Pressed};
use super::place::Hit;
use super::tables::{FORM, FocusKey, FormKey, KeySection, MoveKey, QUESTION, QuestionFocus, QuestionKey};
use super::{
    Around, Ask, Contract, Part, Reply, Stop, Subject, Suggested, UNREAD_MS, Wish, Work, letters, place, tables,
};
use crate::domain::notice::Done;
use crate::model::{Problem, RequestId, Timestamp};

/// Lines that a page is scrolled by.
const PAGE: usize = 8;

/// A dialog in which nothing is typed asks for a yes or a no, to something that cannot simply be taken back.
pub fn is_confirmation(ask: &dyn Ask) -> bool {
    ask.fields().is_empty()
}

/// Why the last try failed is said until something is changed.
fn editing<T>(ask: &mut dyn Ask, around: &Around, work: impl FnOnce(&mut dyn Ask) -> T) -> T {
    let filled_in = |ask: &dyn Ask| {
        let chosen = |part: &Part| matches!(part, Part::Choice { .. } | Part::Tick { .. });
        let typed: Vec<String> = ask.fields().iter().map(|(_, field)| field.text()).collect();
        (typed, ask.parts(around).into_iter().filter(chosen).collect::<Vec<_>>())
    };
    let before = filled_in(ask);
    let done = work(ask);
    if filled_in(ask) != before {
        ask.form_mut().changed();
    }
    done
}

fn press_ask(ask: &mut dyn Ask, around: &Around, key: KeyEvent) -> Reply {
    let at = ask.form().at;
    if is_confirmation(ask) {
        return press_question(ask, around, key);
    }
    if ask.field_mut(at).is_some() && type_in(ask, key) {
        return Reply::Stay;
    }
    match FORM.command(key) {
        // On a button it is answered as a question is.
        None if matches!(at, Stop::Yes | Stop::No) => match QUESTION.command(key) {
            Some(QuestionKey::Yes) => return chosen(ask, around, Stop::Yes),
            Some(QuestionKey::No) => return chosen(ask, around, Stop::No),
            Some(_) | None => {}
        },
        None => _ = letters::choose(ask, around, at, key),
        Some(FormKey::Close) => return escape(ask),
        Some(FormKey::GiveUp) => return Reply::Close,
        Some(FormKey::Submit) => return submit(ask, around),
        Some(FormKey::Enter) => return enter(ask, around),
        Some(FormKey::Previous) => step(ask, around, -1),
        Some(FormKey::Next) => step(ask, around, 1),
        Some(FormKey::Up) if scrolls(ask, around, -1) => {}
        Some(FormKey::Down) if scrolls(ask, around, 1) => {}
        Some(FormKey::Up) => step(ask, around, -1),
        Some(FormKey::Down) => step(ask, around, 1),
        Some(key @ (FormKey::Left | FormKey::Right)) if matches!(at, Stop::Yes | Stop::No) => {
            let buttons = buttons(ask, around);
            let by = if key == FormKey::Left { -1 } else { 1 };
            buttons::step(&mut ask.form_mut().at, &buttons, by);
        }
        Some(FormKey::Left) => ask.turn(around, at, -1),
        Some(FormKey::Right | FormKey::Tick) => ask.turn(around, at, 1),
        // Only a field has a use for these.
        Some(FormKey::NewLine | FormKey::Clear) => {}
    }
    Reply::Stay
}

fn press_question(ask: &mut dyn Ask, around: &Around, pressed: KeyEvent) -> Reply {
    // A choice is made by the keys that move between buttons and by letters, while the focus is on it.
    let at = ask.form().at;
    // What is chosen or ticked in makes it look like a form, and is ended like one.
    let is_submitted = FORM.command(pressed) == Some(FormKey::Submit) && has_choice(ask, around);
    let key = match is_submitted {
        true => Some(QuestionKey::Yes),
        false => QUESTION.command(pressed),
    };
    match key {
        Some(QuestionKey::Focus(key @ (FocusKey::Previous | FocusKey::Next))) => {
            step(ask, around, key.by());
            return Reply::Stay;
        }
        Some(QuestionKey::Focus(key)) if letters::is_choice(ask, around, at) => return turned(ask, around, key.by()),
        Some(QuestionKey::Answer | QuestionKey::Move(MoveKey::PageDown)) if letters::is_choice(ask, around, at) => {
            return turned(ask, around, 1);
        }
        // On a button a letter is meant for the only choice that there is.
        None if letters::meant(ask, around).is_some_and(|at| letters::choose(ask, around, at, pressed)) => {
            return Reply::Stay;
        }
        Some(_) | None => {}
    }
    let buttons = buttons(ask, around);
    match buttons::press(&mut ask.form_mut().at, &buttons, key) {
        Pressed::Chosen(stop) => return chosen(ask, around, stop),
        Pressed::Moved => return Reply::Stay,
        Pressed::Other => {}
    }
    match key {
        Some(QuestionKey::Close) => return Reply::Close,
        // A letter scrolls, and that is all: the focus is on what Enter answers.
        Some(QuestionKey::Move(_)) if is_letter(pressed) && place::most_scrolled(ask, around) == 0 => {
            return Reply::Unbound;
        }
        Some(QuestionKey::Move(key)) => scroll(ask, around, key),
        Some(QuestionKey::Yes | QuestionKey::No | QuestionKey::Answer | QuestionKey::Focus(_)) => {}
        None => return Reply::Unbound,
    }
    Reply::Stay
}

fn is_letter(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Char(letter) if letter.is_alphabetic())
}

/// By a line the focus moves where nothing is left to scroll.
fn scroll(ask: &mut dyn Ask, around: &Around, key: MoveKey) {
    match key {
        MoveKey::Up if scrolls(ask, around, -1) => {}
        MoveKey::Down if scrolls(ask, around, 1) => {}
        MoveKey::Up => step(ask, around, -1),
        MoveKey::Down => step(ask, around, 1),
        MoveKey::PageUp => (0..PAGE).for_each(|_| _ = scrolls(ask, around, -1)),
        MoveKey::PageDown => (0..PAGE).for_each(|_| _ = scrolls(ask, around, 1)),
        MoveKey::HalfUp => (0..PAGE / 2).for_each(|_| _ = scrolls(ask, around, -1)),
        MoveKey::HalfDown => (0..PAGE / 2).for_each(|_| _ = scrolls(ask, around, 1)),
        MoveKey::First => ask.form_mut().scroll = 0,
        MoveKey::Last => ask.form_mut().scroll = place::most_scrolled(ask, around),
    }
}

fn has_choice(ask: &dyn Ask, around: &Around) -> bool {
    let parts = ask.parts(around);
    parts
        .iter()
        .any(|part| matches!(part, Part::Choice { .. } | Part::Tick { .. }))
}

fn turned(ask: &mut dyn Ask, around: &Around, by: i8) -> Reply {
    let at = ask.form().at;
    ask.turn(around, at, by);
    Reply::Stay
}

/// The key as the focused field takes it, suggestions included.
fn type_in(ask: &mut dyn Ask, key: KeyEvent) -> bool {
    let at = ask.form().at;
    let command = FORM.command(key);
    if let Some(field) = ask.suggested_mut(at) {
        let is_choosing = field.list().chosen.is_some();
        match command {
            Some(FormKey::Down) if is_choosing || !field.hints().is_empty() => {
                field.choose(1);
                return true;
            }
            Some(FormKey::Up) if is_choosing => {
                field.choose(-1);
                return true;
            }
            Some(FormKey::Enter | FormKey::Next) if field.take() => return true,
            Some(FormKey::Next) if field.complete() => return true,
            Some(_) | None => {}
        }
    }
    if matches!(command, Some(FormKey::Submit | FormKey::GiveUp)) {
        return false;
    }
    let before = ask.suggested(at).map(|field| field.typed().text());
    let taken = ask.field_mut(at).is_some_and(|field| field.press(key));
    if let Some(field) = ask.suggested_mut(at)
        && before != Some(field.typed().text())
    {
        field.list_mut().chosen = None;
    }
    taken
}

/// Esc shuts the list of suggestions first, then the dialog.
fn escape(ask: &mut dyn Ask) -> Reply {
    let at = ask.form().at;
    match ask.suggested_mut(at).is_some_and(Suggested::shut) {
        true => Reply::Stay,
        false => Reply::Close,
    }
}

fn enter(ask: &mut dyn Ask, around: &Around) -> Reply {
    let at = ask.form().at;
    if matches!(at, Stop::No | Stop::Yes) {
        return chosen(ask, around, at);
    }
    if submits_by_enter(ask, around) {
        return submit(ask, around);
    }
    step(ask, around, 1);
    Reply::Stay
}

/// The focus is on the last part that is filled in.
fn submits_by_enter(ask: &dyn Ask, around: &Around) -> bool {
    let stops = stops(ask, around).into_iter();
    let mut filled_in = stops.filter(|stop| !matches!(stop, Stop::Yes | Stop::No));
    filled_in.next_back() == Some(ask.form().at)
}

/// Where Tab leads, in this order: from what is filled in to the button that does it, and to the others at last.
fn stops(ask: &dyn Ask, around: &Around) -> Vec<Stop> {
    let mut stops: Vec<Stop> = ask.parts(around).iter().flat_map(|part| part.stops()).collect();
    if !is_confirmation(ask) {
        stops.sort_by_key(|stop| matches!(stop, Stop::No | Stop::Go));
    }
    stops
}

fn step(ask: &mut dyn Ask, around: &Around, by: i8) {
    let stops = stops(ask, around);
    let at = stops.iter().position(|stop| *stop == ask.form().at).unwrap_or(0);
    let count = stops.len().max(1);
    let next = match by {
        ..0 => (at + count - 1) % count,
        0.. => (at + 1) % count,
    };
    if let Some(stop) = stops.get(next) {
        ask.form_mut().at = *stop;
    }
}

fn buttons(ask: &dyn Ask, around: &Around) -> Vec<Button> {
    let parts = ask.parts(around).into_iter();
    parts
        .flat_map(|part| match part {
            Part::Buttons(buttons) => buttons,
            Part::Field { .. }
            | Part::Choice { .. }
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
fn chosen(ask: &mut dyn Ask, around: &Around, stop: Stop) -> Reply {
    if stop == Stop::Go
        && let Some(wish) = ask.elsewhere()
    {
        return Reply::Leave(wish);
    }
    let unread = is_confirmation(ask) && ask.form().is_unread(around.domain.now);
    match stop == Stop::Yes {
        _ if unread => Reply::TooSoon,
        true => submit(ask, around),
        false => Reply::Close,
    }
}

/// Scrolls a list that is longer than its room; false where there is none.
fn scrolls(ask: &mut dyn Ask, around: &Around, by: i8) -> bool {
    let most = place::most_scrolled(ask, around);
    let scroll = &mut ask.form_mut().scroll;
    *scroll = match by {
        ..0 => scroll.saturating_sub(1),
        0.. => (*scroll + 1).min(most),
    };
    most > 0
}

/// What it asks for is wanted; why that cannot be yet is said.
fn submit(ask: &mut dyn Ask, around: &Around) -> Reply {
    if ask.form().is_busy() {
        return Reply::Stay;
    }
    match ask.wish(around) {
        Ok(wish) if ask.leaves() => Reply::Leave(wish),
        Ok(wish) => Reply::Submit(wish),
        Err(problem) => {
            ask.form_mut().work = Work::Failed(problem);
            Reply::Stay
        }
    }
}

fn click_ask(ask: &mut dyn Ask, around: &Around, hit: Hit) -> Reply {
    match hit {
        Hit::Outside | Hit::Nothing => {}
        Hit::Stop(stop @ (Stop::Yes | Stop::No | Stop::Go)) => return chosen(ask, around, stop),
        Hit::Stop(stop) => {
            ask.form_mut().at = stop;
            ask.turn(around, stop, 1);
        }
        Hit::Hint(at) => {
            let focus = ask.form().at;
            if let Some(field) = ask.suggested_mut(focus) {
                field.list_mut().chosen = Some(at);
                field.take();
            }
        }
    }
    Reply::Stay
}

impl<A: Ask> Contract for A {
    fn ask(&self) -> Option<&dyn Ask> {
        Some(self)
    }

    fn subject(&self) -> Option<&Subject> {
        self.about()
    }

    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        editing(self, around, |ask| press_ask(ask, around, key))
    }

    fn paste(&mut self, text: &str, around: &Around) {
        editing(self, around, |ask| {
            let at = ask.form().at;
            if let Some(field) = ask.field_mut(at).filter(|_| !matches!(at, Stop::Yes | Stop::No)) {
                field.paste(text);
            }
        });
    }

    fn click(&mut self, (x, y): (u16, u16), around: &Around) -> Reply {
        let hit = place::hit(self, around, x, y);
        editing(self, around, |ask| click_ask(ask, around, hit))
    }

    fn takes_wheel(&self) -> bool {
        self.scrolls()
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        let placed = place::place(self, around);
        let bar = |(part, area): &(Part, Rect)| {
            let Part::Lines(lines) = part else {
                return None;
            };
            let extent = Extent::of_rows(*area, self.form().scroll, lines.len());
            Some(ScrollBar {
                foot: ScrollBar::within(*area, extent).foot,
                ..ScrollBar::on_frame(placed.area, *area, extent)
            })
        };
        let scrolls = |_: &&(Part, Rect)| placed.hidden > 0;
        let lists = placed.parts.iter().filter(scrolls).filter_map(bar);
        let (body, extent) = placed.body;
        lists.chain([ScrollBar::on_frame(placed.area, body, extent)]).collect()
    }

    fn scroll_to(&mut self, _: &ScrollBar, first: usize, _: &Around) {
        self.form_mut().scroll = first;
    }

    fn keys(&self) -> Vec<KeySection> {
        match is_confirmation(self) {
            true => vec![QUESTION.section()],
            false => vec![FORM.section()],
        }
    }

    fn hints(&self, around: &Around) -> Vec<Hint> {
        let hints = Ask::hints(self);
        match is_confirmation(self) {
            // There is nothing to say yes to.
            true if buttons(self, around).len() == 1 => {
                vec![
                    QUESTION
                        .hint(&[QuestionKey::Answer, QuestionKey::Close], "close")
                        .way_out(),
                ]
            }
            true if stops(self, around)
                .iter()
                .any(|stop| letters::is_choice(self, around, *stop)) =>
            {
                let focus = match letters::is_choice(self, around, self.form().at) {
                    true => QuestionFocus::Choice,
                    false => QuestionFocus::Buttons,
                };
                tables::beside_choice(hints, focus)
            }
            false if submits_by_enter(self, around) => tables::submitting(hints),
            true | false => hints,
        }
    }

    fn shown(&self) -> Option<Timestamp> {
        is_confirmation(self).then(|| self.form().shown)
    }

    fn begin_reading(&mut self, now: Timestamp) {
        self.form_mut().shown = now;
    }

    fn counts_as_read(&mut self, now: Timestamp) {
        let long_ago = i64::try_from(UNREAD_MS).unwrap_or(0);
        self.form_mut().shown = Timestamp(now.0 - long_ago);
    }

    fn is_typed_in(&self) -> bool {
        self.field(self.form().at).is_some()
    }

    fn settle(&mut self, _: &Around) -> Reply {
        match self.question().filter(|_| self.form().asked.is_none()) {
            Some(question) => Reply::Submit(Wish::Know(question)),
            None => Reply::Stay,
        }
    }

    fn begun(&mut self, wish: &Wish, request: RequestId, now: Timestamp) {
        if let Wish::Know(question) = wish {
            self.form_mut().asked = Some(request);
            self.looks(question);
        } else {
            self.form_mut().begin(request, now);
        }
    }

    fn awaits(&self, request: RequestId) -> bool {
        let form = self.form();
        [form.asked, form.request()].contains(&Some(request))
    }

    fn is_busy(&self) -> bool {
        self.form().is_busy()
    }

    fn answered(&mut self, request: RequestId, done: &Done, around: &Around) -> Reply {
        let now = around.domain.now;
        match self.form_mut().asked.take_if(|asked| *asked == request) {
            Some(_) => {
                self.learned(done, now);
                Reply::Stay
            }
            None => self.carried_out(done, now),
        }
    }

    fn failed(&mut self, request: RequestId, problem: Problem) {
        let form = self.form_mut();
        form.asked.take_if(|asked| *asked == request);
        form.work = Work::Failed(problem);
    }

    fn ticks(&self, now: Timestamp) -> Option<Timestamp> {
        self.form().ticks(now)
    }

    fn gives_up(&self) -> Option<(&'static str, Wish)> {
        self.form().request().and_then(|request| Ask::gives_up(self, request))
    }
}
