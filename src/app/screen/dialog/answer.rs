//! Keys, pastes and clicks while a dialog is open.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

use crate::app::effect::Effect;
use crate::app::gate;
use crate::app::gate::question::Decision;
use crate::app::state::State;
use crate::model::{ChatId, ClientId};

use super::super::keymap::Action;
use super::super::layout;
use super::super::view::Tone;
use super::super::{command, toast};
use super::approvals::Reply;
use super::came::Answer;
use super::output;
use super::place::{self, Hit};
use super::{Ask, Dialog, Help, Part, Servers, Stop, UNREAD_MS, Wish, Work, servers};

pub fn press(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    with_open(state, client, |dialog, state, whole| match dialog {
        Dialog::Help(help) => {
            let (_, seen) = place::help(state, whole);
            let most = Help::lines(&state.disk.settings).len().saturating_sub(seen);
            match page(key, help.scroll, seen) {
                Some(scroll) => help.scroll = scroll.min(most),
                None => return Answer::Close,
            }
            Answer::Nothing
        }
        Dialog::Log(log) => {
            let seen = place::log_lines(whole);
            let most = state.live.log.len().saturating_sub(seen);
            // It is scrolled from its end.
            match page(key, most - log.back.min(most), seen) {
                Some(scroll) => log.back = most - scroll.min(most),
                None => return Answer::Close,
            }
            Answer::Nothing
        }
        Dialog::Output(output) => {
            let text = place::output(whole);
            output.press(key, text.width.into(), text.height.into()).into()
        }
        Dialog::AtomPage(atom) => {
            let lines = atom.lines(state, place::read_width(whole)).len();
            let seen = usize::from(place::page(whole, lines).1.height);
            let most = lines.saturating_sub(seen);
            match page(key, atom.scroll, seen) {
                Some(scroll) if key.code != KeyCode::Enter => atom.scroll = scroll.min(most),
                Some(_) | None => return Answer::Close,
            }
            Answer::Nothing
        }
        Dialog::Palette(palette) => {
            let entries = palette.entries(state, client);
            let page = usize::from(place::palette(whole).list.height);
            palette.press(&entries, key, page).into()
        }
        Dialog::Approvals(approvals) => {
            let unread = state.now.ms_since(approvals.shown) < UNREAD_MS;
            match approvals.press(state, key, whole) {
                Reply::Decide(..) if unread => Answer::Nothing,
                reply => reply.into(),
            }
        }
        Dialog::Proposed(proposed) => proposed.press(state, key, size(proposed.place(whole).text)).into(),
        Dialog::Servers(servers) => {
            let placed = place::servers(whole);
            let reply = servers.press(state, key, placed.list.height.into(), size(placed.text));
            answer(servers, reply)
        }
        dialog => match dialog.ask_mut() {
            Some(ask) => editing(ask, state, |ask| press_ask(ask, state, whole, key)),
            None => Answer::Close,
        },
    })
}

fn size(area: Rect) -> (usize, usize) {
    (area.width.into(), area.height.into())
}

fn answer(servers: &Servers, reply: servers::Reply) -> Answer {
    match reply {
        servers::Reply::Stay => Answer::Nothing,
        servers::Reply::Close => Answer::Close,
        servers::Reply::Restart => Answer::Run(Action::Restart),
        servers::Reply::AskTools => Answer::AskTools(servers.chat.clone()),
        servers::Reply::Switch(name, to) => Answer::Switch(servers.chat.clone(), name, to),
    }
}

