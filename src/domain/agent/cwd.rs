//! Where an agent is, and what it is told when it comes into another of its chat's projects: what that project says to
//! agents, and where it is now.
//!
//! Some CLIs tell of their directory with each tool. Others start each command again in the chat's directory; of those it
//! counts where a command says that it is run.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::domain::agent::work::{AgentWork, Arrival};
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::AgentThen;
use crate::model::entry::ToolStatus;
use crate::model::{Chat, ChatId, Happened, HookEvent, Kind};
use crate::permission::{Call, call_cwd};

use super::state::cwd::CwdTracking;

/// A hook tells where the agent is.
pub fn hear(state: &mut Domain, chat: &ChatId, event: &HookEvent) -> Option<Happened> {
    let agent = state.live.agents.get_mut(chat)?;
    let cwd_tracking = &mut agent.cwd_tracking;
    match event {
        HookEvent::SessionStarted { source, cwd, .. } => {
            // What was said before is forgotten, or soon will be.
            let forgets = matches!(source.as_str(), "clear" | "compact");
            if forgets && cwd_tracking.within.is_some() {
                cwd_tracking.due = true;
                cwd_tracking.untold = cwd_tracking.passed.iter().cloned().collect();
            }
            cwd_tracking.cwd.get_or_insert_with(|| PathBuf::from(cwd));
            None
        }
        HookEvent::ToolStarted {
            cwd: Some(cwd),
            parent: None,
            ..
        }
        | HookEvent::ToolEnded { cwd: Some(cwd), .. }
        | HookEvent::CwdChanged { cwd } => {
            cwd_tracking.is_told = true;
            go(state, chat, cwd.clone())
        }
        HookEvent::ToolStarted { .. }
        | HookEvent::ToolEnded { .. }
        | HookEvent::SessionEnded { .. }
        | HookEvent::Prompt { .. }
        | HookEvent::Said { .. }
        | HookEvent::PermissionAsked { .. }
        | HookEvent::RefusedAlong { .. }
        | HookEvent::WorksOn { .. }
        | HookEvent::Waiting { .. }
        | HookEvent::TurnEnded { .. }
        | HookEvent::OwnTurnEnded
        | HookEvent::Background { .. }
        | HookEvent::TurnFailed { .. }
        | HookEvent::Interrupted
        | HookEvent::SubagentStarted { .. }
        | HookEvent::SubagentEnded { .. }
        | HookEvent::Compacting { .. }
        | HookEvent::Ignored
        | HookEvent::Odd { .. } => None,
    }
}

/// Adds to what happened where commands went.
pub fn follow(state: &mut Domain, chat: &ChatId, happened: Vec<Happened>) -> Vec<Happened> {
    let is_told = |state: &Domain| {
        let agent = state.live.agents.get(chat);
        agent.is_none_or(|agent| agent.cwd_tracking.is_told)
    };
    if is_told(state) {
        return happened;
    }
    let mut followed = Vec::with_capacity(happened.len());
    for what in happened {
        let gone = match (called(&what), &what) {
            (Some((id, tool, input)), _) => heads(state, chat, id, (tool, input)),
            (None, Happened::ToolEnd { id, status, .. }) => arrives(state, chat, id, *status),
            (None, _) => None,
        };
        followed.push(what);
        followed.extend(gone.and_then(|cwd| go(state, chat, cwd)));
    }
    followed
}

/// The tool that the agent itself calls: its call, its name, and with what.
fn called(what: &Happened) -> Option<(&str, &str, &Value)> {
    let Happened::ToolStart {
        id,
        name,
        input,
        parent: None,
        ..
    } = what
    else {
        return None;
    };
    Some((id, name, input))
}

/// Where this call is run, if that is a directory which is known to be there. Of another one its end tells.
fn heads(state: &mut Domain, chat: &ChatId, id: &str, (tool, input): (&str, &Value)) -> Option<PathBuf> {
    let home = state.disk.home.join("chats").join(chat.as_str());
    let call = Call {
        tool,
        input,
        cwd: &home,
        at: None,
        dirs: &[],
    };
    let cwd = call_cwd(&call, &state.disk.person)?;
    let is_known = cwd == home || project_at(state.disk.chats.get(chat)?, &cwd).is_some();
    let tracking = &mut state.live.agents.get_mut(chat)?.cwd_tracking;
    match is_known {
        true => Some(cwd),
        false => {
            tracking.heads = Some((id.to_string(), cwd));
            None
        }
    }
}

