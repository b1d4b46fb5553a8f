//! All that state is made of before the first event: what the engine read from disk and knows of itself.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::domain::schedule::work::Schedules;
use crate::domain::state::Facts;
use crate::model::agent::CliCommand;
use crate::model::preferences::{LeftScreen, ListLook};
use crate::model::{Chat, ChatId, Problem, Settings};
use crate::screen::State;

#[derive(Serialize, Deserialize)]
pub struct Start {
    pub home: PathBuf,
    pub facts: Facts,
    /// Of all ids that state gives.
    pub seed: u64,
    /// The person's own home directory.
    pub person: PathBuf,
    /// What people call the CLIs that parlour knows.
    pub titles: BTreeMap<String, String>,
    /// Commands of their own.
    #[serde(default)]
    pub commands: BTreeMap<String, Vec<CliCommand>>,
    /// Command lines of their own logins.
    #[serde(default)]
    pub logins: BTreeMap<String, String>,
    /// Or why `config.json` cannot be read.
    pub settings: Result<Settings, Problem>,
    /// Why nothing in the home is changed.
    pub read_only: Option<Problem>,
    pub chats: BTreeMap<ChatId, Chat>,
    pub schedules: Schedules,
    /// How chats are listed, or why that cannot be told.
    #[serde(default)]
    pub list: ListLook,
    #[serde(default)]
    pub tour_seen: bool,
    /// What the last screen showed.
    #[serde(default)]
    pub left: LeftScreen,
    #[serde(default)]
    pub list_problem: Option<Problem>,
}

impl Start {
    pub fn state(self) -> State {
        let mut state = State::new(self.home, self.facts, self.seed);
        let disk = &mut state.domain.disk;
        disk.person = self.person;
        disk.titles = self.titles;
        disk.commands = self.commands;
        disk.logins = self.logins;
        match self.settings {
            Ok(settings) => disk.follow(settings),
            Err(broken) => disk.keep_settings_problem(broken),
        }
        disk.read_only = self.read_only;
        disk.chats = self.chats.into();
        disk.schedules = self.schedules;
        (disk.list, disk.list_problem) = (self.list, self.list_problem);
        disk.tour_seen = self.tour_seen;
        let is_there = |chat: &&ChatId| disk.chats.contains_key(chat);
        let unseen = self.left.unseen.iter().filter(is_there).cloned().collect();
        let queried = self.left.queried.iter().filter(is_there).cloned().collect();
        let numbers = self.left.numbers.clone();
        disk.left = self.left;
        state.domain.live.unseen = unseen;
        state.domain.live.listeners.queried = queried;
        state.domain.live.looked_at.numbers = numbers;
        state.follow_settings();
        state
    }
}
