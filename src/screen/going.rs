//! Going to a chat: it is selected, shown, or typed in from now on.

use std::collections::BTreeMap;

use crate::domain::auxiliary::Side;
use crate::domain::effect::{Effect, PaneOrder};
use crate::domain::state::Requester;
use crate::domain::{agent, edit, opening};
use crate::model::chat::DirectoryPlace;
use crate::model::output::OpenedWith;
use crate::model::{Chat, ChatId, ClientId, Status, WorkId};
use crate::screen::State;

use super::keymap::{ChatAction, ChatsAction};
use super::view::{Focus, Mode, Tab, Tone, View};
use super::{layout, side, toast};

/// Shows another chat, where this person was in it: its agent's terminal, or the one beside it where that was left running.
pub fn select(state: &mut State, client: ClientId, chat: Option<ChatId>) -> Vec<Effect> {
    let now = state.domain.now;
    let sides = &state.domain.live.sides;
    let chats = &state.domain.disk.chats;
    let is_shell = |chat: &Option<ChatId>| {
        chat.as_ref()
            .and_then(|chat| chats.get(chat))
            .is_some_and(Chat::is_shell)
    };
    if let Some(view) = state.views.get_mut(&client).filter(|view| view.chat != chat) {
        // Whoever passed over a chat was not there, and what a filter selects meanwhile was not gone to.
        let is_filtered = view.sidebar.filter.is_some();
        if let Some(before) = view
            .chat
            .clone()
            .filter(|before| !is_filtered && view.sees(before, now))
        {
            view.sidebar.last = Some(before);
        }
        let way = ShellWay {
            from: is_shell(&view.chat),
            to: is_shell(&chat),
        };
        let left = std::mem::take(&mut view.reading).left();
        let (pane, before) = (view.pane().filter(|_| view.grid.is_none()), view.chat.clone());
        if let Some(before) = before {
            view.tabs.read.remove(&before);
            view.tabs.read.extend(pane.zip(left).map(|left| (before, left)));
        }
        let in_grid = view.shown_grid().is_some();
        if let Some(before) = view.chat.take() {
            if !in_grid {
                note_side(&mut view.tabs.sides, before.clone(), view.tab);
            }
            // They were here since it ended.
            let runs = |number: &WorkId| sides.get(number).is_some_and(Side::is_live);
            view.tabs.sides.retain(|chat, number| *chat != before || runs(number));
            note_sheet(view, before);
        }
        if let Some(chat) = chat.as_ref().filter(|_| view.grid.is_none()) {
            change_sheet(view, chat, way);
        }
        if view.tab.is_terminal() {
            let left = chat.as_ref().filter(|_| view.grid.is_none());
            let left = left.and_then(|chat| view.tabs.sides.get(chat).copied());
            let running = left.filter(|number| sides.get(number).is_some_and(Side::is_live));
            view.tab = running.map_or(Tab::Terminal, Tab::Side);
            if running != left {
                // Keys that are meant for it are not for the agent.
                view.mode = Mode::Outside;
            }
        }
        view.tabs.came = view.sheet().map(|_| now);
        view.chat = chat;
        let asks = |chat: &ChatId| matches!(state.domain.status(chat), Status::NeedsYou(_));
        let asks = view.chat.as_ref().is_some_and(asks);
        return read_on(view, client, asks);
    }
    Vec::new()
}

/// Whoever had scrolled back in a terminal finds it as they left it, as far as its lines are kept. What its agent asks stands
/// at the newest ones.
fn read_on(view: &mut View, client: ClientId, asks: bool) -> Vec<Effect> {
    let Some(chat) = view.chat.clone().filter(|_| view.grid.is_none()) else {
        return Vec::new();
    };
    let read = view.tabs.read.remove(&chat);
    let read = read.filter(|(pane, _)| !asks && view.pane().as_ref() == Some(pane));
    let Some((pane, reading)) = read else {
        return Vec::new();
    };
    view.reading = reading;
    let line = view.reading.top;
    let look = line.map(|line| Effect::Pane(pane, PaneOrder::View { client, line }));
    look.into_iter().collect()
}

