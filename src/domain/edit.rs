//! A person's editor in a clone of a chat, in a terminal beside the agent's. One a chat.

use std::collections::BTreeMap;

use serde_json::json;

use crate::model::script::How;
use crate::model::{ChatId, ClientId, Problem, WorkId};

use super::effect::{Effect, Job};
use super::side::{self, Side, What};
use super::state::{Asker, State, Then, Waiting};
use super::{chat, done};
use crate::screen::dialog::{AfterHalt, Dialog, Halt};
use crate::screen::toast;
use crate::screen::view::Tone;

/// What is to be opened, and in which of the chat's directories; the first where none is named.
pub struct Wanted {
    pub dir: Option<String>,
    pub env: BTreeMap<String, String>,
}

/// Opens it, or shows the one that is open.
pub fn open(state: &mut State, chat: &ChatId, wanted: Wanted, asker: Asker) -> Vec<Effect> {
    if let Some(number) = running(state, chat) {
        return told(state, number, asker);
    }
    let on_its_way = |side: &Side| side.chat == *chat && side.what == What::Edit;
    if state.live.sides.values().any(on_its_way) {
        let problem = Problem::new("opening your editor", "it is being opened", "wait a moment");
        return done::answer(state, asker, Err(problem));
    }
    let size = side::first_size(state, asker);
    let number = state.ids.work();
    let waiting = Waiting {
        asker: Asker::Nobody,
        then: Then::Edit,
    };
    state.live.waiting.insert(number, waiting);
    let side = Side::new(chat.clone(), What::Edit, size, asker);
    state.live.sides.insert(number, side);
    let job = Job::Edit {
        number,
        chat: chat.clone(),
        dir: wanted.dir,
        env: wanted.env,
        size,
    };
    vec![Effect::Work(number, job)]
}

/// As a person at a screen wants it.
pub fn press(state: &mut State, client: ClientId, chat: &ChatId) -> Vec<Effect> {
    if let Some(number) = running(state, chat) {
        return side::enter(state, client, number);
    }
    let env = state.views.get(&client).map(|view| view.env.clone());
    let wanted = Wanted {
        dir: None,
        env: env.unwrap_or_default(),
    };
    open(state, chat, wanted, Asker::Screen(client))
}

/// The editor that is open in a chat.
pub fn running(state: &State, chat: &ChatId) -> Option<WorkId> {
    let mut sides = side::of_chat(state, chat);
    sides
        .find(|(_, side)| side.what == What::Edit)
        .map(|(number, _)| number)
}

pub fn started(state: &mut State, number: WorkId) -> Vec<Effect> {
    let Some(side) = state.live.sides.get_mut(&number) else {
        return Vec::new();
    };
    let asker = std::mem::replace(&mut side.asker, Asker::Nobody);
    told(state, number, asker)
}

/// It is open: who asked for it at a screen types in it from now on, unless they went or typed elsewhere.
fn told(state: &mut State, number: WorkId, asker: Asker) -> Vec<Effect> {
    let Some(chat) = state.live.sides.get(&number).map(|side| side.chat.clone()) else {
        return Vec::new();
    };
    if let Asker::Screen(client) = asker {
        if side::is_awaited(state, client, number) {
            return side::enter(state, client, number);
        }
        side::point(state, client, number);
        return Vec::new();
    }
    let told = json!({"id": chat, "handle": chat::handle(state, &chat)});
    done::answer(state, asker, Ok(told))
}

/// Its tab closes; that it failed is said.
pub fn ended(state: &mut State, number: WorkId, how: &How) -> Vec<Effect> {
    let Some(side) = state.live.sides.get(&number) else {
        return Vec::new();
    };
    let trouble = how.trouble().map(|trouble| format!("The editor {trouble}."));
    let (chat, asker) = (side.chat.clone(), side.asker);
    let waited = side.stage == side::Stage::Starting && asker != Asker::Nobody;
    let effects = side::close(state, number);
    let Some(trouble) = trouble else {
        return effects;
    };
    if waited {
        let problem = Problem::new("opening your editor", trouble, "");
        return [effects, done::answer(state, asker, Err(problem))].concat();
    }
    let views = state.views.iter().filter(|(_, view)| view.chat.as_ref() == Some(&chat));
    let clients: Vec<ClientId> = views.map(|(client, _)| *client).collect();
    for client in clients {
        toast::tell(state, client, trouble.clone(), Tone::Failed);
    }
    effects
}

/// It was never started.
pub fn failed(state: &mut State, number: WorkId, problem: Problem) -> Vec<Effect> {
    let asker = state.live.sides.get(&number).map_or(Asker::Nobody, |side| side.asker);
    let mut effects = side::close(state, number);
    effects.extend(done::answer(state, asker, Err(problem)));
    effects
}

/// Asks before it is ended: what it has not saved is lost.
pub fn ask_to_end(state: &mut State, client: ClientId, chat: &ChatId) -> Vec<Effect> {
    let halt = Halt::new(state, chat, AfterHalt::EditorGone);
    if let Some(view) = state.views.get_mut(&client) {
        view.dialog = Some(Dialog::Stop(halt));
    }
    Vec::new()
}

pub fn end(state: &mut State, chat: &ChatId) -> Vec<Effect> {
    match running(state, chat) {
        Some(number) => chat::work(state, Asker::Nobody, Then::Nothing, Job::StopScript(number)),
        None => Vec::new(),
    }
}
