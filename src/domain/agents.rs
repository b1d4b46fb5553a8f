//! The agents that chats have had since the engine started. Those of which nothing is to come lie apart: time and other
//! chats' events go by them, however many they are.

use std::collections::BTreeMap;
use std::ops::Index;

use crate::domain::agent::state::Agent;
use crate::model::ChatId;

#[derive(Default)]
pub struct Agents {
    awake: BTreeMap<ChatId, Agent>,
    at_rest: BTreeMap<ChatId, Agent>,
}

impl Agents {
    pub fn get(&self, chat: &ChatId) -> Option<&Agent> {
        self.awake.get(chat).or_else(|| self.at_rest.get(chat))
    }

    /// Something may come of it from now on.
    pub fn get_mut(&mut self, chat: &ChatId) -> Option<&mut Agent> {
        if let Some((chat, agent)) = self.at_rest.remove_entry(chat) {
            self.awake.insert(chat, agent);
        }
        self.awake.get_mut(chat)
    }

    pub fn contains_key(&self, chat: &ChatId) -> bool {
        self.get(chat).is_some()
    }

    pub fn insert(&mut self, chat: ChatId, agent: Agent) {
        self.at_rest.remove(&chat);
        self.awake.insert(chat, agent);
    }

    pub fn remove(&mut self, chat: &ChatId) -> Option<Agent> {
        self.awake.remove(chat).or_else(|| self.at_rest.remove(chat))
    }

    /// Those of which something may come: among them are all that have a process.
    pub fn awake(&self) -> impl Iterator<Item = (&ChatId, &Agent)> {
        self.awake.iter()
    }

    /// As [`Agents::awake`].
    pub fn awake_mut(&mut self) -> impl Iterator<Item = (&ChatId, &mut Agent)> {
        self.awake.iter_mut()
    }

    /// All of them, those at rest last.
    pub fn iter(&self) -> impl Iterator<Item = (&ChatId, &Agent)> {
        self.awake.iter().chain(&self.at_rest)
    }

    /// As [`Agents::iter`], and as they lie.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut Agent> {
        self.awake.values_mut().chain(self.at_rest.values_mut())
    }

    /// After each event: lays apart of whom nothing is to come any more.
    pub fn settle(&mut self) {
        self.at_rest
            .extend(self.awake.extract_if(.., |_, agent| agent.is_settled()));
    }
}

impl Index<&ChatId> for Agents {
    type Output = Agent;

    fn index(&self, chat: &ChatId) -> &Agent {
        self.get(chat).expect("the chat has an agent")
    }
}