/// A click on a server switches it; what is to be agreed to has buttons.
fn click_server(servers: &mut Servers, state: &State, whole: Rect, (x, y): (u16, u16)) -> Answer {
    let placed = place::servers(whole);
    if servers.confirm.is_some() {
        let buttons = place::buttons(&place::AGREE, placed.buttons);
        let on = buttons.into_iter().find(|(_, _, area)| layout::holds(*area, x, y));
        let reply = match on {
            Some((Stop::Yes, ..)) => servers.agree(state, size(placed.text)),
            Some(_) => {
                servers.confirm = None;
                servers::Reply::Stay
            }
            None => servers::Reply::Stay,
        };
        return answer(servers, reply);
    }
    match layout::holds(placed.list, x, y) {
        true => {
            let at = servers.first(placed.list.height.into()) + usize::from(y - placed.list.y);
            let reply = servers.toggle(state, at);
            answer(servers, reply)
        }
        false => Answer::Nothing,
    }
}

pub fn paste(state: &mut State, client: ClientId, text: &str) -> Vec<Effect> {
    with_open(state, client, |dialog, state, _| {
        if let Dialog::Palette(palette) = dialog {
            palette.change(|field| field.paste(text));
        }
        if let Some(ask) = dialog.ask_mut() {
            editing(ask, state, |ask| {
                let at = ask.form().at;
                if let Some(field) = ask.field_mut(at).filter(|_| !matches!(at, Stop::Yes | Stop::No)) {
                    field.paste(text);
                }
            });
        }
        Answer::Nothing
    })
}

pub fn click(state: &mut State, client: ClientId, x: u16, y: u16) -> Vec<Effect> {
    with_open(state, client, |dialog, state, whole| {
        if let Dialog::Help(_) = dialog {
            let (area, _) = place::help(state, whole);
            return if layout::holds(area, x, y) {
                Answer::Nothing
            } else {
                Answer::Close
            };
        }
        if let Dialog::Palette(palette) = dialog {
            let placed = place::palette(whole);
            return match (layout::holds(placed.list, x, y), layout::holds(placed.area, x, y)) {
                (true, _) => {
                    let at = palette.first(placed.list.height.into()) + usize::from(y - placed.list.y);
                    palette.choose(&palette.entries(state, client), at).into()
                }
                (false, true) => Answer::Nothing,
                (false, false) => Answer::Close,
            };
        }
        if let Dialog::Servers(servers) = dialog {
            return click_server(servers, state, whole, (x, y));
        }
        if let Dialog::Proposed(proposed) = dialog {
            let placed = proposed.place(whole);
            let mut buttons = place::buttons(&place::RUN_IT, placed.buttons).into_iter();
            return match buttons.find(|(_, _, area)| layout::holds(*area, x, y)) {
                Some((Stop::Yes, ..)) => proposed.agree(state, size(placed.text)).into(),
                Some(_) => Answer::Close,
                None => Answer::Nothing,
            };
        }
        let Some(ask) = dialog.ask_mut() else {
            return Answer::Nothing;
        };
        let hit = place::hit(ask, state, whole, x, y);
        editing(ask, state, |ask| match hit {
            Hit::Outside | Hit::Nothing => Answer::Nothing,
            Hit::Stop(Stop::Yes) => Answer::Submit,
            Hit::Stop(Stop::No) => Answer::Close,
            Hit::Stop(stop) => {
                ask.form_mut().at = stop;
                ask.turn(state, stop, 1);
                Answer::Nothing
            }
            Hit::Hint(line) => {
                if let Some(places) = ask.places_mut() {
                    places.chosen = Some(place::first_hint(places.chosen) + line);
                    places.take();
                }
                Answer::Nothing
            }
        })
    })
}

pub fn wheel(state: &mut State, client: ClientId, by: i8) -> Vec<Effect> {
    let code = if by < 0 { KeyCode::Up } else { KeyCode::Down };
    let key = KeyEvent::new(code, KeyModifiers::NONE);
    let scrolls = |dialog: &Dialog| {
        matches!(
            dialog,
            Dialog::Help(_)
                | Dialog::Log(_)
                | Dialog::Delete(_)
                | Dialog::Palette(_)
                | Dialog::Approvals(_)
                | Dialog::Servers(_)
                | Dialog::Output(_)
                | Dialog::Proposed(_)
                | Dialog::AtomPage(_)
        )
    };
    let open = state.views.get(&client).and_then(|view| view.dialog.as_ref());
    match open.is_some_and(scrolls) {
        true => (0..3).flat_map(|_| press(state, client, key)).collect(),
        false => Vec::new(),
    }
}

