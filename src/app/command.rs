//! What each command does. Keys, the leader menu and the mouse all come here.

use crate::model::chat::Place;
use crate::model::request::NewChat;
use crate::model::{ChatId, ClientId, Status};

use super::dialog::{self, AfterHalt, Dialog, Field, Halt, Room, Wish};
use super::effect::{Effect, Job};
use super::keymap::{Action, Keymap};
use super::reading::Reading;
use super::sidebar::Filter;
use super::state::{Asker, State, Then, Waiting};
use super::view::{Focus, Mode, Tone, View};
use super::{agent, chat, copy, duplicate, gate, inspector, layout, reading, toast};

pub fn run(state: &mut State, client: ClientId, action: Action) -> Vec<Effect> {
    match action {
        Action::Enter if in_inspector(state, client) => {
            inspector::open(state, client);
            Vec::new()
        }
        Action::Enter => with_chat(state, client, go_in),
        Action::NewChat => new_chat(state, client),
        Action::OpenProject => with_chat(state, client, |state, client, chat| {
            let project = dialog::Project::new(state, client, &chat);
            open(state, client, Dialog::Project(Box::new(project)))
        }),
        Action::Rename => with_chat(state, client, |state, client, chat| {
            let rename = dialog::Rename::new(state, &chat);
            open(state, client, Dialog::Rename(Box::new(rename)))
        }),
        Action::Interrupt => with_chat(state, client, |state, _, chat| agent::interrupt(state, &chat)),
        Action::Stop => with_chat(state, client, stop),
        Action::Restart => with_chat(state, client, restart),
        Action::Delete => with_chat(state, client, delete),
        Action::UndoDelete => undo_delete(state, client),
        Action::Recreate => with_chat(state, client, recreate),
        Action::Duplicate => with_chat(state, client, |state, client, chat| {
            let env = state.views.get(&client).map(|view| view.env.clone());
            duplicate::begin(state, &chat, None, env.unwrap_or_default(), Asker::Screen(client))
        }),
        Action::Demo => demo(state, client),
        Action::Up => up_or_down(state, client, -1),
        Action::Down => up_or_down(state, client, 1),
        Action::First if in_inspector(state, client) => {
            inspector::to_first(state, client);
            Vec::new()
        }
        Action::Last if in_inspector(state, client) => {
            inspector::to_last(state, client);
            Vec::new()
        }
        Action::First => select_by(state, client, |chats, _| chats.first().cloned()),
        Action::Last => select_by(state, client, |chats, _| chats.last().cloned()),
        Action::NextWaiting => next_waiting(state, client),
        Action::Approvals => approvals(state, client),
        Action::Filter => filter(state, client),
        Action::SwitchFocus => switch_focus(state, client),
        Action::ScrollUp => scroll_page(state, client, -1),
        Action::ScrollDown => scroll_page(state, client, 1),
        Action::ScrollEnd => {
            reading::follow(state, client);
            Vec::new()
        }
        Action::CopyMode => with_chat(state, client, |state, client, _| copy::begin(state, client)),
        Action::Zoom => zoom(state, client),
        Action::Sidebar => toggle_sidebar(state, client),
        Action::Inspector => {
            inspector::toggle(state, client);
            Vec::new()
        }
        Action::Log => open(state, client, Dialog::Log(dialog::Log::default())),
        Action::Palette => open(state, client, Dialog::Palette(Box::default())),
        Action::Help => open(state, client, Dialog::Help(dialog::Help::default())),
        Action::Detach => vec![detach(state, client)],
    }
}

