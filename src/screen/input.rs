//! A key or a paste of a person goes to the surface that has the keys.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::domain::effect::Effect;
use crate::model::{ChatId, ClientId};
use crate::screen::State;

use super::going::EndedProgram;
use super::guard::PersonAct;
use super::hint::label;
use super::keymap::{Action, ChatAction, ChatsAction, LeaderAction, MoveAction, ScreenAction, StartAction, shown};
use super::surface::Surface;
use super::view::{Tone, View};
use super::{
    command, composer, copy, dialogs, going, grid, layout, leader_menu, left, links, listing, marking, moving, numbers,
    start, tab, toast, typing, undelete,
};

pub fn press(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let keymap = Arc::clone(&state.keymap);
    let now = state.domain.now;
    let leads = keymap.is_leader(key);
    if leads && key.kind != KeyEventKind::Release {
        close_what_is_done(state, client);
    }
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let surface = view.surface();
    if key.kind == KeyEventKind::Release {
        let passes = surface == Surface::Terminal && !leads && !view.over.guard.is_shut(now);
        return match passes {
            true => typing::press(state, client, key),
            false => Vec::new(),
        };
    }
    let action = keymap.action(surface, key);
    let undoes = action == Some(ChatsAction::UndoDelete.into()) && undelete::is_meant(state, client);
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if leads || undoes {
        view.over.guard.lift();
    }
    let detaches = action == Some(ScreenAction::Detach.into()) && surface != Surface::Leader;
    if view.over.guard.swallows(PersonAct::key(key), now) {
        if detaches {
            view.over.guard.asks_to_detach(now);
        }
        return Vec::new();
    }
    if let Some(effects) = marking::press(state, client, key) {
        return effects;
    }
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let is_typed = left::is_typing(view);
    if !surface.covers() && !matches!(surface, Surface::Copy | Surface::Links) {
        view.reading.selection = None;
    }
    if surface == Surface::Dialog && (leads || view.over.led) && !takes_any_key(view) {
        return led_in_dialog(state, client, key);
    }
    view.over.led = false;
    if surface == Surface::Leader {
        view.leader = false;
    }
    if detaches && view.over.guard.leaves_in_haste(now) {
        return Vec::new();
    }
    if !is_typed {
        toast::go_on(state, client);
    }
    match (surface, action) {
        (Surface::Dialog, _) => dialogs::input::press(state, client, key),
        (Surface::Leader, Some(action)) if goes_to_a_chat(action) => into_chat(state, client, action, key),
        // What is typed to a program that has ended is decided there.
        (Surface::Terminal, Some(Action::Ended(_)) | None) => typing::press(state, client, key),
        (Surface::Copy, action) if copy::count::press(state, client, key, action) => Vec::new(),
        (_, Some(Action::Start(StartAction::Recent))) => start::recent(state, client, key),
        (_, Some(Action::Move(MoveAction::Jump))) => listing::jump(state, client, key),
        (_, Some(action)) => command::run(state, client, action),
        // As in dialogs, where `?` may be a letter too.
        (Surface::Composer | Surface::Queued | Surface::Filter | Surface::Search, None)
            if key.code == KeyCode::F(1) =>
        {
            command::run(state, client, ScreenAction::Help.into())
        }
        (Surface::Composer | Surface::Queued, None) => composer::press(state, client, key),
        (Surface::Search, None) => tab::search_press(state, client, key),
        (Surface::Links, None) => links::press(state, client, key),
        (Surface::Filter, None) => moving::change_filter(state, client, |field| {
            field.press(key);
        }),
        (Surface::Leader, None) => behind_leader(state, client, key),
        (
            Surface::Schedules
            | Surface::Copy
            | Surface::Sheet(_)
            | Surface::Pane(_)
            | Surface::Inspector
            | Surface::Start
            | Surface::Sidebar(_),
            None,
        ) => {
            if let Some(effects) = grid::arrow(state, client, key.code) {
                return effects;
            }
            unbound(state, client, (surface, key));
            Vec::new()
        }
    }
}

/// Behind the leader it leads into the terminal of the chat that it goes to, wherever one was before: what is typed next is
/// for that. Whoever goes to what waits may come to read why it failed, and nothing is started for that.
fn into_chat(state: &mut State, client: ClientId, action: Action, key: KeyEvent) -> Vec<Effect> {
    let shown = |state: &State| state.views.get(&client).and_then(|view| view.chat.clone());
    let before = shown(state);
    let number = before.as_ref().and_then(|chat| numbers::of(state, chat));
    let is_here = action == MoveAction::Jump.into() && number.is_some_and(|number| is_digit(key, number));
    let (mut effects, ended) = match action {
        Action::Move(MoveAction::Jump) => (listing::jump(state, client, key), EndedProgram::Starts),
        action if action == ChatsAction::NextWaiting.into() => {
            (command::run(state, client, action), EndedProgram::Stays)
        }
        action => (command::run(state, client, action), EndedProgram::Starts),
    };
    let comes = |chat: &ChatId| Some(chat) != before.as_ref() && !going::has_lost_side(state, client, chat);
    if let Some(chat) = shown(state).filter(|chat| is_here || comes(chat)) {
        effects.extend(going::go_in_at(state, client, chat, ended));
    }
    effects
}

