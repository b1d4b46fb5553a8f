//! Directories opened in a chat.

pub mod done;
pub mod work;

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::domain::work::{ProjectThen, ProjectWork, Read, ReadThen};
use crate::model::open_dir::OpenDir;
use crate::model::tool::{OpenDirAnswer, ProjectCall, SaveProjectSetup};
use crate::model::{AreaMode, CallId, Chat, ChatId, Happened, WorkId};

use super::chat;
use super::effect::Effect;
use super::state::{Domain, Requester};

/// What an agent asks about the projects of its chat.
pub fn tool(state: &mut Domain, chat: &ChatId, asked: ProjectCall, requester: Requester) -> Vec<Effect> {
    match asked {
        ProjectCall::Open(dir) => open(state, chat, dir, requester),
        ProjectCall::List => chat::work(state, requester, ReadThen::Answer, Read::Tally(chat.clone())),
        ProjectCall::SaveSetup(SaveProjectSetup { project, files }) => {
            let chat = chat.clone();
            let job = ProjectWork::SaveSetup { chat, project, files };
            chat::work(state, requester, ProjectThen::Answer, job)
        }
    }
}

/// Opens a repository or directory in a chat.
pub fn open(state: &mut Domain, chat: &ChatId, open: OpenDir, requester: Requester) -> Vec<Effect> {
    let job = open_job(state, chat, open, requester);
    chat::work(state, requester, ProjectThen::Answer, job)
}

pub fn open_job(state: &Domain, chat: &ChatId, open: OpenDir, requester: Requester) -> ProjectWork {
    let parent = state.disk.chats.get(chat).and_then(|c| c.record.parent.clone());
    let call = match requester {
        Requester::Call(call) => Some(call),
        Requester::Screen(_) | Requester::Launch(_) | Requester::Nobody => None,
    };
    let chat = chat.clone();
    match open.from.clone() {
        Some(from) => ProjectWork::OpenFrom { chat, from, open, call },
        None => ProjectWork::Open {
            chat,
            open,
            parent,
            call,
        },
    }
}

/// A worker works on a branch of its own, called after its chat, where nobody names another one.
pub fn call_branch(open: &mut OpenDir, after: &str) {
    let may_write = open.mode != Some(AreaMode::Ro) && !open.in_place;
    if may_write && open.branch.is_none() {
        open.branch_after = Some(after.to_string());
    }
}

/// Where the projects of a chat lie.
pub fn places(state: &Domain, chat: &ChatId) -> Vec<PathBuf> {
    let known = state.disk.chats.get(chat);
    let projects = known.into_iter().flat_map(|known| &known.projects);
    projects.map(|project| project.path.clone()).collect()
}

/// Whoever asked has gone away: the work that nobody waits for may stop.
pub fn abandoned(state: &Domain, call: CallId) -> Vec<Effect> {
    let waits = |(work, waiting): (&WorkId, &super::state::Waiting)| {
        (waiting.requester == Requester::Call(call)).then_some(Effect::Cancel(*work))
    };
    state.live.waiting.iter().filter_map(waits).collect()
}

/// A new branch of which another chat has a namesake in the same repository: neither has the commits of the other.
fn same_branch(state: &Domain, chat: &ChatId, opened: &OpenDirAnswer) -> Option<String> {
    let branch = opened.branch.as_ref().filter(|_| opened.created)?;
    let own = state.disk.chats.get(chat)?;
    let key = own
        .record
        .dirs
        .iter()
        .find(|dir| dir.name == opened.name)?
        .key
        .as_ref()?;
    let has_it = |other: &&Chat| {
        let dirs = other.record.dirs.iter().filter(|dir| dir.key.as_ref() == Some(key));
        let mut of_key = dirs.filter_map(|dir| other.projects.iter().find(|project| project.name == dir.name));
        other.id() != chat && of_key.any(|project| project.branch.as_ref() == Some(branch))
    };
    let other = state.disk.chats.values().find(has_it)?;
    Some(format!(
        "{} has a branch {branch} too, and this one has none of its commits",
        other.record.handle
    ))
}

/// The project is there: the transcript says so, and the answer has the shape of the shell page.
pub fn opened(state: &mut Domain, chat: Chat, opened: &OpenDirAnswer) -> (Value, Vec<Effect>) {
    let id = chat.id().clone();
    let mut effects = chat::loaded(state, chat);
    state.live.reviews.opened(&id);
    let on = match &opened.branch {
        Some(branch) if opened.created => format!(" on the new branch {branch}"),
        Some(branch) => format!(" on {branch}"),
        None => String::new(),
    };
    let mut opened = opened.clone();
    opened.notes.extend(same_branch(state, &id, &opened));
    let opened = &opened;
    let notes: String = opened.notes.iter().map(|note| format!("; {note}")).collect();
    let text = format!("opened {}{on}{notes}", opened.name);
    effects.extend(chat::append(state, &id, vec![Happened::Note { text }]));
    let answer = serde_json::to_value(opened).unwrap_or_else(|_| json!({"name": opened.name}));
    (answer, effects)
}
