//! A person at a screen: attaches, types, resizes, goes. Where keys go is decided here.

use std::sync::Arc;

use crossterm::event::{Event as Input, KeyEvent, KeyEventKind, MouseEventKind};

use crate::domain::auxiliary::{Side, input};
use crate::domain::effect::{Effect, PaneOrder};
use crate::domain::event::{Attached, ClientEvent, Size};
use crate::domain::{agent, edit};
use crate::model::{ChatId, ClientId, PaneId, Status, Timestamp, WorkId};
use crate::screen::State;
use crate::term;
use crate::term::mouse::FocusChange as TerminalFocus;

use super::dialog::Field;
use super::guard::PersonAct;
use super::keymap::{Action, EndedAction, FilterAction, LeaderAction};
use super::surface::Surface;
use super::view::{Focus, Mode, Tab, Tone, View};
use super::{changes, command, copy, dialogs, mouse, moving, reading, side, toast};

/// An Enter that was on its way when the agent ended does not start it again.
const STRAY_MS: u64 = 500;

pub fn update(state: &mut State, client: ClientId, event: ClientEvent) -> Vec<Effect> {
    match event {
        ClientEvent::Attached(attached) => attach(state, client, attached),
        ClientEvent::Gone => {
            state.views.remove(&client);
            state.domain.live.forget_driver(client);
            Vec::new()
        }
        ClientEvent::Input(input) => take_input(state, client, input),
    }
}

/// A chat that this client asked for is there: it is shown, and typed in from now on.
pub fn created(state: &mut State, client: ClientId, chat: &ChatId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.sidebar.filter = None;
    view.mode = Mode::Agent;
    view.focus = Focus::Pane;
    view.show(Tab::Terminal);
    command::select(state, client, Some(chat.clone()))
}

fn attach(state: &mut State, client: ClientId, attached: Attached) -> Vec<Effect> {
    let (wanted, edits) = (attached.chat.clone(), attached.edits);
    state.views.insert(client, View::new(attached));
    let keymap = Arc::clone(&state.keymap);
    for complaint in &keymap.complaints {
        toast::tell(state, client, format!("config.json: {complaint}"), Tone::Failed);
    }
    let effects = match wanted.map(|name| state.domain.find(&name)) {
        Some(Ok(chat)) => {
            let mut effects = command::select(state, client, Some(chat.clone()));
            effects.extend(match edit::running(&state.domain, &chat).filter(|_| edits) {
                Some(number) => side::enter(state, client, number),
                None => command::go_in(state, client, chat),
            });
            effects
        }
        Some(Err(problem)) => {
            toast::tell(state, client, problem.to_string(), Tone::Failed);
            Vec::new()
        }
        None => Vec::new(),
    };
    // Last, since the chat that was asked for may be resumed by now.
    command::offer_to_resume(state, client);
    effects
}

fn take_input(state: &mut State, client: ClientId, input: Input) -> Vec<Effect> {
    if is_persons(&input)
        && let Some(view) = state.views.get_mut(&client)
    {
        view.typed(state.domain.now);
    }
    match input {
        Input::Key(key) => press(state, client, key),
        Input::Mouse(event) => mouse::update(state, client, event),
        Input::Paste(text) => paste(state, client, &text),
        Input::Resize(cols, rows) => {
            if let Some(view) = state.views.get_mut(&client) {
                view.size = Size::of_client(cols, rows);
            }
            Vec::new()
        }
        Input::FocusGained => focus(state, client, TerminalFocus::Gained),
        Input::FocusLost => focus(state, client, TerminalFocus::Lost),
    }
}

/// A mouse that moves does so over windows without the focus too.
fn is_persons(input: &Input) -> bool {
    match input {
        Input::Key(key) => key.kind != KeyEventKind::Release,
        Input::Paste(_) => true,
        Input::Mouse(mouse) => matches!(mouse.kind, MouseEventKind::Down(_)),
        Input::Resize(..) | Input::FocusGained | Input::FocusLost => false,
    }
}