fn is_digit(key: KeyEvent, number: u8) -> bool {
    matches!(key.code, KeyCode::Char(digit) if digit.to_digit(10) == Some(number.into()))
}

/// It selects another chat and nothing more.
fn goes_to_a_chat(action: Action) -> bool {
    [
        MoveAction::Jump.into(),
        MoveAction::LastChat.into(),
        ChatsAction::NextWaiting.into(),
    ]
    .contains(&action)
}

/// Says that a key is no command here. Esc is what one presses to be sure that nothing is open.
fn unbound(state: &mut State, client: ClientId, (surface, key): (Surface, KeyEvent)) {
    let help = state.keymap.leading(surface, ScreenAction::Help.into());
    let now = state.domain.now;
    let view = state.views.get_mut(&client).filter(|_| key.code != KeyCode::Esc);
    if let Some(view) = view {
        view.over
            .guard
            .unbound(key, &format!("{} shows all keys", label(&help)), now);
    }
}

/// A dialog that asks nothing more is in nobody's way.
fn close_what_is_done(state: &mut State, client: ClientId) {
    if let Some(view) = state.views.get_mut(&client) {
        view.over.dialog.take_if(|dialog| dialog.contract().is_done());
    }
}

/// The dialog takes the next key for itself, whatever it is.
fn takes_any_key(view: &View) -> bool {
    let dialog = view.over.dialog.as_ref().filter(|_| view.over.keys.is_none());
    dialog.is_some_and(|dialog| dialog.contract().keys().is_empty())
}

/// The leader in a dialog, and the key behind it: that detaches, or is nothing, and never a key of the dialog.
fn led_in_dialog(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let (now, detach) = (state.domain.now, ScreenAction::Detach.into());
    let detaches = state.keymap.action(Surface::Leader, key) == Some(detach);
    let leads = state.keymap.is_leader(key);
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let is_behind = std::mem::replace(&mut view.over.led, false);
    match is_behind {
        false => view.over.led = true,
        true if detaches => return command::run(state, client, detach),
        // Twice, it is sent on.
        true if leads => return dialogs::input::press(state, client, key),
        true if key.code == KeyCode::Esc => {}
        true => view.over.guard.unbound(key, "Esc closes the dialog first", now),
    }
    Vec::new()
}

/// A key that is no command behind the leader. Esc and the key after it may come as one, as Alt and that key.
fn behind_leader(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    if key.modifiers == KeyModifiers::ALT {
        let mut effects = typing::lead(state, client, LeaderAction::Leave);
        let alone = KeyEvent::new(key.code, KeyModifiers::NONE);
        effects.extend(press(state, client, alone));
        return effects;
    }
    if turned_menu(state, client, key) {
        return Vec::new();
    }
    let leader = shown(state.keymap.leader);
    let words = format!(
        "{leader} {} is no command. The menu behind {leader} has all.",
        shown(key)
    );
    toast::tell(state, client, words, Tone::Told);
    Vec::new()
}

/// Right and Left turn the pages of a menu that has several. It stays open.
fn turned_menu(state: &mut State, client: ClientId, key: KeyEvent) -> bool {
    let Some(view) = state.views.get_mut(&client) else {
        return false;
    };
    let menu = leader_menu::place(&state.keymap, layout::for_dialogs(view), view.over.menu_page);
    let to = match (key.code, key.modifiers.is_empty()) {
        (KeyCode::Right, true) => menu.page + 1,
        (KeyCode::Left, true) => menu.page + menu.pages - 1,
        (_, _) => return false,
    };
    if menu.pages == 1 {
        return false;
    }
    (view.leader, view.over.menu_page) = (true, to % menu.pages);
    true
}

pub fn paste(state: &mut State, client: ClientId, text: &str) -> Vec<Effect> {
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if view.over.guard.swallows(PersonAct::Paste, now) {
        return Vec::new();
    }
    view.leader = false;
    if view.reading.search.typing.is_none() {
        (view.reading.selection, view.reading.copy) = (None, None);
    }
    view.reading.links = None;
    match view.surface() {
        Surface::Dialog => dialogs::input::paste(state, client, text),
        Surface::Filter => moving::change_filter(state, client, |field| field.paste(text)),
        Surface::Search => tab::search_paste(state, client, text),
        Surface::Terminal => typing::paste(state, client, text),
        Surface::Composer | Surface::Queued => composer::paste(state, client, text),
        Surface::Schedules
        | Surface::Leader
        | Surface::Copy
        | Surface::Links
        | Surface::Sheet(_)
        | Surface::Pane(_)
        | Surface::Inspector
        | Surface::Start
        | Surface::Sidebar(_) => {
            let key = state.keymap.key(ChatAction::Enter);
            let chat = state.views.get(&client).and_then(|view| view.chat.as_ref());
            let text = match chat.map(|chat| state.domain.disk.what_runs(chat)) {
                Some(runs) => format!("Here is no field for what you pasted: {key} goes into the {runs}."),
                None => "Here is no field for what you pasted.".into(),
            };
            toast::tell(state, client, text, Tone::Told);
            Vec::new()
        }
    }
}
