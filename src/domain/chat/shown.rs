//! How a chat, and what its agent says of files, are written for a person.

use std::borrow::Cow;

use crate::domain::state::Domain;
use crate::model::{Chat, ChatId};

/// What a chat is called on screen: its handle where another one has the same name.
pub fn label<'c>(state: &Domain, chat: &'c Chat) -> &'c str {
    let mut others = state.disk.chats.values().filter(|other| other.id() != chat.id());
    match others.any(|other| other.record.name == chat.record.name) {
        true => chat.record.handle.as_str(),
        false => &chat.record.name,
    }
}

/// Paths of the chat's own directory as its agent would name them, clones by their names.
pub fn near<'t>(state: &Domain, chat: &ChatId, text: &'t str) -> Cow<'t, str> {
    let dir = format!("{}/chats/{chat}/", state.disk.home.display());
    match text.contains(&dir) {
        true => text.replace(&format!("{dir}projects/"), "").replace(&dir, "").into(),
        false => text.into(),
    }
}
