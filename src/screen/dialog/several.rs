//! Stopping or deleting all chats that are marked: names each, and what deleting it would lose.

use std::collections::BTreeMap;

use crate::domain::notice::Done;
use crate::domain::state::Domain;
use crate::model::{ChatId, Losses, Problem, Timestamp, text};

use super::super::keymap::ChatsAction;
use super::{Around, Ask, Form, Halted, Part, Question, Stop, Wish, loss};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeveralAct {
    Stop,
    Delete,
}

pub struct Several {
    chats: Vec<ChatId>,
    act: SeveralAct,
    form: Form,
    /// What deleting each would lose, as far as that is found out.
    losses: BTreeMap<ChatId, Losses>,
}

impl Several {
    pub fn new(domain: &Domain, chats: Vec<ChatId>, act: SeveralAct) -> Several {
        Several {
            chats,
            act,
            form: Form::new(Stop::No, domain.now),
            losses: BTreeMap::new(),
        }
    }

    /// The first of which that is not known yet. One that is gone loses nothing.
    fn unknown(&self) -> Option<&ChatId> {
        let mut chats = self.chats.iter();
        chats.find(|chat| self.act == SeveralAct::Delete && !self.losses.contains_key(chat))
    }

    fn lines(&self, around: &Around) -> Vec<String> {
        let mut lines = Vec::new();
        for chat in &self.chats {
            let Some(known) = around.domain.disk.chats.get(chat) else {
                continue;
            };
            let status = around.domain.status(chat).in_plain_words();
            lines.push(text::visible(&format!("{} · {status}", known.record.name)));
            if self.act == SeveralAct::Delete {
                let said = loss::said(self.losses.get(chat), "would be lost:");
                match said.lost.is_empty() {
                    true => lines.push(format!("  {}", said.headline)),
                    false => lines.extend(said.lost.iter().map(|lost| format!("  {lost}"))),
                }
            }
        }
        lines
    }
}

impl Ask for Several {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        match (self.act, self.chats.len()) {
            (SeveralAct::Stop, 1) => "Stop the marked agent?".into(),
            (SeveralAct::Stop, count) => format!("Stop {count} agents?"),
            (SeveralAct::Delete, 1) => "Delete the marked chat?".into(),
            (SeveralAct::Delete, count) => format!("Delete {count} chats?"),
        }
    }

    fn parts(&self, around: &Around) -> Vec<Part> {
        let mut parts = vec![Part::Lines(self.lines(around)), Part::Gap];
        let keymap = &around.keymap;
        let is_one = self.chats.len() == 1;
        let trash = keymap.key(ChatsAction::Trash);
        parts.push(Part::Note(match (self.act, is_one) {
            (SeveralAct::Stop, true) => "Its process ends. Chat, projects and conversation stay.".into(),
            (SeveralAct::Stop, false) => "Their processes end. Chats, projects and conversations stay.".into(),
            (SeveralAct::Delete, true) => {
                format!("It stays in the trash for 7 days: {trash} lists it. An agent that runs is stopped.")
            }
            (SeveralAct::Delete, false) => {
                format!("They stay in the trash for 7 days: {trash} lists them. Agents that run are stopped.")
            }
        }));
        parts.push(Part::Gap);
        parts.extend(self.form.warning());
        parts.push(Part::Buttons(match (self.act, is_one) {
            (SeveralAct::Stop, true) => vec![(Stop::No, "Let it run"), (Stop::Yes, "Stop")],
            (SeveralAct::Stop, false) => vec![(Stop::No, "Let them run"), (Stop::Yes, "Stop all")],
            (SeveralAct::Delete, true) => vec![(Stop::No, "Keep it"), (Stop::Yes, "Delete")],
            (SeveralAct::Delete, false) => vec![(Stop::No, "Keep them"), (Stop::Yes, "Delete all")],
        }));
        parts
    }

    fn leaves(&self) -> bool {
        true
    }

    fn wish(&self, around: &Around) -> Result<Wish, Problem> {
        if self.unknown().is_some() {
            return Err(Problem::new(
                "deleting",
                "what would be lost is still being found out",
                "wait a moment",
            ));
        }
        let is_there = |chat: &&ChatId| match self.act {
            SeveralAct::Stop => around.domain.status(chat).is_live(),
            SeveralAct::Delete => around.domain.disk.chats.contains_key(chat),
        };
        let wish = |chat: &ChatId| match self.act {
            SeveralAct::Stop => Wish::Halt(chat.clone(), Halted::Agent),
            SeveralAct::Delete => Wish::Trash(chat.clone()),
        };
        Ok(Wish::Each(self.chats.iter().filter(is_there).map(wish).collect()))
    }

    fn scrolls(&self) -> bool {
        true
    }

    fn question(&self) -> Option<Question> {
        self.unknown().cloned().map(Question::Losses)
    }

    fn learned(&mut self, done: &Done, now: Timestamp) {
        if let Done::Losses(chat, losses) = done {
            // What there is to decide on is new, so it has to be seen before it is answered.
            if !losses.lost.is_empty() {
                self.form.shown = now;
            }
            self.losses.insert(chat.clone(), losses.clone());
        }
    }
}
