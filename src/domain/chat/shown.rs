//! How a chat, and what its agent says of files, are written for a person.

use std::borrow::Cow;

use crate::domain::state::Domain;
use crate::model::{Chat, ChatId, Status};

/// What a chat is called on screen: its handle where another one has the same name, and had it first.
pub fn label<'c>(state: &Domain, chat: &'c Chat) -> &'c str {
    match state.disk.chats.is_called_by_handle(chat) {
        true => chat.record.handle.as_str(),
        false => &chat.record.name,
    }
}

/// What an agent says that is at rest and cannot go on without a person. A prompt answers that.
pub fn blocked(state: &Domain, chat: &Chat) -> Option<String> {
    let blocked = chat.declared.as_ref()?.blocked()?;
    let agent = state.live.agents.get(chat.id());
    let rests = matches!(state.status(chat.id()), Status::Idle(_) | Status::Hibernated);
    (rests && agent.is_none_or(|agent| !agent.went_on)).then_some(blocked)
}

/// Paths of the chat's own directory as its cards name them: from its project on where it has one, else clones by their
/// names.
pub fn near<'t>(state: &Domain, chat: &ChatId, text: &'t str) -> Cow<'t, str> {
    let dir = format!("{}/chats/{chat}/", state.disk.home.display());
    if !text.contains(&dir) {
        return text.into();
    }
    let projects = format!("{dir}projects/");
    let only = state.disk.chats.get(chat).and_then(only_project);
    let text = match only {
        Some(name) => text.replace(&format!("{projects}{name}/"), ""),
        None => text.into(),
    };
    text.replace(&projects, "").replace(&dir, "").into()
}

fn only_project(chat: &Chat) -> Option<&str> {
    let opened = chat.projects.iter().map(|project| project.name.as_str());
    let mut names = opened.chain(chat.record.dirs.iter().map(|dir| dir.name.as_str()));
    let first = names.next()?;
    names.all(|name| name == first).then_some(first)
}
