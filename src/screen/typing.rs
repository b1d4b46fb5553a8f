//! What is typed or pasted into the terminal that is shown: into the agent's, or one beside it. The leader and Esc lead out.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};

use crate::domain::agent;
use crate::domain::agent::state::Agent;
use crate::domain::auxiliary::{Side, input};
use crate::domain::effect::Effect;
use crate::model::{ChatId, ClientId, PaneId, Status, Timestamp, WorkId};
use crate::screen::State;
use crate::term;

use super::keymap::{Action, EndedAction, LeaderAction};
use super::surface::Surface;
use super::view::{Focus, Mode, Tone};
use super::way::PageTurn;
use super::{copy, going, moving, reading, side, toast};

/// An Enter that was on its way when the agent ended does not start it again.
const STRAY_MS: u64 = 500;

/// Whoever knows the next key has pressed it by then, and no menu flashes up.
const MENU_MS: u64 = 200;

/// The leader opens the menu of all commands. Behind it, the leader again is sent on, and Esc leaves the agent.
pub fn lead(state: &mut State, client: ClientId, action: LeaderAction) -> Vec<Effect> {
    let leader = state.keymap.leader;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match action {
        LeaderAction::Leader => {
            let from = state.domain.now.plus_ms(MENU_MS);
            (view.leader, view.over.automations) = (true, None);
            (view.over.menu_from, view.over.menu_page) = (from, 0);
            if view.reading.copy.is_some() {
                copy::put_down(state, client);
            }
            vec![Effect::WakeAt(from)]
        }
        LeaderAction::SendOn if view.mode == Mode::Agent => press(state, client, leader),
        LeaderAction::SendOn => Vec::new(),
        LeaderAction::Leave => {
            view.mode = Mode::Outside;
            view.zoomed = false;
            view.focus = match view.shown_grid() {
                Some(_) => Focus::Pane,
                None => Focus::Sidebar,
            };
            Vec::new()
        }
    }
}

/// A key for the terminal that is shown.
pub fn press(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    // Whoever has scrolled back scrolls on. A full-screen program keeps no lines to scroll to, and so has these keys.
    let turn = match key.code {
        KeyCode::PageUp => Some(PageTurn::Up),
        KeyCode::PageDown => Some(PageTurn::Down),
        _ => None,
    };
    if let Some(turn) = turn
        && key.modifiers.is_empty()
        && key.kind != KeyEventKind::Release
        && view.reading.top.is_some()
    {
        return moving::turn_page(state, client, turn);
    }
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
    let status = state.domain.status(&chat);
    let mut effects = Vec::new();
    // A key wakes it, and is typed when it is awake; one that only wakes or leaves says no more than that.
    if status == Status::Hibernated && key.kind != KeyEventKind::Release && ended_action(state, key).is_none() {
        effects = going::go_in(state, client, chat.clone());
    } else if !status.is_live() {
        let ended = state.domain.live.agents.get(&chat).filter(|agent| !agent.sleeps());
        let since = ended.map(|agent| agent.since);
        return press_at_ended(state, client, since, key);
    }
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
        None => {
            says_what_is_possible(state, client, key);
            Vec::new()
        }
    }
}

/// A key that reaches no program: the last row says which ones lead on.
fn says_what_is_possible(state: &mut State, client: ClientId, key: KeyEvent) {
    let name = |action: EndedAction| state.keymap.key_at(Surface::Terminal, Action::Ended(action));
    let (again, leave) = (name(EndedAction::Again), name(EndedAction::Leave));
    let now = state.domain.now;
    let pressed = key.kind != KeyEventKind::Release && !state.keymap.is_leader(key);
    if let Some(view) = state.views.get_mut(&client).filter(|_| pressed) {
        let words = format!("what ran has ended: {again} starts it again, {leave} leaves");
        view.over.guard.unbound(key, &words, now);
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
        (EndedAction::Again, Some(chat)) => going::go_in_shown(state, client, chat),
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
    agent::input(&mut state.domain, chat, client, bytes)
}

/// As [`type_bytes`], in a terminal beside the agent's.
fn type_beside(state: &mut State, client: ClientId, number: WorkId, bytes: Vec<u8>) -> Vec<Effect> {
    if bytes.is_empty() {
        return Vec::new();
    }
    reading::follow(state, client);
    input(&mut state.domain, number, client, bytes)
}

fn side_modes(side: &Side) -> term::Modes {
    side.screen.as_ref().map(|screen| screen.modes).unwrap_or_default()
}

/// A paste for the terminal that is shown.
pub fn paste(state: &mut State, client: ClientId, text: &str) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let chat = view.chat.clone();
    if let Some((number, side)) = side::shown(state, view) {
        let bytes = term::paste::encode(text, &side_modes(side));
        return type_beside(state, client, number, bytes);
    }
    let Some(chat) = chat else {
        return Vec::new();
    };
    let status = state.domain.status(&chat);
    let mut effects = Vec::new();
    if status == Status::Hibernated {
        effects = going::go_in(state, client, chat.clone());
    } else if !status.is_live() {
        return effects;
    }
    let agent = state.domain.live.agents.get(&chat);
    if agent.is_some_and(Agent::awaits_its_start) && text.contains('\n') {
        toast::tell(
            state,
            client,
            "It is just being started: paste that once it is there.",
            Tone::Told,
        );
        return effects;
    }
    let modes = modes(state, &chat);
    effects.extend(type_bytes(state, client, &chat, term::paste::encode(text, &modes)));
    effects
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
