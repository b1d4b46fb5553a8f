//! What a person at a screen waits for comes to something, as a worker tells it.

use parlour::domain::Effect;
use parlour::domain::event::{Outcome, PlaceHint};
use parlour::domain::state::{Then, Waiting};
use parlour::domain::work::{
    ChatDone, ChatThen, ChatWork, ReadDone, ReadThen, ServerDone, ShownContent, ShownRead, TrashDone, TrashThen,
};
use parlour::model::deleted::Deleted;
use parlour::model::server_entry::ServerEntry;
use parlour::model::{Losses, PaneEvent, Problem, RoleEntry};

use super::events::works;
use super::world::{ME, World, id};

impl World {
    /// The newest work that this person waits for and that can come to this has come to it.
    pub fn comes(&mut self, outcome: Outcome) -> Vec<Effect> {
        let fits = |waiting: &Waiting| match &outcome {
            Outcome::Chat(ChatDone::Losses(_)) => {
                matches!(waiting.then, Then::Chat(ChatThen::ShowLosses(_) | ChatThen::Recheck(_)))
            }
            Outcome::Read(ReadDone::Shown(ShownContent::Places { .. })) => {
                matches!(waiting.then, Then::Read(ReadThen::Show(ShownRead::Places { .. })))
            }
            Outcome::Trash(TrashDone::Listed(_)) => waiting.then == TrashThen::Show.into(),
            Outcome::Server(_) => matches!(waiting.then, Then::Server(_)),
            Outcome::Chat(_) => !matches!(waiting.then, Then::Read(_)),
            _ => true,
        };
        let mut waiting = self.state.domain.live.waiting.iter().rev();
        let found = waiting.find(|(_, waiting)| waiting.requester.is_at(ME) && fits(waiting));
        let (work, _) = found.unwrap_or_else(|| panic!("nobody waits for {outcome:?}"));
        self.done(*work, outcome)
    }

    pub fn fails(&mut self, problem: Problem) -> Vec<Effect> {
        self.comes(Outcome::Failed(problem))
    }

    pub fn loses(&mut self, losses: Losses) -> Vec<Effect> {
        self.comes(Outcome::Chat(ChatDone::Losses(losses)))
    }

    pub fn suggests(&mut self, hints: Vec<PlaceHint>, roles: Vec<RoleEntry>) -> Vec<Effect> {
        self.comes(Outcome::Read(ReadDone::Shown(ShownContent::Places { hints, roles })))
    }

    pub fn lists_servers(&mut self, chat: &str, servers: Vec<ServerEntry>) -> Vec<Effect> {
        let (chat, changed) = (id(chat), None);
        self.comes(Outcome::Server(ServerDone::Listed { chat, changed, servers }))
    }

    pub fn lists_trash(&mut self, list: Vec<Deleted>) -> Vec<Effect> {
        self.comes(Outcome::Trash(TrashDone::Listed(list)))
    }

    /// The chat that the dialog asked for is there: this one.
    pub fn is_made(&mut self, chat: &str) -> Vec<Effect> {
        let made = self.state.domain.disk.chats[&id(chat)].clone();
        self.comes(Outcome::Chat(ChatDone::Loaded(Box::new(made))))
    }

    /// What was agreed to is carried out: the agent ends, and the chat goes into the trash.
    pub fn is_deleted(&mut self, chat: &str) -> Vec<Effect> {
        self.comes(Outcome::Chat(ChatDone::ReadyToTrash));
        let exited = PaneEvent::Exited {
            code: Some(0),
            signal: None,
        };
        let effects = self.said(chat, exited);
        let trash = works(&effects).into_iter();
        let mut trash = trash.filter(|(_, job)| *job == ChatWork::Trash(id(chat)).into());
        let (work, _) = trash.next().expect("it goes into the trash");
        self.done(work, Outcome::Chat(ChatDone::Removed(id(chat), Vec::new())))
    }
}
