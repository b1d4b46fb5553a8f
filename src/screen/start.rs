//! The page that stands where a chat would, while there is none: what to begin with, and which agents there are.

mod begun;
pub mod data;
mod rows;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::domain::effect::Effect;
use crate::domain::event::PlaceHint;
use crate::domain::state::{Requester, Waiting};
use crate::domain::work::{AgentThen, AgentWork, ShownRead};
use crate::domain::{chat, creation};
use crate::model::agent::TRUSTING;
use crate::model::open_dir::OpenDir;
use crate::model::request::NewChat;
use crate::model::{AreaMode, ClientId};

use super::dialog::{self, Dialog, HERE};
use super::keymap::StartAction;
use super::layout;
use super::state::State;
use super::surface::Surface;
use super::view::View;
use super::{dialogs, form_text, installed, tour, used};

use begun::begins;
pub use rows::{Found, PlacedRow, StartRow, placed};

/// Projects that are offered.
const RECENT: usize = 5;

/// A key that is held down makes one chat.
const AGAIN_MS: u64 = 2_000;

pub fn run(state: &mut State, client: ClientId, action: StartAction) -> Vec<Effect> {
    match action {
        StartAction::Here => begin(state, client, None),
        StartAction::InPlace => begin(state, client, Some(AreaMode::Rw)),
        StartAction::Open => open(state, client, None),
        // By the key that was pressed.
        StartAction::Recent => Vec::new(),
        StartAction::Trust => trust(state, client),
        StartAction::Tour => tour::open(state, client),
    }
}

/// Why it has nothing to work on now.
pub fn is_possible(state: &State, view: &View, action: StartAction) -> (bool, &'static str) {
    match action {
        StartAction::Here | StartAction::Open | StartAction::Tour => (true, ""),
        StartAction::InPlace => (page(view).here.is_some(), "parlour was started in no repository"),
        StartAction::Recent => (false, "press the number itself"),
        StartAction::Trust => (rows::asks_for_trust(state), "there is nothing to agree to"),
    }
}

/// The project with the number on this key.
pub fn recent(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let KeyCode::Char(digit @ '1'..='9') = key.code else {
        return Vec::new();
    };
    let at = usize::from(digit as u8 - b'1');
    let view = state.views.get(&client);
    match view.and_then(|view| page(view).recent.as_ref()?.get(at).cloned()) {
        Some(place) => open(state, client, Some(place)),
        None => Vec::new(),
    }
}

/// After each event: what there is to open is asked for once, and again when the last chat has gone.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if view.chat.is_some() {
        view.over.start = data::StartPage::default();
        return Vec::new();
    }
    if std::mem::replace(&mut view.over.start.asked, true) {
        return Vec::new();
    }
    let read = ShownRead::Places {
        text: String::new(),
        cwd: view.client.cwd.clone(),
    };
    chat::show(&mut state.domain, client, read).into_iter().collect()
}

/// What there is to open. What comes later is for a dialog in which something is typed.
pub fn arrived(state: &mut State, client: ClientId, hints: &[PlaceHint]) {
    let Some(view) = state.views.get_mut(&client).filter(|view| view.chat.is_none()) else {
        return;
    };
    let page = &mut view.over.start;
    if page.recent.is_some() {
        return;
    }
    let here = hints.iter().find(|hint| hint.what == HERE);
    page.here = here.map(|hint| hint.text.clone());
    let others = hints.iter().filter(|hint| hint.what != HERE);
    page.recent = Some(others.map(|hint| hint.text.clone()).take(RECENT).collect());
}

/// What a click on a line of it begins: the key that does so, pressed.
pub fn key_at(state: &State, view: &View, (x, y): (u16, u16)) -> Option<KeyEvent> {
    let rows = placed(state, view, layout::arrange(view).free);
    let hit = rows.into_iter().find(|row| row.area.contains((x, y).into()))?;
    match hit.row {
        StartRow::Choice { action, .. } => state.keymap.keys_at(Surface::Start, action).next(),
        StartRow::Recent { number, .. } => Some(KeyEvent::new(KeyCode::Char(number), KeyModifiers::NONE)),
        StartRow::Headline(_) | StartRow::Words(_) | StartRow::Agent { .. } | StartRow::Gap => None,
    }
}

fn page(view: &View) -> &data::StartPage {
    &view.over.start
}

/// An agent on the repository that parlour was started in, at once. Where there is none, all of it is asked.
fn begin(state: &mut State, client: ClientId, in_place: Option<AreaMode>) -> Vec<Effect> {
    let now = state.domain.now;
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let Some(here) = page(view).here.clone() else {
        return open(state, client, None);
    };
    let begun = page(view).begun;
    if begun.is_some_and(|(begun, _)| now.ms_since(begun) < AGAIN_MS) || begins(state, view) {
        return Vec::new();
    }
    let open = OpenDir {
        path_or_url: here,
        in_place: in_place.is_some(),
        mode: in_place,
        ..OpenDir::default()
    };
    let llm = proposed(state);
    let new = NewChat {
        llm: llm.clone(),
        dirs: vec![open],
        cwd: view.client.cwd.clone(),
        env: view.client.env.clone(),
        ..NewChat::default()
    };
    let requester = state.requester(client);
    if let Some(view) = state.views.get_mut(&client) {
        view.over.start.begun = Some((now, requester));
    }
    let mut effects = creation::create(&mut state.domain, new, requester);
    effects.extend(llm.iter().flat_map(|llm| used::note(state, llm)));
    effects
}

/// The agent that the page names, once it is known which there are. One that is set is the engine's to take.
fn proposed(state: &State) -> Option<String> {
    let disk = &state.domain.disk;
    let is_free = disk.settings.default_llm.is_none();
    disk.proposed_llm().filter(|_| is_free).map(String::from)
}

/// The dialog of a new chat, its project to be typed, or this one.
fn open(state: &mut State, client: ClientId, place: Option<String>) -> Vec<Effect> {
    let mut new = dialog::NewChat::new(&state.domain, state.cwd_of(client));
    form_text::go_on(state, client, &mut new);
    match place {
        Some(place) => new.on(&place),
        None => new.at_project(),
    }
    let mut effects = dialogs::open(state, client, Dialog::NewChat(Box::new(new)));
    effects.extend(installed::look_for_agents(state, client));
    effects
}

/// The person agrees that parlour writes trust for its chats into the CLI's own state.
fn trust(state: &mut State, client: ClientId) -> Vec<Effect> {
    let is_asked = rows::asks_for_trust(state);
    let Some(view) = state.views.get(&client).filter(|_| is_asked) else {
        return Vec::new();
    };
    let env = view.client.env.clone();
    let work = state.domain.ids.work();
    let waiting = Waiting {
        requester: Requester::screen(client),
        then: AgentThen::Nothing.into(),
    };
    state.domain.live.waiting.insert(work, waiting);
    let llm = TRUSTING.to_string();
    vec![Effect::Work(work, AgentWork::Trust { llm, env }.into())]
}
