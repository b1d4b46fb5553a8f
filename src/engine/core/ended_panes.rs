//! Terminals without a program: what an agent that does not run showed last. Each takes a thread and up to megabytes, so
//! it is there only as long as somebody looks at it.

use std::collections::BTreeSet;

use super::Core;
use crate::domain::agent::state::Agent;
use crate::domain::event::PtyEvent;
use crate::domain::{Event, PaneOrder};
use crate::engine::work;
use crate::model::{ChatId, PaneId};

impl Core {
    /// A chat on somebody's screen whose agent does not run shows what its terminal last held.
    pub(super) fn show_records(&mut self, watched: &BTreeSet<PaneId>) {
        for id in watched {
            if let PaneId::Agent(chat) = id
                && !self.panes.has(id)
                && !self.runs(chat)
                && self.resting.insert(chat.clone())
            {
                work::show_record(chat, &self.services, &self.journals, &self.sender);
            }
        }
    }

    /// Keeps a terminal whose program has ended, for as long as somebody looks at it.
    pub(super) fn keep_ended(&mut self, id: &PaneId) {
        if let PaneId::Agent(chat) = id
            && !self.runs(chat)
        {
            self.resting.insert(chat.clone());
        }
    }

    /// Drops those that nobody looks at.
    pub(super) fn let_go(&mut self) {
        if self.resting.is_empty() {
            return;
        }
        let watched = self.state.watched();
        for chat in std::mem::take(&mut self.resting) {
            let id = PaneId::Agent(chat.clone());
            // What sleeps looks as it did, and the record may have more than the screen it froze at.
            if self.runs(&chat) || self.sleeps(&chat) {
                continue;
            }
            if watched.contains(&id) {
                self.resting.insert(chat);
            } else if self.panes.has(&id) {
                self.panes.order(&id, PaneOrder::Drop, &self.sender);
                self.update(Event::Pty(id, PtyEvent::LetGo));
            }
        }
    }

    fn runs(&self, chat: &ChatId) -> bool {
        self.state.domain.live.is_live(chat)
    }

    fn sleeps(&self, chat: &ChatId) -> bool {
        self.state.domain.live.agents.get(chat).is_some_and(Agent::sleeps)
    }
}