/// A call has ended: where it went well, it was run where it said.
fn arrives(state: &mut Domain, chat: &ChatId, id: &str, status: ToolStatus) -> Option<PathBuf> {
    let tracking = &mut state.live.agents.get_mut(chat)?.cwd_tracking;
    let (_, cwd) = tracking.heads.take_if(|(call, _)| call == id)?;
    (status == ToolStatus::Ok).then_some(cwd)
}

/// The agent is in this directory now.
fn go(state: &mut Domain, chat: &ChatId, cwd: PathBuf) -> Option<Happened> {
    let known = state.disk.chats.get(chat)?;
    let within = within(known, &cwd).map(|(root, name)| (root.to_path_buf(), name.clone()));
    let dir = within.as_ref().map(|(_, name)| name.clone());
    let cwd_tracking = &mut state.live.agents.get_mut(chat)?.cwd_tracking;
    let before = cwd_tracking.cwd.replace(cwd.clone());
    if before.as_ref() == Some(&cwd) || (before.is_none() && dir.is_none()) {
        return None;
    }
    if let Some((root, name)) = within {
        cwd_tracking.come(&root, name, &cwd);
    }
    Some(Happened::Cwd {
        cwd: cwd.to_string_lossy().into_owned(),
        dir,
    })
}

/// Its current directory.
pub fn cwd<'s>(state: &'s Domain, chat: &ChatId) -> Option<&'s Path> {
    state.live.agents.get(chat)?.cwd_tracking.cwd.as_deref()
}

/// From where its next call names its files. Where a command went counts for that only if its CLI says so with each call:
/// others begin each call in the chat's directory again.
pub fn of_calls<'s>(state: &'s Domain, chat: &ChatId) -> Option<&'s Path> {
    let tracking = &state.live.agents.get(chat)?.cwd_tracking;
    tracking.cwd.as_deref().filter(|_| tracking.is_told)
}

/// Of projects within each other the innermost. One that is a link is reached by where it leads as well.
pub fn project_at(chat: &Chat, cwd: &Path) -> Option<String> {
    within(chat, cwd).map(|(_, name)| name.clone())
}

fn within<'c>(chat: &'c Chat, cwd: &Path) -> Option<(&'c Path, &'c String)> {
    let linked = chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Local);
    let led = linked.map(|dir| (Path::new(&dir.origin), &dir.name));
    let own = chat.projects.iter().map(|project| (&*project.path, &project.name));
    let around = own.chain(led).filter(|(path, _)| cwd.starts_with(path));
    around.max_by_key(|(path, _)| path.components().count())
}

/// What a hook that takes words for the agent is to bring it, once.
pub fn due(state: &mut Domain, chat: &ChatId, events: &[HookEvent]) -> Option<Arrival> {
    let cwd_tracking = &mut state.live.agents.get_mut(chat)?.cwd_tracking;
    cwd_tracking.is_hooked = true;
    let takes_words = events.iter().any(|event| {
        matches!(
            event,
            HookEvent::ToolEnded { .. } | HookEvent::Prompt { .. } | HookEvent::SessionStarted { .. }
        )
    });
    match takes_words {
        true => cwd_tracking.arrives(),
        false => None,
    }
}

/// A CLI without hooks finds it in the chat's `AGENTS.md`.
pub fn by_file(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let agent = state.live.agents.get_mut(chat);
    let unhooked = agent
        .map(|agent| &mut agent.cwd_tracking)
        .filter(|cwd_tracking| !cwd_tracking.is_hooked);
    match unhooked.and_then(CwdTracking::arrives) {
        Some(arrival) => {
            let job = AgentWork::InstructByFile(chat.clone(), arrival);
            chat::work(state, Requester::Nobody, AgentThen::Noted(chat.clone()), job)
        }
        None => Vec::new(),
    }
}

pub fn instruct(state: &mut Domain, chat: &ChatId, arrival: Arrival, requester: Requester) -> Vec<Effect> {
    chat::work(
        state,
        requester,
        AgentThen::Instruct,
        AgentWork::Instruct(chat.clone(), arrival),
    )
}
