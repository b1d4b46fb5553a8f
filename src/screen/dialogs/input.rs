//! Keys, clicks and answers reach the open dialog here, and what it wants is begun.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

use crate::domain::effect::Effect;
use crate::domain::notice::Done;
use crate::domain::state::ScreenRequest;
use crate::model::{ChatId, ClientId, RequestId};

use super::super::dialog::{
    AddSetup, Around, Contract, Delete, Dialog, DiskPage, KeyCard, OtherPage, Output, Reply, Servers, SettingsPage,
    SetupPage, Trash, Wish,
};
use super::super::hint::Hint;
use super::super::keymap::ChatsAction;
use super::super::scrollbar::ScrollBar;
use super::super::state::State;
use super::super::surface::{InPane, Surface};
use super::super::tab::{changes, transcript};
use super::super::view::{Tone, View};
use super::super::{command, going, layout, toast, undelete, wish};
use super::awaits;

/// Lines that the wheel scrolls by.
const WHEEL: usize = 3;

/// What the dialog of this person may know of the rest.
pub fn around<'s>(state: &'s State, view: &'s View) -> Around<'s> {
    within(state, view, layout::for_dialogs(view))
}

fn within<'s>(state: &'s State, view: &'s View, whole: Rect) -> Around<'s> {
    Around {
        domain: &state.domain,
        keymap: &state.keymap,
        whole,
        is_heard: view.over.reader.is_some(),
        cwd: &view.client.cwd,
        env: &view.client.env,
        is_shell: state.shows_shell(view),
        behind: view.behind(),
        why_not: Box::new(move |action| command::why_not(state, view, action)),
    }
}

pub fn press(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    if key_card(state, client, key) {
        return Vec::new();
    }
    if let Some(chat) = wanted_back(state, client, key) {
        undelete::restore_later(state, client, chat);
        return Vec::new();
    }
    let types_on = state.views.get(&client).is_some_and(|view| view.over.guard.types_on());
    with_open(state, client, |dialog, around| {
        if types_on {
            dialog.begin_reading(around.domain.now);
        }
        dialog.press(key, around)
    })
}

/// The chat that is being deleted, if the key is the one that brings it back.
fn wanted_back(state: &State, client: ClientId, key: KeyEvent) -> Option<ChatId> {
    let Some(Dialog::Delete(delete)) = &state.views.get(&client)?.over.dialog else {
        return None;
    };
    let action = state.keymap.action(Surface::Sidebar(InPane::Agent), key);
    let undoes = action == Some(ChatsAction::UndoDelete.into());
    delete.under_way().filter(|_| undoes).cloned()
}

/// Whether the key is one for the list of the dialog's keys.
fn key_card(state: &mut State, client: ClientId, key: KeyEvent) -> bool {
    let Some(view) = state.views.get_mut(&client) else {
        return false;
    };
    let whole = layout::for_dialogs(view);
    let Some(dialog) = &view.over.dialog else {
        return false;
    };
    match &mut view.over.keys {
        Some(card) => {
            if card.press(key, dialog.contract(), whole) {
                view.over.keys = None;
            }
            true
        }
        None => {
            let is_wanted = KeyCard::is_wanted(dialog.contract(), key);
            view.over.keys = is_wanted.then(KeyCard::default);
            is_wanted
        }
    }
}

/// What matters now in the open dialog, or in the list of its keys.
pub fn hints(state: &State, view: &View) -> Vec<Hint> {
    let Some(dialog) = view.over.dialog.as_ref().map(Dialog::contract) else {
        return Vec::new();
    };
    match &view.over.keys {
        Some(_) => KeyCard::hints(),
        None => {
            let own = dialog.hints(&around(state, view));
            own.into_iter().chain(KeyCard::hint(dialog)).collect()
        }
    }
}

/// The list of keys lies over the dialog, so what is pasted or clicked does not reach that.
fn is_covered(state: &State, client: ClientId) -> bool {
    let view = state.views.get(&client);
    view.is_some_and(|view| view.over.keys.is_some())
}

pub fn paste(state: &mut State, client: ClientId, text: &str) -> Vec<Effect> {
    if is_covered(state, client) {
        return Vec::new();
    }
    with_open(state, client, |dialog, around| {
        dialog.paste(text, around);
        Reply::Stay
    })
}

pub fn click(state: &mut State, client: ClientId, x: u16, y: u16) -> Vec<Effect> {
    if is_covered(state, client) {
        if let Some(view) = state.views.get_mut(&client) {
            view.over.keys = None;
        }
        return Vec::new();
    }
    with_open(state, client, |dialog, around| dialog.click((x, y), around))
}

