//! Where an agent is, and what it is told when it comes into another of its chat's projects: what that project says to
//! agents, and where it is now.
//!
//! Some CLIs tell of their directory with each tool. Others start each command anew in the chat's directory; of those it
//! counts where a command says that it is run.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::app::chat;
use crate::app::effect::{Effect, Job};
use crate::app::state::{Asker, State, Then};
use crate::model::permission::{Call, goes};
use crate::model::{Chat, ChatId, Happened, HookEvent, Kind};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whereabouts {
    cwd: Option<PathBuf>,
    /// Its CLI tells of each change: what commands say is no news.
    is_told: bool,
    /// Its hooks are heard, and what it is to know can be an answer to one.
    is_hooked: bool,
    /// The project that it came into last.
    within: Option<String>,
    /// It has not been told of that project.
    due: bool,
}

/// An agent came into a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub project: String,
    pub cwd: PathBuf,
}

/// A hook tells where the agent is.
pub fn hear(state: &mut State, chat: &ChatId, event: &HookEvent) -> Option<Happened> {
    let agent = state.live.agents.get_mut(chat)?;
    let whereabouts = &mut agent.whereabouts;
    match event {
        HookEvent::SessionStarted { source, cwd, .. } => {
            // What was said before is forgotten, or soon will be.
            let forgets = matches!(source.as_str(), "clear" | "compact");
            whereabouts.due |= forgets && whereabouts.within.is_some();
            whereabouts.cwd.get_or_insert_with(|| PathBuf::from(cwd));
            None
        }
        HookEvent::ToolStarted {
            cwd: Some(cwd),
            parent: None,
            ..
        }
        | HookEvent::ToolEnded { cwd: Some(cwd), .. }
        | HookEvent::CwdChanged { cwd } => {
            whereabouts.is_told = true;
            go(state, chat, cwd.clone())
        }
        HookEvent::ToolStarted { .. }
        | HookEvent::ToolEnded { .. }
        | HookEvent::SessionEnded { .. }
        | HookEvent::Prompt { .. }
        | HookEvent::Said { .. }
        | HookEvent::PermissionAsked { .. }
        | HookEvent::WorksOn { .. }
        | HookEvent::Waiting { .. }
        | HookEvent::TurnEnded { .. }
        | HookEvent::TurnFailed { .. }
        | HookEvent::SubagentStarted { .. }
        | HookEvent::SubagentEnded { .. }
        | HookEvent::Compacting { .. }
        | HookEvent::Ignored
        | HookEvent::Odd { .. } => None,
    }
}

/// Adds to what happened where commands went.
pub fn follow(state: &mut State, chat: &ChatId, happened: Vec<Happened>) -> Vec<Happened> {
    let is_told = |state: &State| {
        let agent = state.live.agents.get(chat);
        agent.is_none_or(|agent| agent.whereabouts.is_told)
    };
    if is_told(state) {
        return happened;
    }
    let mut followed = Vec::with_capacity(happened.len());
    for what in happened {
        let gone = called(&what).and_then(|(tool, input)| {
            let call = Call {
                tool,
                input,
                cwd: &state.disk.home.join("chats").join(chat.as_str()),
                at: None,
                dirs: &[],
            };
            goes(&call, &state.disk.person)
        });
        followed.push(what);
        followed.extend(gone.and_then(|cwd| go(state, chat, cwd)));
    }
    followed
}

/// The tool that the agent itself calls, and with what.
fn called(what: &Happened) -> Option<(&str, &Value)> {
    let Happened::ToolStart {
        name,
        input,
        parent: None,
        ..
    } = what
    else {
        return None;
    };
    Some((name, input))
}

/// The agent is in this directory now.
fn go(state: &mut State, chat: &ChatId, cwd: PathBuf) -> Option<Happened> {
    let dir = project_at(state.disk.chats.get(chat)?, &cwd);
    let whereabouts = &mut state.live.agents.get_mut(chat)?.whereabouts;
    let before = whereabouts.cwd.replace(cwd.clone());
    if before.as_ref() == Some(&cwd) || (before.is_none() && dir.is_none()) {
        return None;
    }
    if dir.is_some() && dir != whereabouts.within {
        whereabouts.within.clone_from(&dir);
        whereabouts.due = true;
    }
    Some(Happened::Cwd {
        cwd: cwd.to_string_lossy().into_owned(),
        dir,
    })
}

/// Its current directory.
pub fn cwd<'s>(state: &'s State, chat: &ChatId) -> Option<&'s Path> {
    state.live.agents.get(chat)?.whereabouts.cwd.as_deref()
}

/// Of projects within each other the innermost. One that is a link is reached by where it leads as well.
pub fn project_at(chat: &Chat, cwd: &Path) -> Option<String> {
    let linked = chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Local);
    let led = linked.map(|dir| (Path::new(&dir.origin), &dir.name));
    let own = chat.projects.iter().map(|project| (&*project.path, &project.name));
    let within = own.chain(led).filter(|(path, _)| cwd.starts_with(path));
    within
        .max_by_key(|(path, _)| path.components().count())
        .map(|(_, name)| name.clone())
}

/// What a hook that takes words for the agent is to bring it, once.
pub fn due(state: &mut State, chat: &ChatId, events: &[HookEvent]) -> Option<Arrival> {
    let whereabouts = &mut state.live.agents.get_mut(chat)?.whereabouts;
    whereabouts.is_hooked = true;
    let takes_words = events.iter().any(|event| {
        matches!(
            event,
            HookEvent::ToolEnded { .. } | HookEvent::Prompt { .. } | HookEvent::SessionStarted { .. }
        )
    });
    match takes_words {
        true => whereabouts.arrives(),
        false => None,
    }
}

/// A CLI without hooks finds it in the chat's `AGENTS.md`.
pub fn by_file(state: &mut State, chat: &ChatId) -> Vec<Effect> {
    let agent = state.live.agents.get_mut(chat);
    let unhooked = agent
        .map(|agent| &mut agent.whereabouts)
        .filter(|whereabouts| !whereabouts.is_hooked);
    match unhooked.and_then(Whereabouts::arrives) {
        Some(arrival) => {
            let job = Job::InstructByFile(chat.clone(), arrival);
            chat::work(state, Asker::Nobody, Then::Nothing, job)
        }
        None => Vec::new(),
    }
}

pub fn instruct(state: &mut State, chat: &ChatId, arrival: Arrival, asker: Asker) -> Vec<Effect> {
    chat::work(state, asker, Then::Nothing, Job::Instruct(chat.clone(), arrival))
}

impl Whereabouts {
    fn arrives(&mut self) -> Option<Arrival> {
        let (true, Some(project), Some(cwd)) = (self.due, &self.within, &self.cwd) else {
            return None;
        };
        self.due = false;
        Some(Arrival {
            project: project.clone(),
            cwd: cwd.clone(),
        })
    }
}
