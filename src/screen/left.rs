//! What a person leaves on a screen, and finds on the next one: the chat, what is marked, the filter.

use std::borrow::Cow;

use strum::VariantArray;

use crate::domain::auxiliary::AuxiliaryProgram;
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Requester;
use crate::domain::work::{ChatThen, ChatWork};
use crate::model::preferences::{LeftScreen, ScreenPlace, in_shell};
use crate::model::text::one_line;
use crate::model::{ChatId, ClientId, ScriptKind};
use crate::screen::State;

use super::keymap::{ChatAction, ChatsAction, MoveAction, PaneSheet};
use super::sidebar::Filter;
use super::surface::Surface;
use super::view::{Mode, Tab, Tone, View};
use super::{form_text, going, tab, toast};

/// Commands follow each other in a shell: one that runs for so long is written down.
const RUNS_MS: u64 = 1_000;

/// Whoever typed as their engine ended types on for so long, until they have seen it.
const HELD_MS: u64 = 1_500;

/// A screen ends: the next one begins with what it had.
pub fn keep(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let (left, mut sides) = (of(view, state), view.tabs.sides.clone());
    if let Some(chat) = view.chat.clone() {
        going::note_side(&mut sides, chat, view.tab);
    }
    (state.left_sides, state.left_at) = (sides, state.domain.now);
    write(state, left)
}

/// The screen at which somebody did something last, and what runs, if that is not kept as it is.
pub fn last(state: &State) -> Option<LeftScreen> {
    let last = state.views.values().max_by_key(|view| view.attention.here);
    let left = match last.filter(|last| last.attention.here >= state.left_at) {
        Some(last) => of(last, state),
        None => running(state),
    };
    (left != state.domain.disk.left && state.domain.disk.read_only.is_none()).then_some(left)
}

/// What nobody has seen yet, the numbers of chats, and what runs beside agents: it outlives an engine that is killed.
pub fn settle(state: &mut State) -> Vec<Effect> {
    let (left, live) = (&state.domain.disk.left, &state.domain.live);
    let is_kept = left.unseen == live.unseen && left.queried == live.listeners.queried;
    let is_kept = is_kept && left.numbers == live.looked_at.numbers && setups(state).eq(named(&left.setups));
    if !is_kept {
        return write(state, running(state));
    }
    if beside(state).eq(named(&left.beside)) {
        state.left_beside = None;
        return Vec::new();
    }
    match put_off(state) {
        Some(effects) => effects,
        None => write(state, running(state)),
    }
}

/// The last screen, with what is known beside screens as it is now.
fn running(state: &State) -> LeftScreen {
    LeftScreen {
        unseen: state.domain.live.unseen.clone(),
        queried: state.domain.live.listeners.queried.clone(),
        numbers: state.domain.live.looked_at.numbers.clone(),
        beside: owned(beside(state)),
        setups: owned(setups(state)),
        ..state.domain.disk.left.clone()
    }
}

/// Another command runs in a shell that was open before: that is written once it has run for a moment. `None` where it has,
/// and where something was opened or has ended.
fn put_off(state: &mut State) -> Option<Vec<Effect>> {
    let chats = |(chat, _)| chat;
    let is_open = named(&state.domain.disk.left.beside).map(chats);
    if !beside(state).map(chats).eq(is_open) {
        return None;
    }
    let (now, shown) = (state.domain.now, owned(beside(state)));
    match &state.left_beside {
        Some((before, due)) if *before == shown => (now < *due).then(Vec::new),
        Some(_) | None => {
            let due = now.plus_ms(RUNS_MS);
            state.left_beside = Some((shown, due));
            Some(vec![Effect::WakeAt(due)])
        }
    }
}

/// The programs that run beside agents, but for pagers: nothing is lost with one.
fn beside(state: &State) -> impl Iterator<Item = (&ChatId, Cow<'_, str>)> {
    let sides = state.domain.live.sides.values();
    let sides = sides.filter(|side| side.is_live() && side.what != AuxiliaryProgram::Page);
    sides.map(|side| match &side.front {
        Some(program) => (&side.chat, in_shell(program).into()),
        None => (&side.chat, side.called().into()),
    })
}

/// Setups at work, by their projects.
fn setups(state: &State) -> impl Iterator<Item = (&ChatId, Cow<'_, str>)> {
    let scripts = state.domain.live.scripts.values();
    let scripts = scripts.filter(|script| script.order.kind == ScriptKind::Setup && script.pid.is_some());
    scripts.filter_map(|script| Some((&script.chat, script.order.project.as_deref()?.into())))
}

fn named(kept: &[(ChatId, String)]) -> impl Iterator<Item = (&ChatId, Cow<'_, str>)> {
    kept.iter().map(|(chat, name)| (chat, name.as_str().into()))
}