pub fn wheel(state: &mut State, client: ClientId, by: i8, at: (u16, u16)) -> Vec<Effect> {
    let code = if by < 0 { KeyCode::Up } else { KeyCode::Down };
    let key = KeyEvent::new(code, KeyModifiers::NONE);
    if is_covered(state, client) {
        return (0..WHEEL).flat_map(|_| press(state, client, key)).collect();
    }
    let mut is_taken = false;
    let effects = with_open(state, client, |dialog, around| {
        is_taken = dialog.wheel(by, at, around);
        Reply::Stay
    });
    if is_taken {
        return effects;
    }
    let open = state.views.get(&client).and_then(|view| view.over.dialog.as_ref());
    match open.is_some_and(|dialog| dialog.contract().takes_wheel()) {
        true => (0..WHEEL).flat_map(|_| press(state, client, key)).collect(),
        false => Vec::new(),
    }
}

/// The thumb of a bar of the open dialog was dragged.
pub fn scroll_to(state: &mut State, client: ClientId, bar: &ScrollBar, first: usize) -> Vec<Effect> {
    with_open(state, client, |dialog, around| {
        dialog.scroll_to(bar, first, around);
        Reply::Stay
    })
}

/// What a person asked for has come to something. It reaches the dialog that waits for this very request, and no other;
/// the dialog that it ends is handed on.
pub fn answered(state: &mut State, request: ScreenRequest, done: &Done) -> (Option<Dialog>, Vec<Effect>) {
    let client = request.client;
    let (Some(number), Some(view)) = (request.number, state.views.get_mut(&client)) else {
        return (None, Vec::new());
    };
    view.over.drafts.answered(number);
    if !awaits(view, number) {
        return (None, Vec::new());
    }
    match taken_out(state, client, |dialog, around| dialog.answered(number, done, around)) {
        Some((mut dialog, Reply::Over)) => {
            let effects = go_back(state, client, &mut dialog);
            (Some(dialog), effects)
        }
        Some((dialog, reply)) => (None, follow(state, client, dialog, reply)),
        None => (None, Vec::new()),
    }
}

/// After each event: what is about something that is gone closes, and what wants to know something asks.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    close_if_gone(state, client);
    let mut effects = with_open(state, client, |dialog, around| dialog.settle(around));
    effects.extend(answer_held(state, client));
    if let Some(view) = state.views.get_mut(&client).filter(|view| view.over.dialog.is_none()) {
        view.over.keys = None;
    }
    let now = state.domain.now;
    let open = state.views.get(&client).and_then(|view| view.over.dialog.as_ref());
    let ticks = open.and_then(|dialog| dialog.contract().ticks(now));
    effects.extend(ticks.map(Effect::WakeAt));
    effects
}

/// An answer that came too soon is given once it is clear that it was meant, and what it needs to know is known.
fn answer_held(state: &mut State, client: ClientId) -> Vec<Effect> {
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let ask = view.over.dialog.as_ref().and_then(|dialog| dialog.contract().ask());
    let shown = ask.map(|ask| ask.form().shown);
    if ask.is_some_and(|ask| ask.question().is_some() || ask.form().asked.is_some()) {
        return Vec::new();
    }
    let Some(key) = view.over.guard.due(shown, now) else {
        return Vec::new();
    };
    with_open(state, client, |dialog, around| {
        dialog.counts_as_read(now);
        dialog.press(key, around)
    })
}

/// A dialog whose own work is under way waits for the answer to that, whatever else happens.
fn close_if_gone(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let idle = view
        .over
        .dialog
        .as_ref()
        .map(Dialog::contract)
        .filter(|dialog| !dialog.is_busy());
    let gone = idle.and_then(|dialog| dialog.subject()?.gone(&state.domain));
    if let Some(text) = gone {
        view.over.dialog = None;
        toast::tell(state, client, text, Tone::Told);
    }
}

/// Takes the dialog out of the view while it is worked on.
fn taken_out(
    state: &mut State,
    client: ClientId,
    work: impl FnOnce(&mut dyn Contract, &Around) -> Reply,
) -> Option<(Dialog, Reply)> {
    let view = state.views.get_mut(&client)?;
    let whole = layout::for_dialogs(view);
    let mut dialog = view.over.dialog.take()?;
    let around = within(state, state.views.get(&client)?, whole);
    let reply = work(dialog.contract_mut(), &around);
    Some((dialog, reply))
}

fn with_open(
    state: &mut State,
    client: ClientId,
    work: impl FnOnce(&mut dyn Contract, &Around) -> Reply,
) -> Vec<Effect> {
    match taken_out(state, client, work) {
        Some((dialog, reply)) => follow(state, client, dialog, reply),
        None => Vec::new(),
    }
}