pub fn press(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let keymap = Arc::clone(&state.keymap);
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let leads = keymap.is_leader(key);
    let surface = view.surface();
    if key.kind == KeyEventKind::Release {
        let passes = surface == Surface::Terminal && !leads && !view.guard.is_shut(now);
        return match passes {
            true => press_in_agent(state, client, key),
            false => Vec::new(),
        };
    }
    if leads {
        view.guard.lift();
    }
    if view.guard.swallows(PersonAct::key(key), now) {
        return Vec::new();
    }
    if !surface.covers() && surface != Surface::Copy {
        view.reading.selection = None;
    }
    if surface == Surface::Leader {
        view.leader = false;
    }
    match (surface, keymap.action(surface, key)) {
        (Surface::Dialog, _) => dialogs::press(state, client, key),
        // What is typed to a program that has ended is decided there.
        (Surface::Terminal, Some(Action::Ended(_)) | None) => press_in_agent(state, client, key),
        (_, Some(action)) => command::run(state, client, action),
        (Surface::Search, None) => changes::search::press(state, client, key),
        (Surface::Filter, None) => change_filter(state, client, |field| {
            field.press(key);
        }),
        (
            Surface::Schedules
            | Surface::Leader
            | Surface::Copy
            | Surface::Sheet(_)
            | Surface::Pane
            | Surface::Inspector
            | Surface::Sidebar,
            None,
        ) => Vec::new(),
    }
}

/// The leader opens the menu of all commands. Behind it, the leader again is sent on, and Esc leaves the agent.
pub fn lead(state: &mut State, client: ClientId, action: LeaderAction) -> Vec<Effect> {
    let leader = state.keymap.leader;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match action {
        LeaderAction::Leader => {
            (view.leader, view.automations) = (true, None);
            if view.reading.copy.is_some() {
                copy::leave(state, client);
            }
            Vec::new()
        }
        LeaderAction::SendOn if view.mode == Mode::Agent => press_in_agent(state, client, leader),
        LeaderAction::SendOn => Vec::new(),
        LeaderAction::Leave => {
            view.mode = Mode::Outside;
            view.focus = Focus::Sidebar;
            view.zoomed = false;
            Vec::new()
        }
    }
}

fn press_in_agent(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    if let Some((number, side)) = side::shown(state, view) {
        let ended = (!side.is_live()).then_some(side.since);
        let bytes = term::keys::encode(&key, &side_modes(side));
        return match ended {
            Some(since) => press_at_ended(state, client, Some(since), key),
            None => type_beside(state, client, number, bytes),
        };
    }
    let Some(chat) = view.chat.clone() else {
        return Vec::new();
    };
    let mut effects = match state.domain.status(&chat) {
        // A key wakes it, and is typed when it is awake; one that only wakes or leaves says no more than that.
        Status::Hibernated if key.kind != KeyEventKind::Release && ended_action(state, key).is_none() => {
            command::go_in(state, client, chat.clone())
        }
        status if !status.is_live() => {
            let ended = state.domain.live.agents.get(&chat).filter(|agent| !agent.sleeps());
            let since = ended.map(|agent| agent.since);
            return press_at_ended(state, client, since, key);
        }
        _ => Vec::new(),
    };
    let modes = modes(state, &chat);
    effects.extend(type_bytes(state, client, &chat, term::keys::encode(&key, &modes)));
    effects
}

/// Nobody is there to type to: only what a table says of that counts.
fn press_at_ended(state: &mut State, client: ClientId, ended: Option<Timestamp>, key: KeyEvent) -> Vec<Effect> {
    let stray = ended.is_some_and(|ended| state.domain.now.ms_since(ended) < STRAY_MS);
    match ended_action(state, key) {
        Some(EndedAction::Again) if stray => Vec::new(),
        Some(action) => at_ended(state, client, action),
        None => Vec::new(),
    }
}

/// What a key does where the program in the terminal has ended.
fn ended_action(state: &State, key: KeyEvent) -> Option<EndedAction> {
    match state.keymap.action(Surface::Terminal, key) {
        Some(Action::Ended(action)) if key.kind != KeyEventKind::Release => Some(action),
        Some(_) | None => None,
    }
}

/// Brings the program back, or leaves its terminal.
pub fn at_ended(state: &mut State, client: ClientId, action: EndedAction) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match (action, view.chat.clone()) {
        (EndedAction::Again, Some(chat)) => command::go_in_shown(state, client, chat),
        (EndedAction::Again, None) => Vec::new(),
        (EndedAction::Leave, _) => {
            view.mode = Mode::Outside;
            view.focus = Focus::Sidebar;
            Vec::new()
        }
    }
}

/// What is typed goes to the live screen, so that is shown first.
fn type_bytes(state: &mut State, client: ClientId, chat: &ChatId, bytes: Vec<u8>) -> Vec<Effect> {
    if bytes.is_empty() {
        return Vec::new();
    }
    reading::follow(state, client);
    side::typed_on(state, client);
    agent::input(&mut state.domain, chat, client, bytes)
}