/// Keeps in mind where a person was in a chat that they leave: in a terminal beside its agent, or in the agent's. A tab that
/// parlour draws stands in place of either.
pub(super) fn note_side(sides: &mut BTreeMap<ChatId, WorkId>, chat: ChatId, tab: Tab) {
    match tab {
        Tab::Side(number) => _ = sides.insert(chat, number),
        Tab::Terminal => _ = sides.remove(&chat),
        Tab::Sheet(_) => {}
    }
}

/// Whether one goes from a shell, or to one.
struct ShellWay {
    from: bool,
    to: bool,
}

fn note_sheet(view: &mut View, chat: ChatId) {
    let tabs = &mut view.tabs;
    match view.mode {
        Mode::Agent => _ = tabs.typed_in.insert(chat.clone()),
        Mode::Outside => _ = tabs.typed_in.remove(&chat),
    }
    match view.tab {
        Tab::Sheet(sheet) => _ = tabs.sheets.insert(chat, sheet),
        Tab::Terminal | Tab::Side(_) => _ = tabs.sheets.remove(&chat),
    }
}

/// A sheet comes along from chat to chat, but not to a shell, whose terminal is what one goes there for: there it is put aside,
/// and taken up again behind it. A sheet of its own is shown where one was left there.
fn change_sheet(view: &mut View, chat: &ChatId, way: ShellWay) {
    let own = view.tabs.sheets.get(chat).copied();
    match (view.tab, way) {
        (Tab::Sheet(sheet), ShellWay { from, to: true }) => {
            if !from {
                view.tabs.aside = Some(sheet);
            }
            view.tab = own.map_or(Tab::Terminal, Tab::Sheet);
            let has_keys = view.focus == Focus::Pane && view.tab == Tab::Terminal;
            if has_keys && view.tabs.typed_in.contains(chat) {
                view.mode = Mode::Agent;
            }
        }
        (Tab::Terminal | Tab::Side(_), ShellWay { from: true, to: false }) => {
            // Whoever typed in the shell was there, and did not only pass over it.
            let aside = view.tabs.aside.take().filter(|_| view.mode == Mode::Outside);
            if let Some(sheet) = own.or(aside) {
                view.tab = Tab::Sheet(sheet);
                view.mode = Mode::Outside;
            }
        }
        (Tab::Terminal | Tab::Side(_) | Tab::Sheet(_), _) => {}
    }
}

/// Shows a chat, and leads into what runs there: where this person was in it.
pub fn show(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let is_there = state
        .views
        .get(&client)
        .is_some_and(|view| view.chat.as_ref() == Some(&chat));
    let is_lost = !is_there && has_lost_side(state, client, &chat);
    let mut effects = select(state, client, Some(chat.clone()));
    let beside = state.views.get(&client).and_then(|view| side::shown(state, view));
    match beside.filter(|(_, side)| side.is_live()) {
        Some((number, _)) => effects.extend(side::enter(state, client, number)),
        None if !is_lost && state.domain.status(&chat).is_live() => effects.extend(go_in(state, client, chat)),
        None => {}
    }
    effects
}

/// As [`show`], in the terminal of its agent.
pub fn show_agent(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let mut effects = select(state, client, Some(chat.clone()));
    if state.domain.status(&chat).is_live() {
        effects.extend(go_in(state, client, chat));
    }
    effects
}

/// Goes to a person's editor or shell beside the agent, or from there back.
pub(super) fn open_beside(state: &mut State, client: ClientId, chat: &ChatId, with: OpenedWith) -> Vec<Effect> {
    let typed_in = side::typed_in(state, client);
    match typed_in.is_some() && typed_in == edit::running(&state.domain, chat, with) {
        true => back_to_agent(state, client, chat.clone()),
        false => side::press_open(state, client, chat, with),
    }
}

/// From within the agent or outside of it into what is shown, or from the terminal beside it back.
pub(super) fn enter(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    match side::typed_in(state, client) {
        Some(_) => back_to_agent(state, client, chat),
        None => go_in_shown(state, client, chat),
    }
}

/// From the terminal in which they type to the agent beside it, which is not resumed for that.
fn back_to_agent(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    if state.domain.status(&chat).is_live() {
        return go_in(state, client, chat);
    }
    if let Some(view) = state.views.get_mut(&client) {
        view.show(Tab::Terminal);
        view.mode = Mode::Outside;
    }
    Vec::new()
}