/// Puts the dialog back unless it is over, and does what it leads to.
fn follow(state: &mut State, client: ClientId, mut dialog: Dialog, reply: Reply) -> Vec<Effect> {
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match reply {
        Reply::Stay => view.over.dialog = Some(dialog),
        Reply::TooSoon => {
            let asked = dialog.contract().ask().map(|ask| ask.form().shown);
            view.over.guard.too_soon(asked, now);
            view.over.dialog = Some(dialog);
        }
        Reply::Unbound => {
            view.over.guard.typed_at(now);
            dialog.contract_mut().begin_reading(now);
            view.over.dialog = Some(dialog);
        }
        Reply::Elsewhere => {
            view.over.guard.answered_elsewhere(now);
            view.over.dialog = Some(dialog);
        }
        Reply::Submit(wish) => {
            let number = state.domain.ids.request();
            dialog.contract_mut().begun(&wish, number, now);
            if !matches!(wish, Wish::Know(_)) {
                view.over.guard.ends_form();
            }
            // It is back before the work begins: that may fail at once, and it is told so.
            view.over.dialog = Some(dialog);
            let request = state.request(client).numbered(number);
            return wish::carry_out(state, wish, request);
        }
        Reply::Leave(wish) => {
            let mut request = state.request(client);
            if let Dialog::Output(output) = dialog {
                let number = state.domain.ids.request();
                request = request.numbered(number);
                keep_output(state, client, output, number);
            }
            return wish::carry_out(state, wish, request);
        }
        Reply::Run(action) => return command::run(state, client, action),
        Reply::Instead(page) => return instead(state, client, dialog, page),
        Reply::Choose(choice) => return changes::detail::chosen(state, client, choice),
        Reply::Go(chat) => return going::show_agent(state, client, chat),
        Reply::Moment(found) => {
            view.over.drafts.keep(dialog);
            return transcript::show_found(state, client, found);
        }
        Reply::Close => return left(state, client, dialog),
        Reply::Over => return go_back(state, client, &mut dialog),
    }
    Vec::new()
}

/// To the page from which a question about one of its rows was asked.
fn go_back(state: &mut State, client: ClientId, over: &mut Dialog) -> Vec<Effect> {
    let back = match over {
        Dialog::Delete(delete) => delete.back.take(),
        Dialog::Trash(trash) => trash.back.take(),
        // It is opened from the list of those that are kept.
        Dialog::AddSetup(_) => return super::open(state, client, SetupPage::default()),
        _ => None,
    };
    match back {
        Some(page) => {
            let page = page.again(&state.domain);
            super::open(state, client, Dialog::Disk(page))
        }
        None => Vec::new(),
    }
}

/// Until the program that it is left for has ended.
fn keep_output(state: &mut State, client: ClientId, output: Box<Output>, number: RequestId) {
    if let Some(view) = state.views.get_mut(&client) {
        view.over.drafts.leave_output(output, number);
    }
}

fn instead(state: &mut State, client: ClientId, from: Dialog, page: OtherPage) -> Vec<Effect> {
    let back = match from {
        Dialog::Disk(page) => Some(page),
        _ => None,
    };
    let page: Dialog = match page {
        OtherPage::Delete(chat) => Delete::new(&state.domain, &chat).back_to(back).into(),
        OtherPage::Trash => Trash::default().into(),
        OtherPage::Purge(chat) => Trash::purging(chat).back_to(back).into(),
        OtherPage::Disk => DiskPage::default().into(),
        OtherPage::SettingsAbout(words) => SettingsPage::about(words).into(),
        OtherPage::Servers(chat) => Servers::new(&state.domain, &chat).into(),
        OtherPage::AddSetup => match state.views.get(&client).and_then(|view| view.chat.clone()) {
            Some(chat) => AddSetup::new(&state.domain, &chat).into(),
            None => {
                toast::tell(state, client, "Select a chat that has the project first.", Tone::Told);
                return Vec::new();
            }
        },
    };
    super::open(state, client, page)
}

/// Leaving a dialog gives up what it is making; what was typed for something new is not lost with it.
fn left(state: &mut State, client: ClientId, mut dialog: Dialog) -> Vec<Effect> {
    let back = go_back(state, client, &mut dialog);
    let effects = match dialog.contract().gives_up() {
        Some((words, wish)) => {
            toast::tell(state, client, words, Tone::Told);
            wish::carry_out(state, wish, client.into())
        }
        None => back,
    };
    let view = state.views.get_mut(&client);
    if let Some(what) = view.and_then(|view| view.over.drafts.keep(dialog)) {
        let text = format!("the {what} goes on with what was typed");
        toast::tell(state, client, text, Tone::Told);
    }
    effects
}
