//! What is asked of the whole state: what a chat does, and which chat a name means.

use std::borrow::Cow;

use crate::model::text::nearest;
use crate::model::{Chat, ChatId, DirectoryPlace, Handle, Problem, Status};

use super::agent::delivery::needs_person;
use super::agent::state::Agent;
use super::approval::setup;
use super::chat::GONE;
use super::opening;
use super::state::Domain;
use super::team::tree;

impl Domain {
    /// What a chat's agent is doing, with or without a process behind it.
    pub fn status(&self, chat: &ChatId) -> Status {
        match (self.live.agents.get(chat), self.disk.chats.get(chat)) {
            (Some(agent), _) if agent.is_live() => match (self.needs_you_for(chat, agent), &agent.verdict.status) {
                (Some(what), _) => Status::NeedsYou(what.into_owned()),
                (None, Status::NeedsYou(_)) => Status::Running(agent.turn.tools.last().map(|tool| tool.name.clone())),
                (None, status) => status.clone(),
            },
            (
                _,
                Some(Chat {
                    unreadable: Some(why), ..
                }),
            ) => Status::Error(why.clone()),
            (_, Some(chat)) if chat.place == DirectoryPlace::Gone => Status::Exited(GONE.into()),
            (Some(agent), _) => agent.verdict.status.clone(),
            (None, Some(_)) if opening::is_being_made(self, chat) => Status::Starting,
            (None, Some(chat)) => chat
                .ended
                .clone()
                .unwrap_or_else(|| Status::Exited("not started".into())),
            (None, None) => Status::Unknown("no such chat".into()),
        }
    }

    /// Whether a chat has just this handle or id.
    pub fn is_chat(&self, name: &str) -> bool {
        let mut chats = self.disk.chats.values();
        chats.any(|chat| chat.record.handle.as_str() == name || chat.id().as_str() == name)
    }

    /// What a live agent needs a person for, in words. What was answered a moment ago is still on its screen, and needs
    /// nobody.
    pub fn needs_you_for<'a>(&self, chat: &ChatId, agent: &'a Agent) -> Option<Cow<'a, str>> {
        match &agent.verdict.status {
            Status::Idle(_) if setup::waits(self, chat) => Some("asks to run its project's setup".into()),
            Status::Idle(_) => Some(format!("a prompt waits: {}", needs_person(agent, self.now)?).into()),
            Status::NeedsYou(_) if agent.turn.is_being_answered(agent.since, self.now) => None,
            Status::NeedsYou(what) => Some(what.into()),
            Status::Starting
            | Status::Running(_)
            | Status::Retrying(_)
            | Status::Error(_)
            | Status::Limited(_)
            | Status::LoggedOut(_)
            | Status::Exited(_)
            | Status::Hibernated
            | Status::Unknown(_) => None,
        }
    }

    /// Exact handle, exact id, a unique beginning of at least four characters, or the name that is shown, in letters of any
    /// case, where one chat alone has it; `@main:project` is the chat that
    /// orchestrates the work on that project, `@main` the only one that orchestrates any.
    pub fn find(&self, name: &str) -> Result<ChatId, Problem> {
        let chats = &self.disk.chats;
        if let Some(project) = name.strip_prefix(tree::MAIN) {
            return tree::main_of(self, project.strip_prefix(':'));
        }
        if let Some(chat) = chats.values().find(|c| c.record.handle.as_str() == name) {
            return Ok(chat.id().clone());
        }
        if let Some(id) = ChatId::parse(name).filter(|id| chats.contains_key(id)) {
            return Ok(id);
        }
        let begins = |chat: &&Chat| {
            name.len() >= 4 && (chat.record.handle.as_str().starts_with(name) || chat.id().as_str().starts_with(name))
        };
        let doing = || format!("looking for chat {}", crate::model::text::visible(name));
        let mut found: Vec<&Chat> = chats.values().filter(begins).collect();
        if found.is_empty() {
            let wanted = name.to_lowercase();
            found.extend(chats.values().filter(|chat| chat.record.name.to_lowercase() == wanted));
        }
        match found.as_slice() {
            [chat] => Ok(chat.id().clone()),
            [] => {
                let handles = chats.values().map(|chat| chat.record.handle.as_str());
                let hint = match nearest(name, handles) {
                    Some(handle) => format!("did you mean {handle}? `parlour list` shows all of them"),
                    None => "`parlour list` shows all of them".into(),
                };
                Err(Problem::missing(doing(), "there is no such chat", hint))
            }
            many => {
                let names: Vec<&str> = many.iter().map(|c| c.record.handle.as_str()).collect();
                Err(Problem::new(
                    doing(),
                    format!(
                        "{} chats begin like that, or have that name: {}",
                        many.len(),
                        names.join(", ")
                    ),
                    "give one of these",
                ))
            }
        }
    }

    /// A handle for a new chat of this name that no other chat has.
    pub fn free_handle(&self, name: &str, id: &ChatId) -> Handle {
        let taken = |handle: &Handle| {
            self.disk
                .chats
                .values()
                .any(|c| &c.record.handle == handle && c.id() != id)
        };
        let wanted = Handle::from_name(name)
            .or_else(|| Handle::parse(id.as_str()))
            .expect("a chat id is made of characters that a handle may have");
        if !taken(&wanted) {
            return wanted;
        }
        (2..)
            .map(|number| wanted.numbered(number))
            .find(|handle| !taken(handle))
            .expect("there are more numbers than chats")
    }
}