/// Takes the dialog out of the view while it is worked on, and puts it back unless it is over.
fn with_open(
    state: &mut State,
    client: ClientId,
    work: impl FnOnce(&mut Dialog, &State, Rect) -> Answer,
) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let whole = layout::arrange(view).whole;
    let Some(mut dialog) = view.dialog.take() else {
        return Vec::new();
    };
    let answer = work(&mut dialog, state, whole);
    if let (Answer::Read(whence), Dialog::Output(output)) = (&answer, &dialog) {
        let job = output.job(*whence);
        if let Some(view) = state.views.get_mut(&client) {
            view.dialog = Some(dialog);
        }
        return output::read(state, client, job);
    }
    let wish = match (answer, dialog.ask_mut()) {
        (Answer::Close, _) => {
            put_by(state, client, dialog);
            return Vec::new();
        }
        (Answer::Run(action), _) => return command::run(state, client, action),
        (Answer::Go(chat), _) => return command::show(state, client, chat),
        (Answer::Decide(chat, id, decision), _) => return decide(state, client, dialog, (chat, id), decision),
        (Answer::AskTools(chat), _) => Some(Wish::AskTools(chat)),
        (Answer::Switch(chat, name, to), _) => Some(Wish::SwitchServer(chat, name, to)),
        (Answer::Agree(chat, proposal), _) => Some(Wish::Run(chat, proposal)),
        (Answer::Submit, Some(ask)) => submit(ask, state, client),
        (Answer::Submit | Answer::Nothing | Answer::Read(_), _) => None,
    };
    let stays = !matches!((&dialog, &wish), (Dialog::Stop(_), Some(_)));
    if let Some(view) = state.views.get_mut(&client).filter(|_| stays) {
        view.dialog = Some(dialog);
    }
    // The dialog is back before the work begins: it may fail at once, and is told so.
    wish.map(|wish| wish.carry_out(state, client)).unwrap_or_default()
}

/// What was typed for something new is not lost with its dialog.
fn put_by(state: &mut State, client: ClientId, left: Dialog) {
    let view = state.views.get_mut(&client);
    if let Some(what) = view.and_then(|view| view.drafts.keep(left)) {
        let text = format!("the next new {what} goes on with what was typed");
        toast::tell(state, client, text, Tone::Told);
    }
}

/// Answers the question that is shown; the next one is shown then, and the dialog stays while there is one.
fn decide(
    state: &mut State,
    client: ClientId,
    mut dialog: Dialog,
    (chat, id): (ChatId, String),
    decision: Decision,
) -> Vec<Effect> {
    let decided = gate::decide(state, &chat, &id, decision);
    let more = !gate::open(state).is_empty();
    if let Dialog::Approvals(approvals) = &mut dialog {
        approvals.advance(state);
    }
    if let Some(view) = state.views.get_mut(&client).filter(|_| more) {
        view.dialog = Some(dialog);
    }
    decided.unwrap_or_else(|problem| {
        toast::tell(state, client, problem.to_string(), Tone::Failed);
        Vec::new()
    })
}

fn submit(ask: &mut dyn Ask, state: &State, client: ClientId) -> Option<Wish> {
    if ask.form().is_busy() || (is_destructive(ask) && state.now.ms_since(ask.form().shown) < UNREAD_MS) {
        return None;
    }
    match ask.wish(state, client) {
        Ok(wish) => {
            ask.form_mut().work = Work::Busy;
            Some(wish)
        }
        Err(problem) => {
            ask.form_mut().work = Work::Failed(problem);
            None
        }
    }
}

