//! A person at a screen: attaches, types, resizes, goes.

use std::sync::Arc;

use crossterm::event::{Event as Input, KeyEventKind, MouseEvent, MouseEventKind};

use crate::domain::effect::{Effect, PaneOrder};
use crate::domain::event::{Attached, ClientEvent, Size};
use crate::domain::state::ScreenRequest;
use crate::domain::{chat as chats, edit};
use crate::model::output::OpenedWith;
use crate::model::{ChatId, ClientId};
use crate::screen::State;
use crate::term;
use crate::term::mouse::FocusChange as TerminalFocus;

use super::guard::PersonAct;
use super::late::{self, LatePlace};
use super::typing::live_pane;
use super::view::{Focus, Mode, Tab, Tone, View};
use super::{ahead, composer, going, input, installed, left, mouse, reading, resuming, side, toast};

pub fn update(state: &mut State, client: ClientId, event: ClientEvent) -> Vec<Effect> {
    match event {
        ClientEvent::Attached(attached) => attach(state, client, attached),
        ClientEvent::Read(copied) => reading::copied(state, client, copied),
        ClientEvent::Gone => {
            let mut effects = composer::leave(state, client);
            effects.extend(left::keep(state, client));
            state.views.remove(&client);
            state.domain.live.forget_driver(client);
            effects
        }
        ClientEvent::Input(input) => take_input(state, client, input),
        ClientEvent::Coloured(colours) => {
            if let Some(view) = state.views.get_mut(&client) {
                view.client.colours = Some(colours);
            }
            Vec::new()
        }
    }
}

/// A chat that this person asked for is there: it is shown, and typed in from now on. Whoever has gone on since stays where
/// they are.
pub fn created(state: &mut State, request: ScreenRequest, chat: &ChatId) -> Vec<Effect> {
    let client = request.client;
    if !late::may_come(state, request, LatePlace::OfItsOwn) {
        let text = format!("{} is there, in the list.", chats::handle(&state.domain, chat));
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    }
    // Before anything else: what the person sees of the chat before is kept for when they come back.
    let effects = going::select(state, client, Some(chat.clone()));
    if let Some(view) = state.views.get_mut(&client) {
        view.end_filter();
        view.mode = Mode::Agent;
        view.focus = Focus::Pane;
        view.show(Tab::Terminal);
    }
    effects
}

fn attach(state: &mut State, client: ClientId, attached: Attached) -> Vec<Effect> {
    let (wanted, edits, place) = (attached.chat.clone(), attached.edits, attached.place.clone());
    let mut view = View::new(attached);
    view.sidebar.look = state.domain.disk.list;
    view.attention.here = state.domain.now;
    view.set_reader(state.domain.disk.settings.reader);
    state.views.insert(client, view);
    left::mark(state, client);
    toast::tell_missed(state, client);
    if let Some(problem) = &state.domain.disk.list_problem {
        let text = problem.to_string();
        toast::tell(state, client, text, Tone::Failed);
    }
    let keymap = Arc::clone(&state.keymap);
    for complaint in &keymap.complaints {
        toast::tell(state, client, format!("config.json: {complaint}"), Tone::Failed);
    }
    let wanted = wanted.filter(|_| place.is_none());
    let mut effects = match wanted.map(|name| state.domain.find_listed(&name)) {
        Some(Ok(chat)) => {
            let mut effects = going::select(state, client, Some(chat.clone()));
            effects.extend(
                match edit::running(&state.domain, &chat, OpenedWith::Editor).filter(|_| edits) {
                    Some(number) => side::enter(state, client, number),
                    None => going::go_in(state, client, chat),
                },
            );
            effects
        }
        Some(Err(problem)) => {
            toast::tell(state, client, problem.to_string(), Tone::Failed);
            Vec::new()
        }
        None => match place {
            Some(place) => left::go_back(state, client, place),
            None => left::come(state, client),
        },
    };
    if state.domain.disk.agents.is_empty() {
        effects.extend(installed::look_for_agents(state, client));
    }
    // Last, since the chat that was asked for may be resumed by now.
    resuming::offer_to_resume(state, client);
    effects
}

fn take_input(state: &mut State, client: ClientId, input: Input) -> Vec<Effect> {
    if is_deed(&input)
        && let Some(view) = state.views.get_mut(&client)
    {
        view.changes.marks.pass();
    }
    if let Some(act) = act_of(&input)
        && let Some(view) = state.views.get_mut(&client)
    {
        view.act(act, state.domain.now);
        if let Some(news) = &mut view.over.reader {
            news.act(state.domain.now);
        }
    }
    match input {
        Input::Key(key) => ahead::press(state, client, key),
        Input::Mouse(event) => mouse::update(state, client, event),
        Input::Paste(text) => input::paste(state, client, &text),
        Input::Resize(cols, rows) => {
            if let Some(view) = state.views.get_mut(&client) {
                view.size = Size::of_client(cols, rows);
                // What is marked stands somewhere else now.
                view.over.mark = None;
            }
            Vec::new()
        }
        Input::FocusGained => focus(state, client, TerminalFocus::Gained),
        Input::FocusLost => focus(state, client, TerminalFocus::Lost),
    }
}

/// The wheel is one too: other lines are seen after it.
fn is_deed(input: &Input) -> bool {
    let turns = |mouse: &MouseEvent| matches!(mouse.kind, MouseEventKind::ScrollUp | MouseEventKind::ScrollDown);
    act_of(input).is_some() || matches!(input, Input::Mouse(mouse) if turns(mouse))
}

/// A mouse that moves does so over windows without the focus too.
fn act_of(input: &Input) -> Option<PersonAct> {
    match input {
        Input::Key(key) => (key.kind != KeyEventKind::Release).then(|| PersonAct::key(*key)),
        Input::Paste(text) => (!text.is_empty()).then_some(PersonAct::Paste),
        Input::Mouse(mouse) => matches!(mouse.kind, MouseEventKind::Down(_)).then_some(PersonAct::Click),
        Input::Resize(..) | Input::FocusGained | Input::FocusLost => None,
    }
}

/// The person's terminal got or lost the focus. A program that asked is told; it is no sign of typing.
fn focus(state: &mut State, client: ClientId, focus: TerminalFocus) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.attention.attentive = focus == TerminalFocus::Gained;
    view.attention.tells = true;
    if view.attention.attentive {
        view.attention.here = state.domain.now;
        // They may have worked in the clones elsewhere.
        view.changes.refresh();
    }
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
