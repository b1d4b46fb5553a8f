//! What is asked of the whole state: what a chat does, and which chat a name means.

use std::borrow::Cow;

use crate::model::{Chat, ChatId, DirectoryPlace, Handle, Problem, ProblemKind, Status, chat_name};

use super::agent::delivery::needs_person;
use super::agent::state::Agent;
use super::approval::{clipboard, setup};
use super::chat::{GONE, handle};
use super::opening;
use super::state::Domain;

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

    /// The same where a text that waits to be copied counts for nothing: it holds no turn up.
    pub fn status_of_turn(&self, chat: &ChatId) -> Status {
        let agent = self.live.live_agent(chat);
        let rests = agent.filter(|agent| agent.verdict.status.is_idle());
        match rests.filter(|_| clipboard::waits(self, chat).is_some() && !setup::waits(self, chat)) {
            Some(agent) => agent.verdict.status.clone(),
            None => self.status(chat),
        }
    }

    /// Whether a chat has just this handle or id.
    pub fn is_chat(&self, name: &str) -> bool {
        let mut chats = self.disk.chats.values();
        chats.any(|chat| chat.id().as_str() == name || chat.record.handles().any(|handle| handle.as_str() == name))
    }

    /// What a live agent needs a person for, in words. What was answered a moment ago is still on its screen, and needs
    /// nobody.
    pub fn needs_you_for<'a>(&self, chat: &ChatId, agent: &'a Agent) -> Option<Cow<'a, str>> {
        match &agent.verdict.status {
            Status::Idle(_) if setup::waits(self, chat) => Some("asks to run its project's setup".into()),
            Status::Idle(_) if clipboard::waits(self, chat).is_some() => clipboard::wants(self, chat).map(Cow::from),
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

    /// The chat that a name means ([`chat_name`] has the rule).
    pub fn find(&self, name: &str) -> Result<ChatId, Problem> {
        let found = chat_name::find(self.disk.chats.values(), &self.live.looked_at.numbers, name);
        found.map(|chat| chat.id().clone()).map_err(|problem| {
            let had = self.archived_by_number(name);
            let Some(had) = had.filter(|_| problem.kind == ProblemKind::Missing) else {
                return problem;
            };
            let handle = handle(self, &had);
            Problem {
                cause: format!("no chat has number {name}; the archived {handle} had it"),
                hint: format!("name {handle}, or bring it back: `parlour archive {handle} --undo`"),
                ..problem
            }
        })
    }

    /// The same for what changes nothing but where a chat is listed and what is looked at: one that is archived answers to
    /// the number that it had, until another chat has that.
    pub fn find_listed(&self, name: &str) -> Result<ChatId, Problem> {
        self.find(name).or_else(|problem| {
            let had = self.archived_by_number(name);
            had.filter(|_| problem.kind == ProblemKind::Missing).ok_or(problem)
        })
    }

    /// The archived chat that had this number last.
    fn archived_by_number(&self, name: &str) -> Option<ChatId> {
        let former = &self.live.looked_at.numbering.former;
        let (last, _) = former.iter().rfind(|(_, number)| number.to_string() == name)?;
        let chat = self.disk.chats.get(last)?;
        chat.record.set.archived.then(|| last.clone())
    }

    /// As [`Domain::find`] without the numbers: what an agent means by a name.
    pub fn named(&self, name: &str) -> Result<ChatId, Problem> {
        chat_name::find_unnumbered(self.disk.chats.values(), name).map(|chat| chat.id().clone())
    }

    /// As [`Domain::find`], or as [`Domain::named`] for an agent.
    pub fn named_by(&self, is_agent: bool, name: &str) -> Result<ChatId, Problem> {
        match is_agent {
            true => self.named(name),
            false => self.find(name),
        }
    }

    /// A handle for a new chat of this name that no other chat has.
    pub fn free_handle(&self, name: &str, id: &ChatId) -> Handle {
        let taken = |handle: &Handle| {
            let mut chats = self.disk.chats.values();
            handle.is_reserved() || chats.any(|c| c.id() != id && c.record.handles().any(|theirs| theirs == handle))
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