fn owned<'a>(all: impl Iterator<Item = (&'a ChatId, Cow<'a, str>)>) -> Vec<(ChatId, String)> {
    all.map(|(chat, name)| (chat.clone(), name.into_owned())).collect()
}

/// After each event: what has been typed for a new chat is written down in time, and given up with its form.
pub fn settle_form(state: &mut State, client: ClientId) -> Vec<Effect> {
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if form_text::is_kept(&view.over) {
        view.over.form_text.due = None;
        return Vec::new();
    }
    let typed = form_text::text(&view.over);
    let Some(before) = view.over.form_text.settle(&typed, now) else {
        return Vec::new();
    };
    // What another screen has written down since is not given up here.
    if typed.is_empty() && state.domain.disk.left.form != before {
        return Vec::new();
    }
    let left = LeftScreen {
        form: typed,
        ..state.domain.disk.left.clone()
    };
    write(state, left)
}

/// After each event: a message or a remark that is being typed is written down in time, and given up once it is sent.
pub fn settle_words(state: &mut State, client: ClientId) -> Vec<Effect> {
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let typed = form_text::words(&view.over);
    let Some(before) = view.over.dialog_text.settle(&typed, now) else {
        return Vec::new();
    };
    // What another screen has written down since is not given up here.
    if typed.is_none() && state.domain.disk.left.words != before {
        return Vec::new();
    }
    let left = LeftScreen {
        words: typed,
        ..state.domain.disk.left.clone()
    };
    write(state, left)
}

fn write(state: &mut State, left: LeftScreen) -> Vec<Effect> {
    if left == state.domain.disk.left || state.domain.disk.read_only.is_some() {
        return Vec::new();
    }
    state.domain.disk.left.clone_from(&left);
    state.left_beside = None;
    let work = ChatWork::KeepLeft(left);
    chat::work(&mut state.domain, Requester::Nobody, ChatThen::LeftKept, work)
}

fn of(view: &View, state: &State) -> LeftScreen {
    let is_known = |chat: &&ChatId| state.domain.disk.chats.contains_key(*chat);
    LeftScreen {
        unseen: state.domain.live.unseen.clone(),
        queried: state.domain.live.listeners.queried.clone(),
        numbers: state.domain.live.looked_at.numbers.clone(),
        beside: owned(beside(state)),
        setups: owned(setups(state)),
        chat: view.chat.clone(),
        bound: view.client.bound.clone(),
        tab: tab_of(view),
        inside: view.mode == Mode::Agent,
        marked: view.sidebar.marked.clone(),
        folded: view.sidebar.folded.iter().filter(is_known).cloned().collect(),
        shut: view.sidebar.shut.clone(),
        filter: view.sidebar.wanted(),
        width: Some(view.sidebar.width).filter(|width| *width > 0),
        hidden: view.sidebar.hidden,
        form: match view.over.form_text.due {
            Some(_) => form_text::text(&view.over),
            None => state.domain.disk.left.form.clone(),
        },
        words: form_text::words(&view.over).or_else(|| state.domain.disk.left.words.clone()),
        llm: state.domain.disk.left.llm.clone(),
    }
}

/// Where a screen is, for the engine after this one.
pub fn place(view: &View) -> ScreenPlace {
    ScreenPlace {
        chat: view.chat.clone(),
        tab: tab_of(view),
        types: is_typing(view),
    }
}

fn tab_of(view: &View) -> String {
    match view.tab {
        Tab::Sheet(sheet) => <&str>::from(sheet).to_string(),
        Tab::Terminal | Tab::Side(_) => String::new(),
    }
}

/// The tab of this name, if there is one.
fn show_tab(state: &mut State, client: ClientId, name: &str) -> Vec<Effect> {
    let sheet = PaneSheet::VARIANTS.iter().find(|sheet| <&str>::from(**sheet) == name);
    sheet.map_or_else(Vec::new, |sheet| tab::toggle(state, client, *sheet))
}

/// Whether keys are text, for a program or in a field.
pub fn is_typing(view: &View) -> bool {
    let dialog = view.over.dialog.as_ref();
    dialog.is_some_and(|dialog| dialog.contract().is_typed_in())
        || matches!(
            view.behind(),
            Surface::Terminal | Surface::Filter | Surface::Search | Surface::Composer
        )
}