/// Keys go to what is shown from now on: the agent, or the terminal beside it. A run that has ended is run again.
pub fn go_in_shown(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let shown = state.views.get(&client).and_then(|view| side::shown(state, view));
    match shown.map(|(number, side)| (number, side.is_live())) {
        Some((number, true)) => side::enter(state, client, number),
        Some((number, false)) => side::restart_shown(state, client, number),
        None => go_in(state, client, chat),
    }
}

/// A person left this chat in a terminal beside its agent that has ended since: what they type for it is not for the agent.
pub(super) fn has_lost_side(state: &State, client: ClientId, chat: &ChatId) -> bool {
    let view = state.views.get(&client);
    let left = view.and_then(|view| view.tabs.sides.get(chat));
    let sides = &state.domain.live.sides;
    left.is_some_and(|number| !sides.get(number).is_some_and(Side::is_live))
}

/// What becomes of a program that has ended, where a person goes into its terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedProgram {
    Starts,
    /// What it has said last is to be read first.
    Stays,
}

/// Keys go to the terminal of this chat from now on, whatever else was shown.
pub(super) fn go_in_at(state: &mut State, client: ClientId, chat: ChatId, ended: EndedProgram) -> Vec<Effect> {
    let shown = state.views.get(&client).and_then(|view| side::shown(state, view));
    let runs_beside = shown.is_some_and(|(_, side)| side.is_live());
    if let Some(view) = state.views.get_mut(&client).filter(|_| !runs_beside) {
        // What has ended beside the agent is run again by Enter alone.
        view.show(Tab::Terminal);
    }
    let effects = match runs_beside || ended == EndedProgram::Starts || state.domain.status(&chat).is_live() {
        true => go_in_shown(state, client, chat),
        false => Vec::new(),
    };
    // Also where nothing runs yet: what is typed next is no command.
    let outside = |view: &&mut View| view.mode == Mode::Outside && view.over.dialog.is_none();
    if let Some(view) = state.views.get_mut(&client).filter(outside) {
        (view.mode, view.focus) = (Mode::Agent, Focus::Pane);
        view.show(Tab::Terminal);
        view.end_filter();
    }
    effects
}

/// Keys go to the agent from now on; one that has ended is resumed.
pub fn go_in(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let gone = state
        .domain
        .disk
        .chats
        .get(&chat)
        .is_some_and(|chat| chat.place == DirectoryPlace::Gone);
    let live = state.domain.status(&chat).is_live();
    if opening::is_being_made(&state.domain, &chat) {
        let doing = opening::words(&state.domain, &chat).unwrap_or("opening its projects");
        let runs = state.domain.disk.what_runs(&chat);
        let text = format!("Its {runs} starts when its projects are open: {doing}.");
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    }
    if gone && !live {
        let key = |action: ChatAction| state.leads(client, action);
        let (again, delete) = (key(ChatAction::Recreate), key(ChatAction::Delete));
        let text = format!("The directory of this chat is gone. {again} makes it again, {delete} deletes the chat.");
        toast::tell(state, client, text, Tone::Failed);
        return Vec::new();
    }
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.mode = Mode::Agent;
    view.focus = Focus::Pane;
    view.show(Tab::Terminal);
    view.end_filter();
    let (env, size) = (view.client.env.clone(), layout::pane_size(view));
    match live {
        true => agent::resize(&mut state.domain, &chat, client, size),
        // Its terminal gets this pane's size once it is there.
        false => agent::resume(&mut state.domain, &chat, env, Requester::screen(client)),
    }
}

pub(super) fn with_chat(
    state: &mut State,
    client: ClientId,
    work: impl FnOnce(&mut State, ClientId, ChatId) -> Vec<Effect>,
) -> Vec<Effect> {
    match state.views.get(&client).and_then(|view| view.chat.clone()) {
        Some(chat) => work(state, client, chat),
        None => {
            let key = state.keymap.key(ChatsAction::NewChat);
            toast::tell(
                state,
                client,
                format!("There is no chat yet: {key} makes one."),
                Tone::Told,
            );
            Vec::new()
        }
    }
}