/// Why a command has nothing to work on now.
pub fn why_not(state: &State, client: ClientId, action: Action) -> Option<&'static str> {
    let view = state.views.get(&client)?;
    let chat = view.chat.as_ref();
    let live = chat.is_some_and(|chat| state.status(chat).is_live());
    let gone = chat
        .and_then(|chat| state.disk.chats.get(chat))
        .is_some_and(|chat| chat.place == Place::Gone);
    let text = reading::live(state, view).is_some();
    let (possible, else_because) = match action {
        Action::Enter
        | Action::OpenProject
        | Action::Rename
        | Action::Duplicate
        | Action::Restart
        | Action::Delete
        | Action::Zoom => (chat.is_some(), "no chat is selected"),
        Action::Interrupt | Action::Stop => (live, "no agent runs here"),
        Action::Recreate => (gone, "none has vanished"),
        Action::UndoDelete => (!view.deleted.is_empty(), "none was deleted here"),
        Action::Up | Action::Down | Action::First | Action::Last | Action::NextWaiting | Action::Filter => {
            (!state.disk.chats.is_empty(), "there are no chats")
        }
        Action::ScrollUp | Action::ScrollDown | Action::CopyMode => (text, "no terminal is shown"),
        Action::ScrollEnd => (view.reading.top.is_some(), "it is at the newest line"),
        Action::NewChat
        | Action::Approvals
        | Action::Demo
        | Action::SwitchFocus
        | Action::Sidebar
        | Action::Inspector
        | Action::Log
        | Action::Palette
        | Action::Help
        | Action::Detach => (true, ""),
    };
    (!possible).then_some(else_because)
}

/// Shows another chat, from its newest line.
pub fn select(state: &mut State, client: ClientId, chat: Option<ChatId>) -> Vec<Effect> {
    if let Some(view) = state.views.get_mut(&client).filter(|view| view.chat != chat) {
        view.chat = chat;
        view.reading = Reading::default();
    }
    Vec::new()
}

/// Keys go to the agent from now on; one that has ended is resumed.
pub fn go_in(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let gone = state
        .disk
        .chats
        .get(&chat)
        .is_some_and(|chat| chat.place == Place::Gone);
    let live = state.status(&chat).is_live();
    if gone && !live {
        let keymap = Keymap::of(&state.disk.settings);
        let (anew, delete) = (keymap.key(Action::Recreate), keymap.key(Action::Delete));
        let text = format!("The directory of this chat is gone. {anew} makes it anew, {delete} deletes the chat.");
        toast::tell(state, client, text, Tone::Failed);
        return Vec::new();
    }
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.mode = Mode::Agent;
    view.focus = Focus::Pane;
    view.sidebar.filter = None;
    let (env, size) = (view.env.clone(), layout::pane_size(view));
    match live {
        true => agent::resize(state, &chat, client, size),
        // Its terminal gets this pane's size once it is there.
        false => agent::resume(state, &chat, env, Asker::Screen(client)),
    }
}