/// As [`type_bytes`], in a terminal beside the agent's.
fn type_beside(state: &mut State, client: ClientId, number: WorkId, bytes: Vec<u8>) -> Vec<Effect> {
    if bytes.is_empty() {
        return Vec::new();
    }
    reading::follow(state, client);
    side::typed_on(state, client);
    input(&mut state.domain, number, client, bytes)
}

fn side_modes(side: &Side) -> term::Modes {
    side.screen.as_ref().map(|screen| screen.modes).unwrap_or_default()
}

pub fn filter(state: &mut State, client: ClientId, action: FilterAction) -> Vec<Effect> {
    match action {
        FilterAction::GiveUp => give_up_filter(state, client),
        FilterAction::Choose => {
            if let Some(view) = state.views.get_mut(&client) {
                view.sidebar.filter = None;
            }
            Vec::new()
        }
        FilterAction::Up => moving::up_or_down(state, client, -1),
        FilterAction::Down => moving::up_or_down(state, client, 1),
    }
}

fn give_up_filter(state: &mut State, client: ClientId) -> Vec<Effect> {
    let view = state.views.get_mut(&client);
    match view.and_then(|view| view.sidebar.filter.take()) {
        Some(filter) => command::select(state, client, filter.before),
        None => Vec::new(),
    }
}

/// Another text finds other chats, and the best of them is selected.
fn change_filter(state: &mut State, client: ClientId, change: impl FnOnce(&mut Field)) -> Vec<Effect> {
    let view = state.views.get_mut(&client);
    let Some(filter) = view.and_then(|view| view.sidebar.filter.as_mut()) else {
        return Vec::new();
    };
    let before = filter.field.text();
    change(&mut filter.field);
    match filter.field.text() == before {
        true => Vec::new(),
        false => command::select(state, client, None),
    }
}

fn paste(state: &mut State, client: ClientId, text: &str) -> Vec<Effect> {
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if view.guard.swallows(PersonAct::Paste, now) {
        return Vec::new();
    }
    view.leader = false;
    (view.reading.selection, view.reading.copy) = (None, None);
    match view.surface() {
        Surface::Dialog => return dialogs::paste(state, client, text),
        Surface::Filter => return change_filter(state, client, |field| field.paste(text)),
        Surface::Search => {
            changes::search::paste(state, client, text);
            return Vec::new();
        }
        Surface::Terminal => {}
        Surface::Schedules
        | Surface::Leader
        | Surface::Copy
        | Surface::Sheet(_)
        | Surface::Pane
        | Surface::Inspector
        | Surface::Sidebar => return Vec::new(),
    }
    let chat = view.chat.clone();
    let beside = state.views.get(&client).and_then(|view| side::shown(state, view));
    if let Some((number, side)) = beside {
        let bytes = term::paste::encode(text, &side_modes(side));
        return type_beside(state, client, number, bytes);
    }
    let Some(chat) = chat else {
        return Vec::new();
    };
    let mut effects = match state.domain.status(&chat) {
        Status::Hibernated => command::go_in(state, client, chat.clone()),
        status if !status.is_live() => return Vec::new(),
        _ => Vec::new(),
    };
    let modes = modes(state, &chat);
    effects.extend(type_bytes(state, client, &chat, term::paste::encode(text, &modes)));
    effects
}

/// The person's terminal got or lost the focus. A program that asked is told; it is no sign of typing.
fn focus(state: &mut State, client: ClientId, focus: TerminalFocus) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.attentive = focus == TerminalFocus::Gained;
    let Some(pane) = live_pane(state, client) else {
        return Vec::new();
    };
    let modes = state.domain.live.screen(&pane).map(|screen| screen.modes);
    let bytes = term::mouse::encode_focus(focus, &modes.unwrap_or_default());
    bytes
        .map(|bytes| Effect::Pane(pane, PaneOrder::Input(bytes.to_vec())))
        .into_iter()
        .collect()
}

/// The terminal that is shown, where a program runs in it.
pub fn live_pane(state: &State, client: ClientId) -> Option<PaneId> {
    let pane = state.views.get(&client)?.pane()?;
    let live = match &pane {
        PaneId::Agent(chat) => state.domain.status(chat).is_live(),
        PaneId::Side(number) => state.domain.live.sides.get(number).is_some_and(Side::is_live),
    };
    live.then_some(pane)
}

fn modes(state: &State, chat: &ChatId) -> term::Modes {
    let screen = state
        .domain
        .live
        .agents
        .get(chat)
        .and_then(|agent| agent.screen.as_ref());
    screen.map(|screen| screen.modes).unwrap_or_default()
}
