//! Chats on disk: made, renamed, deleted, brought back. Each job hands back the chat as it then is.

use crate::app::effect::NewRecord;
use crate::app::event::Outcome;
use crate::model::{ChatId, Problem};
use crate::store::Birth;

use super::super::hands::Hands;
use super::super::journals::now;
use super::Ticket;
use super::run::loading;

pub fn create(hands: &Hands, new: &NewRecord) -> Result<Outcome, Problem> {
    let birth = Birth {
        id: new.id.clone(),
        name: new.name.clone(),
        handle: new.handle.clone(),
        llm: new.llm.clone(),
        role: new.role.clone(),
        parent: new.parent.clone(),
        disabled_servers: new.disabled_servers.clone(),
        created: now(),
    };
    let chat = hands.home.create(&birth).map_err(|error| {
        Problem::new("making a chat", error, "is there room on the disk, and may parlour write its home?")
    })?;
    watch(hands, &new.id);
    Ok(Outcome::Chat(Box::new(chat)))
}

/// Others' edits of the chat's files are heard from now on.
pub fn watch(hands: &Hands, chat: &ChatId) {
    if let Err(error) = hands.watcher.chat(&hands.home, chat) {
        tracing::warn!("changes in chat {chat} will not be noticed: {error}");
    }
}

pub fn session(hands: &Hands, chat: &ChatId, session: String) -> Result<Outcome, Problem> {
    let chat = hands.home.set_session(chat, &session).map_err(|error| loading(chat, error))?;
    Ok(Outcome::Chat(Box::new(chat)))
}

pub fn rename(hands: &Hands, chat: &ChatId, name: &str) -> Result<Outcome, Problem> {
    let problem = |error| Problem::new("renaming the chat", error, "");
    let chat = hands.home.rename(chat, name).map_err(problem)?;
    Ok(Outcome::Chat(Box::new(chat)))
}

pub fn trash(ticket: &Ticket, chat: &ChatId) -> Result<Outcome, Problem> {
    let hands = &ticket.hands;
    ticket.journals.forget(chat);
    hands.tokens.revoke(chat);
    hands.hook_tokens.revoke(chat);
    hands.watcher.forget(chat);
    let problem = |error| Problem::new("deleting the chat", error, "nothing was lost: try again");
    hands.home.trash(chat).map_err(problem)?;
    Ok(Outcome::Removed(chat.clone()))
}

pub fn restore(hands: &Hands, name: &str) -> Result<Outcome, Problem> {
    let hint = "`parlour trash list` shows what can come back";
    let problem = |error| Problem::new("bringing a chat back", error, hint);
    let chat = hands.home.restore_named(name).map_err(problem)?;
    watch(hands, chat.id());
    Ok(Outcome::Chat(Box::new(chat)))
}

pub fn recreate(hands: &Hands, chat: &ChatId) -> Result<Outcome, Problem> {
    let problem = |error| Problem::new("making the chat's directory anew", error, "");
    let chat = hands.home.recreate(chat).map_err(problem)?;
    watch(hands, chat.id());
    Ok(Outcome::Chat(Box::new(chat)))
}