/// A dialog whose first focus is the safe answer asks about something that cannot simply be taken back.
fn is_destructive(ask: &dyn Ask) -> bool {
    ask.field(Stop::Name).is_none() && ask.places().is_none()
}

/// Why the last try failed is said until something is changed.
fn editing<T>(ask: &mut dyn Ask, state: &State, work: impl FnOnce(&mut dyn Ask) -> T) -> T {
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

fn press_ask(ask: &mut dyn Ask, state: &State, whole: Rect, key: KeyEvent) -> Answer {
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let at = ask.form().at;
    if ask.field_mut(at).is_some() && type_in(ask, key) {
        return Answer::Nothing;
    }
    match key.code {
        KeyCode::Esc => return escape(ask),
        KeyCode::Char('c') if ctrl => return Answer::Close,
        KeyCode::Char('s') if ctrl && !is_destructive(ask) => return Answer::Submit,
        KeyCode::Enter => return enter(ask, state),
        KeyCode::BackTab => step(ask, state, -1),
        KeyCode::Tab => step(ask, state, 1),
        KeyCode::Up if scrolls(ask, state, whole, -1) => {}
        KeyCode::Down if scrolls(ask, state, whole, 1) => {}
        KeyCode::Up => step(ask, state, -1),
        KeyCode::Down => step(ask, state, 1),
        KeyCode::Left | KeyCode::Right if matches!(at, Stop::Yes | Stop::No) => {
            step_among_buttons(ask, state, if key.code == KeyCode::Left { -1 } else { 1 });
        }
        KeyCode::Left => ask.turn(state, at, -1),
        KeyCode::Right | KeyCode::Char(' ') => ask.turn(state, at, 1),
        _ => {}
    }
    Answer::Nothing
}

/// The key as the focused field takes it, suggestions included.
fn type_in(ask: &mut dyn Ask, key: KeyEvent) -> bool {
    let at = ask.form().at;
    if at == Stop::Place
        && let Some(places) = ask.places_mut()
    {
        match key.code {
            KeyCode::Down if places.chosen.is_some() || !places.hints().is_empty() => {
                places.choose(1);
                return true;
            }
            KeyCode::Up if places.chosen.is_some() => {
                places.choose(-1);
                return true;
            }
            KeyCode::Enter | KeyCode::Tab if places.take() => return true,
            _ => {}
        }
    }
    let ctrl_s = key.code == KeyCode::Char('s') && key.modifiers.contains(KeyModifiers::CONTROL);
    let ctrl_c = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
    if ctrl_s || ctrl_c {
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
        Stop::No => Answer::Close,
        Stop::Yes => Answer::Submit,
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

fn step_among_buttons(ask: &mut dyn Ask, state: &State, by: i8) {
    let buttons: Vec<Stop> = stops(ask, state)
        .into_iter()
        .filter(|stop| matches!(stop, Stop::Yes | Stop::No))
        .collect();
    let at = buttons.iter().position(|stop| *stop == ask.form().at).unwrap_or(0);
    let next = if by < 0 {
        at.saturating_sub(1)
    } else {
        (at + 1).min(buttons.len().saturating_sub(1))
    };
    if let Some(stop) = buttons.get(next) {
        ask.form_mut().at = *stop;
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

/// Where a page is scrolled to by a key; `None` for a key that closes it.
fn page(key: KeyEvent, at: usize, seen: usize) -> Option<usize> {
    Some(match key.code {
        KeyCode::Up | KeyCode::Char('k') => at.saturating_sub(1),
        KeyCode::Down | KeyCode::Char('j') => at + 1,
        KeyCode::PageUp => at.saturating_sub(seen),
        KeyCode::PageDown | KeyCode::Char(' ') => at + seen,
        KeyCode::Home | KeyCode::Char('g') => 0,
        KeyCode::End | KeyCode::Char('G') => usize::MAX / 2,
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char(_) => return None,
        _ => at,
    })
}
