//! Keys, pastes and clicks while a dialog is open.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

use crate::domain::approval::question::Decision;
use crate::domain::approval::queue::queue;
use crate::domain::effect::Effect;
use crate::domain::{approval, chat, opening};
use crate::model::{ChatId, ClientId};
use crate::screen::State;

use super::super::keymap::{Action, ChatAction, ScreenAction};
use super::super::surface::Surface;
use super::super::view::Tone;
use super::super::{changes, command, layout, toast};
use super::asking::{chosen, editing, press_ask};
use super::came::Answer;
use super::place::{self, Hit};
use super::tables::{PAGE, PageKey};
use super::{Ask, Button, Dialog, Help, Servers, Stop, Trash, Wish, Work, output, servers};

pub fn press(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let opens = |wanted| {
        state
            .keymap
            .action(Surface::Sidebar, key)
            .filter(|action| *action == wanted)
    };
    let (helps, logs) = (
        opens(Action::Screen(ScreenAction::Help)),
        opens(Action::Screen(ScreenAction::Log)),
    );
    with_open(state, client, |dialog, state, whole| match dialog {
        Dialog::Help(help) => {
            let (_, seen) = place::help(state, whole);
            let most = Help::lines(&state.keymap).len().saturating_sub(seen);
            match page(key, helps, help.scroll, seen) {
                Some(scroll) => help.scroll = scroll.min(most),
                None => return Answer::Close,
            }
            Answer::Nothing
        }
        Dialog::Log(log) => {
            let seen = place::log_lines(whole);
            let most = state.domain.live.log.len().saturating_sub(seen);
            // It is scrolled from its end.
            match page(key, logs, most - log.back.min(most), seen) {
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
            match page(key, None, atom.scroll, seen) {
                Some(scroll) => atom.scroll = scroll.min(most),
                None => return Answer::Close,
            }
            Answer::Nothing
        }
        Dialog::Palette(palette) => {
            let entries = palette.entries(state, client);
            let page = usize::from(place::palette(whole).list.height);
            palette.press(&entries, key, page).into()
        }
        Dialog::Choose(choose) => {
            let page = usize::from(place::choose(choose, whole).list.height);
            choose.press(key, page).into()
        }
        Dialog::Approvals(approvals) => approvals.press(state, key, whole).into(),
        Dialog::Proposed(proposed) => proposed.press(state, key, size(proposed.place(whole).text)).into(),
        Dialog::Servers(servers) => {
            let placed = place::servers(whole);
            let reply = servers.press(state, key, placed.list.height.into(), size(placed.text));
            answer(servers, reply)
        }
        Dialog::Trash(trash) => {
            let placed = place::servers(whole);
            let room = placed.list.height.into();
            trash.press(state, key, room, size(placed.text)).into()
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
        servers::Reply::Early => Answer::Early,
        servers::Reply::Restart => Answer::Run(Action::Chat(ChatAction::Restart)),
        servers::Reply::AskTools => Answer::AskTools(servers.chat.clone()),
        servers::Reply::Switch(name, to) => Answer::Switch(servers.chat.clone(), name, to),
    }
}

/// A click on a server switches it; what is to be agreed to has buttons.
fn click_server(servers: &mut Servers, state: &State, whole: Rect, (x, y): (u16, u16)) -> Answer {
    let placed = place::servers(whole);
    if servers.confirm.is_some() {
        let reply = match clicked(&place::AGREE, placed.buttons, (x, y)) {
            Some(stop) => servers.choose(state, stop, size(placed.text)),
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

/// A click on a deleted chat chooses it; the question whether to delete it for good has buttons.
fn click_trash(trash: &mut Trash, state: &State, whole: Rect, (x, y): (u16, u16)) -> Answer {
    let placed = place::servers(whole);
    if trash.confirm.is_some() {
        return match clicked(&place::FOR_GOOD, placed.buttons, (x, y)) {
            Some(stop) => trash.choose(state, stop, size(placed.text)).into(),
            None => Answer::Nothing,
        };
    }
    if layout::holds(placed.list, x, y) {
        trash.choose_row(trash.first(placed.list.height.into()) + usize::from(y - placed.list.y));
    }
    Answer::Nothing
}

/// The button at a place.
fn clicked(buttons: &[Button], row: Rect, (x, y): (u16, u16)) -> Option<Stop> {
    let mut placed = place::buttons(buttons, row).into_iter();
    placed.find_map(|(stop, _, area)| layout::holds(area, x, y).then_some(stop))
}

pub fn paste(state: &mut State, client: ClientId, text: &str) -> Vec<Effect> {
    with_open(state, client, |dialog, state, _| {
        if let Dialog::Palette(palette) = dialog {
            palette.change(|field| field.paste(text));
        }
        if let Dialog::Choose(choose) = dialog {
            choose.change(|field| field.paste(text));
        }
        if let Dialog::Output(output) = dialog
            && let Some(typing) = &mut output.search.typing
        {
            typing.paste(text);
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
        if let Dialog::Choose(choose) = dialog {
            let placed = place::choose(choose, whole);
            return match (layout::holds(placed.list, x, y), layout::holds(placed.area, x, y)) {
                (true, _) => {
                    let first = choose.first(placed.list.height.into());
                    choose.take(first + usize::from(y - placed.list.y)).into()
                }
                (false, true) => Answer::Nothing,
                (false, false) => Answer::Close,
            };
        }
        if let Dialog::Servers(servers) = dialog {
            return click_server(servers, state, whole, (x, y));
        }
        if let Dialog::Trash(trash) = dialog {
            return click_trash(trash, state, whole, (x, y));
        }
        if let Dialog::Proposed(proposed) = dialog {
            let placed = proposed.place(whole);
            return match clicked(&place::RUN_IT, placed.buttons, (x, y)) {
                Some(stop) => proposed.choose(state, stop, size(placed.text)).into(),
                None => Answer::Nothing,
            };
        }
        if let Dialog::Approvals(approvals) = dialog {
            let lines = approvals.lines(state, place::read_width(whole)).len();
            let row = place::approvals(whole, lines).buttons;
            return match clicked(approvals.buttons(state), row, (x, y)) {
                Some(stop) => approvals.choose(state, stop).into(),
                None => Answer::Nothing,
            };
        }
        let Some(ask) = dialog.ask_mut() else {
            return Answer::Nothing;
        };
        let hit = place::hit(ask, state, whole, x, y);
        editing(ask, state, |ask| match hit {
            Hit::Outside | Hit::Nothing => Answer::Nothing,
            Hit::Stop(stop @ (Stop::Yes | Stop::No)) => chosen(ask, state, stop),
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
                | Dialog::Choose(_)
                | Dialog::Approvals(_)
                | Dialog::Servers(_)
                | Dialog::Trash(_)
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
    let whole = layout::for_dialogs(view);
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
        (Answer::Close, _) => return left(state, client, dialog),
        (Answer::Early, _) => {
            let now = state.domain.now;
            if let Some(view) = state.views.get_mut(&client) {
                view.guard.too_soon(now);
            }
            None
        }
        (Answer::Elsewhere, _) => {
            let now = state.domain.now;
            if let Some(view) = state.views.get_mut(&client) {
                view.guard.answered_elsewhere(now);
            }
            None
        }
        (Answer::Run(action), _) => return command::run(state, client, action),
        (Answer::Choose(choice), _) => return changes::detail::chosen(state, client, choice),
        (Answer::Go(chat), _) => return command::show(state, client, chat),
        (Answer::Decide(chat, id, decision), _) => return decide(state, client, dialog, (chat, id), decision),
        (Answer::AskTools(chat), _) => Some(Wish::AskTools(chat)),
        (Answer::Switch(chat, name, to), _) => Some(Wish::SwitchServer(chat, name, to)),
        (Answer::Agree(chat, proposal), _) => Some(Wish::Run(chat, proposal)),
        (Answer::Trash(wanted), _) => Some(wanted.wish()),
        (Answer::Submit, Some(ask)) => submit(ask, state, client),
        (Answer::Submit | Answer::Nothing | Answer::Read(_), _) => None,
    };
    let stays = !matches!((&dialog, &wish), (Dialog::Stop(_) | Dialog::Cancel(_), Some(_)));
    if let Some(view) = state.views.get_mut(&client).filter(|_| stays) {
        view.dialog = Some(dialog);
    }
    // The dialog is back before the work begins: it may fail at once, and is told so.
    wish.map(|wish| wish.carry_out(state, client)).unwrap_or_default()
}

/// Leaving a dialog gives up what it is making: the chat, or the project in a chat that is there.
fn left(state: &mut State, client: ClientId, dialog: Dialog) -> Vec<Effect> {
    let given_up = match &dialog {
        Dialog::NewChat(new) if new.form().is_busy() => {
            toast::tell(state, client, "The new chat was given up.", Tone::Told);
            chat::give_up(&mut state.domain, client.into())
        }
        Dialog::Project(project) if project.form().is_busy() => {
            toast::tell(state, client, "Opening the project was given up.", Tone::Told);
            opening::leave(&mut state.domain, client.into(), &project.chat)
        }
        _ => Vec::new(),
    };
    put_by(state, client, dialog);
    given_up
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
    let decided = approval::decide(&mut state.domain, &chat, &id, decision);
    let more = !queue(&state.domain).is_empty();
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
    if ask.form().is_busy() {
        return None;
    }
    match ask.wish(state, client) {
        Ok(wish) => {
            ask.form_mut().begin(state.domain.now);
            Some(wish)
        }
        Err(problem) => {
            ask.form_mut().work = Work::Failed(problem);
            None
        }
    }
}

/// Where a page is scrolled to by a key; `None` for a key that closes it, as that does which opens it.
fn page(key: KeyEvent, opens: Option<Action>, at: usize, seen: usize) -> Option<usize> {
    Some(match PAGE.command(key) {
        Some(PageKey::Close) => return None,
        Some(PageKey::Up) => at.saturating_sub(1),
        Some(PageKey::Down) => at + 1,
        Some(PageKey::PageUp) => at.saturating_sub(seen),
        Some(PageKey::PageDown) => at + seen,
        Some(PageKey::First) => 0,
        Some(PageKey::Last) => usize::MAX / 2,
        None if opens.is_some() => return None,
        None => at,
    })
}