/// A screen outlived its engine: it shows what it showed. Keys go to no agent, as it was ended too, and what is being
/// typed is no command.
pub fn go_back(state: &mut State, client: ClientId, place: ScreenPlace) -> Vec<Effect> {
    let is_there = |chat: &ChatId| state.domain.disk.chats.contains_key(chat);
    let Some(chat) = place.chat.filter(is_there) else {
        return go_on(state, client);
    };
    let mut effects = going::select(state, client, Some(chat));
    effects.extend(show_tab(state, client, &place.tab));
    let until = state.domain.now.plus_ms(HELD_MS);
    let is_typed = !state.domain.disk.left.form.is_empty();
    let has_words = state.domain.disk.left.words.is_some();
    if let Some(view) = state.views.get_mut(&client).filter(|_| place.types) {
        view.over.guard.closed("what you typed in has", until);
        let key = state.leads(client, ChatAction::Enter);
        let mut text =
            format!("The engine ended, and a new one runs. Its agents ended too: {key} goes on with this one.");
        if is_typed {
            let key = state.leads(client, ChatsAction::NewChat);
            text.push_str(&format!(" What you typed for a new chat is kept: {key}."));
        }
        if has_words {
            text.push_str(" A message or a remark that you had not sent is in its dialog when you open that.");
        }
        toast::tell(state, client, text, Tone::Told);
    }
    effects
}

/// What is marked or folded and the place of the list stay so, whatever the new screen shows, and what was typed in a dialog is there for it.
pub fn mark(state: &mut State, client: ClientId) {
    if let Some(view) = state.views.get_mut(&client) {
        let left = &state.domain.disk.left;
        view.sidebar.marked.clone_from(&left.marked);
        view.sidebar.folded.clone_from(&left.folded);
        view.sidebar.shut.clone_from(&left.shut);
        view.sidebar.width = left.width.unwrap_or_default();
        view.sidebar.hidden = left.hidden;
    }
    form_text::take_words(state, client);
}

/// A person asked for no chat. That of their directory is shown once; whoever comes back from it finds what they left.
pub fn come(state: &mut State, client: ClientId) -> Vec<Effect> {
    let left = state.domain.disk.left.clone();
    let bound = state.views.get(&client).and_then(|view| view.client.bound.clone());
    let is_there = |state: &State, chat: &ChatId| state.domain.disk.chats.contains_key(chat);
    if let Some(gone) = bound.as_ref().filter(|chat| !is_there(state, chat)) {
        let text = format!(
            "The chat of this directory was deleted. `parlour undo-rm {gone}` may bring it back, `parlour chat unbind` \
             binds the directory to none."
        );
        toast::tell(state, client, text, Tone::Told);
    }
    let Some(chat) = bound.filter(|chat| is_there(state, chat) && left.bound.as_ref() != Some(chat)) else {
        return go_on(state, client);
    };
    // Whoever left from outside of agents, or from another one, types in none unasked.
    if left.chat.as_ref() == Some(&chat) {
        return go_on(state, client);
    }
    let mut effects = going::select(state, client, Some(chat.clone()));
    if left.chat.is_none() {
        effects.extend(going::go_in(state, client, chat.clone()));
    }
    if let Some(before) = left.chat.filter(|before| is_there(state, before)) {
        let named = |chat: &ChatId| one_line(&chat::handle(&state.domain, chat), 60);
        let key = state.leads(client, MoveAction::LastChat);
        let (shown, last) = (named(&chat), named(&before));
        let text = format!("This is {shown}, the chat of this directory. {key} goes back to {last}.");
        toast::tell(state, client, text, Tone::Told);
        if let Some(view) = state.views.get_mut(&client) {
            view.sidebar.last = Some(before);
        }
    }
    effects
}

/// They go on where they left. An agent that has ended since is not started.
fn go_on(state: &mut State, client: ClientId) -> Vec<Effect> {
    let left = state.domain.disk.left.clone();
    let is_there = |chat: &ChatId| state.domain.disk.chats.contains_key(chat);
    let Some(chat) = left.chat.filter(is_there) else {
        return Vec::new();
    };
    let is_live = state.domain.status(&chat).is_live();
    if let Some(view) = state.views.get_mut(&client) {
        view.tabs.sides.clone_from(&state.left_sides);
    }
    let was_beside = state.left_sides.contains_key(&chat);
    let mut effects = going::select(state, client, Some(chat.clone()));
    let is_beside = state.views.get(&client).is_some_and(|view| view.tab != Tab::Terminal);
    // What was typed into a terminal that is gone is not for the agent.
    let goes_in = is_beside || is_live && !was_beside;
    if left.inside && goes_in {
        effects.extend(going::go_in_shown(state, client, chat));
    } else if !left.tab.is_empty() {
        effects.extend(show_tab(state, client, &left.tab));
    } else if let Some(view) = state.views.get_mut(&client).filter(|_| !left.filter.is_empty()) {
        view.sidebar.filter = Some(Filter::new(&state.domain, &left.filter, Some(chat)));
    }
    effects
}