fn with_chat(
    state: &mut State,
    client: ClientId,
    work: impl FnOnce(&mut State, ClientId, ChatId) -> Vec<Effect>,
) -> Vec<Effect> {
    match state.views.get(&client).and_then(|view| view.chat.clone()) {
        Some(chat) => work(state, client, chat),
        None => {
            let key = Keymap::of(&state.disk.settings).key(Action::NewChat);
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

fn open(state: &mut State, client: ClientId, dialog: Dialog) -> Vec<Effect> {
    if let Some(view) = state.views.get_mut(&client) {
        view.dialog = Some(dialog);
    }
    Vec::new()
}

/// Which agent CLIs there are is looked up again: one may have been installed since.
fn new_chat(state: &mut State, client: ClientId) -> Vec<Effect> {
    let new = dialog::NewChat::new(state, client);
    open(state, client, Dialog::NewChat(Box::new(new)));
    let Some(env) = state.views.get(&client).map(|view| view.env.clone()) else {
        return Vec::new();
    };
    let work = state.ids.work();
    let waiting = Waiting {
        asker: Asker::Nobody,
        then: Then::Nothing,
    };
    state.live.waiting.insert(work, waiting);
    let path = env.get("PATH").cloned().unwrap_or_default();
    vec![Effect::Work(work, Job::Detect { path, env })]
}

fn stop(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    if !state.status(&chat).is_live() {
        toast::tell(state, client, "Its agent does not run.", Tone::Told);
        return Vec::new();
    }
    let halt = Halt::new(state, &chat, AfterHalt::Rest);
    open(state, client, Dialog::Stop(halt))
}

/// Asks only where a turn would be broken off.
fn restart(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    match state.status(&chat) {
        Status::Running(_) | Status::NeedsYou(_) | Status::Unknown(_) => {
            let halt = Halt::new(state, &chat, AfterHalt::StartAgain);
            open(state, client, Dialog::Stop(halt))
        }
        Status::Starting | Status::Idle | Status::Error(_) | Status::Exited(_) | Status::Hibernated => {
            Wish::Restart(chat).carry_out(state, client)
        }
    }
}

fn delete(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let delete = dialog::Delete::new(state, &chat);
    open(state, client, Dialog::Delete(delete));
    let then = Then::ShowLosses(client, chat.clone());
    chat::losses(state, &chat, then, Asker::Screen(client))
}

fn undo_delete(state: &mut State, client: ClientId) -> Vec<Effect> {
    match state.views.get_mut(&client).and_then(|view| view.deleted.pop()) {
        Some(chat) => chat::restore(state, chat.to_string(), Asker::Screen(client)),
        None => {
            let text = "Nothing was deleted here. `parlour undo-rm CHAT` brings back older ones.";
            toast::tell(state, client, text, Tone::Told);
            Vec::new()
        }
    }
}

/// Shows a chat from outside its agent.
pub fn show(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    match state.status(&chat).is_live() {
        true => {
            let mut effects = select(state, client, Some(chat.clone()));
            effects.extend(go_in(state, client, chat));
            effects
        }
        false => select(state, client, Some(chat)),
    }
}

/// The chat that is shown comes first, if its agent asks something.
fn approvals(state: &mut State, client: ClientId) -> Vec<Effect> {
    let chat = state.views.get(&client).and_then(|view| view.chat.clone());
    let of_chat = gate::open(state)
        .into_iter()
        .find(|(asking, _)| Some(asking) == chat.as_ref())
        .map(|(chat, question)| (chat, question.id.clone()));
    let approvals = dialog::Approvals {
        at: of_chat,
        scroll: 0,
        shown: state.now,
    };
    open(state, client, Dialog::Approvals(approvals))
}

fn recreate(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let here = state.disk.chats.get(&chat).is_none_or(|chat| chat.place == Place::Here);
    if here {
        toast::tell(state, client, "The directory of this chat is where it was.", Tone::Told);
        return Vec::new();
    }
    chat::recreate(state, &chat, Asker::Screen(client))
}

fn demo(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let new = NewChat {
        cwd: view.cwd.clone(),
        env: view.env.clone(),
        ..NewChat::default()
    };
    chat::demo(state, new, Asker::Screen(client))
}

/// Plain keys are the inspector's.
fn in_inspector(state: &State, client: ClientId) -> bool {
    let there = |view: &View| {
        view.focus == Focus::Inspector && view.mode == Mode::Outside && layout::arrange(view).inspector.is_some()
    };
    state.views.get(&client).is_some_and(there)
}

fn up_or_down(state: &mut State, client: ClientId, by: isize) -> Vec<Effect> {
    let on_pane = |view: &View| view.focus == Focus::Pane && view.mode == Mode::Outside;
    if in_inspector(state, client) {
        inspector::step(state, client, by);
        return Vec::new();
    }
    if state.views.get(&client).is_some_and(on_pane) {
        return reading::scroll(state, client, by as i64);
    }
    select_by(state, client, |chats, at| match at {
        Some(at) => chats.get(at.saturating_add_signed(by)).cloned(),
        None => chats.first().cloned(),
    })
}

/// Selects what `choose` finds among the sidebar's chats, given where the selection is now.
fn select_by(
    state: &mut State,
    client: ClientId,
    choose: impl FnOnce(&[ChatId], Option<usize>) -> Option<ChatId>,
) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let chats: Vec<ChatId> = view.sidebar.chats().cloned().collect();
    let at = chats.iter().position(|chat| Some(chat) == view.chat.as_ref());
    match choose(&chats, at) {
        Some(chat) => select(state, client, Some(chat)),
        None => Vec::new(),
    }
}

/// The next chat below, round the end, whose agent waits; where none does, one that came to rest unseen.
fn next_waiting(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let chats: Vec<ChatId> = view.sidebar.chats().cloned().collect();
    let at = chats.iter().position(|chat| Some(chat) == view.chat.as_ref());
    let after = at.map_or(0, |at| at + 1);
    let round: Vec<&ChatId> = chats.iter().cycle().skip(after).take(chats.len()).collect();
    let waits = |chat: &&&ChatId| matches!(state.status(chat), Status::NeedsYou(_) | Status::Error(_));
    let unseen = |chat: &&&ChatId| state.live.unseen.contains(**chat);
    let next = round.iter().find(waits).or_else(|| round.iter().find(unseen));
    match next.map(|chat| (**chat).clone()) {
        Some(chat) => select(state, client, Some(chat)),
        None => {
            toast::tell(state, client, "No agent waits for you.", Tone::Told);
            Vec::new()
        }
    }
}

fn filter(state: &mut State, client: ClientId) -> Vec<Effect> {
    if let Some(view) = state.views.get_mut(&client) {
        view.mode = Mode::Outside;
        view.focus = Focus::Sidebar;
        view.sidebar.hidden = false;
        view.zoomed = false;
        let before = view.chat.clone();
        view.sidebar.filter = Some(Filter {
            field: Field::new("", Room::Line),
            before,
        });
    }
    Vec::new()
}

fn switch_focus(state: &mut State, client: ClientId) -> Vec<Effect> {
    if let Some(view) = state.views.get_mut(&client) {
        view.mode = Mode::Outside;
        view.focus = match view.focus {
            Focus::Sidebar => Focus::Pane,
            Focus::Pane if layout::arrange(view).inspector.is_some() => Focus::Inspector,
            Focus::Pane | Focus::Inspector => Focus::Sidebar,
        };
        view.sidebar.hidden &= view.focus != Focus::Sidebar;
    }
    Vec::new()
}

fn scroll_page(state: &mut State, client: ClientId, by: i64) -> Vec<Effect> {
    if in_inspector(state, client) {
        inspector::wheel(state, client, by as isize);
        return Vec::new();
    }
    let rows = state.views.get(&client).map_or(0, |view| layout::pane_size(view).rows);
    // One line stays, to read on from.
    let page = i64::from(rows.saturating_sub(1).max(1));
    reading::scroll(state, client, by * page)
}

fn zoom(state: &mut State, client: ClientId) -> Vec<Effect> {
    if let Some(view) = state.views.get_mut(&client) {
        view.zoomed = !view.zoomed && view.chat.is_some();
    }
    Vec::new()
}

fn toggle_sidebar(state: &mut State, client: ClientId) -> Vec<Effect> {
    if let Some(view) = state.views.get_mut(&client) {
        view.sidebar.hidden = !view.sidebar.hidden;
        view.focus = match view.sidebar.hidden {
            true => Focus::Pane,
            false => Focus::Sidebar,
        };
    }
    Vec::new()
}

fn detach(state: &State, client: ClientId) -> Effect {
    let live = state
        .disk
        .chats
        .keys()
        .filter(|chat| state.status(chat).is_live())
        .count();
    let running = match live {
        0 => "No agent is running".to_string(),
        1 => "One agent runs on".to_string(),
        many => format!("{many} agents run on"),
    };
    Effect::Bye(client, format!("Detached. {running}; `parlour` brings you back."))
}
