//! What a dialog may know of the rest, and what it is about.

use std::collections::BTreeMap;
use std::path::Path;

use ratatui::layout::Rect;

use crate::domain::chat;
use crate::domain::state::Domain;
use crate::model::{ChatId, ScheduleId, text};

use super::super::keymap::{self, Action, Command, Keymap};
use super::super::surface::Surface;

/// What a dialog may know of the rest.
pub struct Around<'s> {
    pub domain: &'s Domain,
    pub keymap: &'s Keymap,
    /// Where dialogs lie.
    pub whole: Rect,
    /// The person hears the screen: pages are read line by line.
    pub is_heard: bool,
    /// Where the person started parlour, and in which environment.
    pub cwd: &'s Path,
    pub env: &'s BTreeMap<String, String>,
    /// What runs in the chat that is shown is a person's own shell.
    pub is_shell: bool,
    /// What would have the keys if no dialog were open.
    pub behind: Surface,
    /// Why a command has nothing to work on now.
    pub why_not: Box<dyn Fn(Action) -> Option<&'static str> + 's>,
}

impl Around<'_> {
    /// What a command is called where one is.
    pub fn title(&self, command: &Command) -> &'static str {
        let other = keymap::in_shell(command.command).filter(|_| self.is_shell);
        other.unwrap_or(command.title)
    }
}

/// What a dialog is about, with its name: when that is gone, so is the dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    Chat(ChatId, String),
    Schedule(ScheduleId, String),
}

impl Subject {
    pub fn chat(domain: &Domain, id: &ChatId) -> Subject {
        let known = domain.disk.chats.get(id);
        let name = known.map_or_else(|| id.to_string(), |known| chat::label(domain, known).into());
        Subject::Chat(id.clone(), name)
    }

    pub fn schedule(domain: &Domain, id: &ScheduleId) -> Subject {
        let name = match domain.disk.schedules.get(id) {
            Some(Ok(known)) => known.terms.name.clone(),
            Some(Err(_)) | None => id.to_string(),
        };
        Subject::Schedule(id.clone(), name)
    }

    pub fn name(&self) -> &str {
        match self {
            Subject::Chat(_, name) | Subject::Schedule(_, name) => name,
        }
    }

    /// What has happened to it, if it is gone.
    pub fn gone(&self, domain: &Domain) -> Option<String> {
        let (is_there, what) = match self {
            Subject::Chat(id, _) => (domain.disk.chats.contains_key(id), "deleted"),
            Subject::Schedule(id, _) => (domain.disk.schedules.contains_key(id), "cancelled"),
        };
        (!is_there).then(|| format!("{} was {what} meanwhile.", text::one_line(self.name(), 60)))
    }
}
