//! Chats on disk: made, renamed, deleted, brought back. Each job hands back the chat as it then is.

use std::path::PathBuf;

use serde_json::json;

use crate::agents::demo;
use crate::app::effect::NewRecord;
use crate::app::event::Outcome;
use crate::config;
use crate::fs::SafeName;
use crate::model::chat::Pending;
use crate::model::entry::From;
use crate::model::text::visible;
use crate::model::{Chat, ChatId, Problem};
use crate::store::{Birth, Trashed};

use super::super::hands::Hands;
use super::super::journals::now;
use super::Ticket;
use super::run::loading;

pub fn create(hands: &Hands, new: &NewRecord) -> Result<Outcome, Problem> {
    let chat = make(hands, new)?;
    Ok(Outcome::Chat(Box::new(chat)))
}

/// Its directory and its record, with its first prompt.
pub(super) fn make(hands: &Hands, new: &NewRecord) -> Result<Chat, Problem> {
    let birth = Birth {
        id: new.id.clone(),
        name: new.name.clone(),
        handle: Some(new.handle.clone()),
        llm: new.llm.clone(),
        role: new.role.clone(),
        parent: new.parent.clone(),
        schedule: None,
        disabled_servers: new.disabled_servers.clone(),
        created: now(),
        templates: templates(hands, &new.llm),
        around: hands.surroundings(),
    };
    let chat = hands.home.create(birth).map_err(|error| {
        Problem::new(
            "making a chat",
            error,
            "is there room on the disk, and may parlour write its home?",
        )
    })?;
    tracing::info!("{}: made as {}, for {}", new.id, chat.record.handle, new.llm);
    hands.watch_chat(&chat);
    let Some(text) = new.prompt.clone() else {
        return Ok(chat);
    };
    let prompt = Pending {
        text,
        from: From::Person,
        sender: None,
        follow_up: false,
        at: now(),
    };
    let keep = hands.home.change(&new.id, |record| record.prompts.push(prompt));
    keep.map_err(|error| Problem::new("keeping the first prompt", error, "send it again"))
}

/// A template that cannot be read holds up no chat; `doctor` says which.
fn templates(hands: &Hands, llm: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(cli) = SafeName::parse(llm) else {
        return Vec::new();
    };
    config::templates(&cli, hands.home.dir()).unwrap_or_else(|error| {
        tracing::warn!("a new chat of {llm} goes without its llm-defaults: {error}");
        Vec::new()
    })
}

/// In the home, so that a home that is deleted leaves nothing behind.
pub fn sample(hands: &Hands) -> Result<Outcome, Problem> {
    let made = demo::sample_repository(&hands.home.cache().join("demo"));
    let path = made.map_err(|error| Problem::new("making the sample repository", format!("{error:#}"), ""))?;
    Ok(Outcome::Value(json!({"path": path})))
}

pub fn session(hands: &Hands, chat: &ChatId, session: String) -> Result<Outcome, Problem> {
    let chat = hands
        .home
        .set_session(chat, &session)
        .map_err(|error| loading(chat, error))?;
    Ok(Outcome::Chat(Box::new(chat)))
}

pub fn rename(hands: &Hands, chat: &ChatId, name: &str) -> Result<Outcome, Problem> {
    let problem = |error| Problem::new("renaming the chat", error, "");
    let chat = hands.home.rename(chat, name).map_err(problem)?;
    Ok(Outcome::Chat(Box::new(chat)))
}

pub fn ready_trash(hands: &Hands, chat: &ChatId) -> Result<Outcome, Problem> {
    let hint = "its agent runs on and nothing was lost: try again";
    let problem = |error| Problem::new("deleting the chat", error, hint);
    hands.home.ready_trash(chat, now()).map_err(problem)?;
    Ok(Outcome::Nothing)
}

pub fn trash(ticket: &Ticket, chat: &ChatId) -> Result<Outcome, Problem> {
    let hands = &ticket.hands;
    ticket.journals.forget(chat);
    hands.tokens.revoke(chat);
    hands.hook_tokens.revoke(chat);
    hands.forget_chat(chat);
    let problem = |error| Problem::new("deleting the chat", error, "nothing was lost: try again");
    if let Some(why) = hands.home.trash_chat(chat, now()).map_err(problem)? {
        tracing::warn!("the directory of {chat} follows into the trash at the next start: {why}");
    }
    tracing::info!("{chat}: deleted");
    Ok(Outcome::Removed(chat.clone()))
}

/// By handle, id or name; of several of one name the one deleted last.
pub fn restore(hands: &Hands, name: &str) -> Result<Outcome, Problem> {
    let hint = "it may have been deleted for over 7 days, or be there still: `parlour list`";
    let problem = |error| Problem::new("bringing a chat back", error, hint);
    let trash = hands.home.list_trash().map_err(problem)?;
    let is_named = |trashed: &&Trashed| {
        let record = trashed.record.as_ref();
        trashed.id.as_str() == name || record.is_some_and(|r| r.handle.as_str() == name || r.name == name)
    };
    let found = trash.iter().filter(is_named).max_by_key(|trashed| trashed.deleted);
    let Some(trashed) = found else {
        let cause = format!("there is no chat {} in the trash", visible(name));
        return Err(Problem::new("bringing a chat back", cause, hint));
    };
    let chat = hands.home.restore(&trashed.id).map_err(problem)?;
    tracing::info!("{}: brought back", trashed.id);
    hands.watch_chat(&chat);
    Ok(Outcome::Chat(Box::new(chat)))
}

pub fn recreate(hands: &Hands, chat: &ChatId) -> Result<Outcome, Problem> {
    let problem = |error| Problem::new("making the chat's directory anew", error, "");
    let llm = hands.home.load(chat).map_err(problem)?.record.llm;
    let made = hands
        .home
        .recreate(chat, &hands.surroundings(), &templates(hands, &llm));
    let chat = made.map_err(problem)?;
    hands.watch_chat(&chat);
    Ok(Outcome::Chat(Box::new(chat)))
}
