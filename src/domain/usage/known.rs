//! What is known of a chat's usage, and what it costs.

use crate::domain::chat;
use crate::domain::state::Domain;
use crate::model::price::Cost;
use crate::model::usage::{ByModel, ChatUsage, UsageOwner};
use crate::model::{Chat, ChatId};

use super::state::root;

/// What a chat is called where its usage is shown.
pub fn owner(state: &Domain, chat: &Chat) -> UsageOwner {
    let projects: Vec<&str> = chat.record.dirs.iter().map(|dir| dir.name.as_str()).collect();
    UsageOwner {
        name: chat::label(state, chat).to_string(),
        handle: chat.record.handle.to_string(),
        llm: chat.record.llm.clone(),
        project: projects.join(", "),
        root: root(&state.disk.chats, chat.id()).to_string(),
    }
}

/// What a chat has used; `None` where nothing was, or nothing is known.
pub fn of<'s>(state: &'s Domain, chat: &ChatId) -> Option<&'s ChatUsage> {
    state.live.usage.chats.get(chat).filter(|usage| !usage.all.is_empty())
}

/// What it costs, by the prices that hold now.
pub fn cost(state: &Domain, used: &ByModel) -> Cost {
    Cost::of(used, &state.disk.settings.prices)
}
