//! What all agents ask: one queue, each question whole, answered here or in the agent's own dialog.

use crossterm::event::KeyEvent;

use crate::domain::approval::question::Decision;
use crate::domain::approval::queue::{Asked, Waits, queue};
use crate::model::{ChatId, Timestamp};

use super::super::hint::Hint;
use super::super::wrap::wrap;
use super::buttons::{self, Button, Pressed};
use super::tables::{APPROVALS, QuestionKey};
use super::{Around, Contract, Reply, Stop, UNREAD_MS, Wish, place};

/// So much longer than any other a question has to be seen that took the place of another under somebody's finger.
const SWAPPED_MS: i64 = 1_500;

pub struct Approvals {
    /// What is shown: its chat and its id. Kept while others come and go.
    pub at: Option<(ChatId, String)>,
    /// The button that has the focus.
    pub on: Stop,
    pub scroll: usize,
    /// Since when it is shown: what was typed before it could be read is no answer.
    pub shown: Timestamp,
    /// What was shown is answered here.
    answered: bool,
}

/// What is answered here, and what only the CLI's own dialog takes an answer to.
const HERE: [Button; 3] = [(Stop::Go, "Go there"), (Stop::No, "Deny"), (Stop::Yes, "Allow once")];
const SETUP: [Button; 3] = [(Stop::Go, "Go there"), (Stop::No, "Deny"), (Stop::Yes, "Approve")];
const THERE: [Button; 1] = [(Stop::Go, "Go there")];

impl Approvals {
    pub fn new(at: Option<(ChatId, String)>, now: Timestamp) -> Approvals {
        Approvals {
            at,
            on: Stop::Go,
            scroll: 0,
            shown: now,
            answered: false,
        }
    }

    /// Its place in the queue; the first where what was shown is answered.
    pub fn place(&self, queue: &[Waits]) -> usize {
        let here = |at: &(ChatId, String)| {
            queue
                .iter()
                .position(|waits| (&waits.chat, waits.id()) == (&at.0, at.1.as_str()))
        };
        self.at.as_ref().and_then(here).unwrap_or(0)
    }

    /// The lines of what is shown, in a column this wide.
    pub fn lines(&self, around: &Around, width: usize) -> Vec<String> {
        let queue = queue(around.domain);
        let Some(waits) = queue.get(self.place(&queue)) else {
            return Vec::new();
        };
        waits
            .text(around.domain)
            .lines()
            .flat_map(|line| wrap(line, width))
            .collect()
    }

    pub fn buttons(&self, around: &Around) -> &'static [Button] {
        let queue = queue(around.domain);
        match queue.get(self.place(&queue)).map(|waits| &waits.what) {
            Some(Asked::Call(_)) => &HERE,
            Some(Asked::Setup { .. }) => &SETUP,
            Some(Asked::CallThere(_) | Asked::There(_)) => &THERE,
            None => &[],
        }
    }

    pub fn is_unread(&self, now: Timestamp) -> bool {
        now.ms_since(self.shown) < UNREAD_MS
    }

    /// A button is pressed.
    fn choose(&mut self, around: &Around, stop: Stop) -> Reply {
        self.hold(around);
        let Some((chat, id)) = self.at.clone() else {
            return Reply::Stay;
        };
        match stop {
            Stop::Go => Reply::Go(chat),
            Stop::Yes | Stop::No if self.is_unread(around.domain.now) => Reply::TooSoon,
            Stop::Yes => self.decide(chat, id, Decision::Allow),
            Stop::No => self.decide(chat, id, Decision::Deny),
            Stop::Prompt
            | Stop::Name
            | Stop::Agent
            | Stop::Role
            | Stop::Place
            | Stop::Branch
            | Stop::Base
            | Stop::Consent
            | Stop::Of
            | Stop::Atom(_)
            | Stop::Schedule(_) => Reply::Stay,
        }
    }

    fn decide(&mut self, chat: ChatId, id: String, decision: Decision) -> Reply {
        self.answered = true;
        Reply::Submit(Wish::Decide(chat, id, decision))
    }

    /// Stays at what is shown now, and says where in the queue that is.
    fn hold(&mut self, around: &Around) -> usize {
        let queue = queue(around.domain);
        let place = self.place(&queue);
        self.at = queue.get(place).map(named);
        place
    }

    fn turn_to(&mut self, around: &Around, place: usize) {
        if let Some(waits) = queue(around.domain).get(place) {
            self.at = Some(named(waits));
            (self.on, self.scroll, self.shown) = (Stop::Go, 0, around.domain.now);
        }
    }
}

fn named(waits: &Waits) -> (ChatId, String) {
    (waits.chat.clone(), waits.id().to_owned())
}

impl Contract for Approvals {
    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        let lines = self.lines(around, place::read_width(around.whole)).len();
        let page = usize::from(place::approvals(around.whole, lines).text.height);
        let most = lines.saturating_sub(page);
        let place = self.hold(around);
        let buttons = self.buttons(around);
        let key = APPROVALS.command(key);
        match buttons::press(&mut self.on, buttons, key) {
            Pressed::Chosen(stop) => return self.choose(around, stop),
            Pressed::Moved => return Reply::Stay,
            Pressed::Other => {}
        }
        match key {
            Some(QuestionKey::Yes | QuestionKey::No) if buttons == THERE => return Reply::Elsewhere,
            Some(QuestionKey::Close) => return Reply::Close,
            Some(QuestionKey::Down) => self.turn_to(around, place + 1),
            Some(QuestionKey::Up) => self.turn_to(around, place.saturating_sub(1)),
            Some(QuestionKey::PageDown) => self.scroll = (self.scroll + page).min(most),
            Some(QuestionKey::PageUp) => self.scroll = self.scroll.saturating_sub(page),
            Some(QuestionKey::Yes | QuestionKey::No | QuestionKey::Answer | QuestionKey::Left | QuestionKey::Right)
            | None => {}
        }
        Reply::Stay
    }

    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        let lines = self.lines(around, place::read_width(around.whole)).len();
        let row = place::approvals(around.whole, lines).buttons;
        match place::clicked(self.buttons(around), row, at) {
            Some(stop) => self.choose(around, stop),
            None => Reply::Stay,
        }
    }

    fn hints(&self, around: &Around) -> Vec<Hint> {
        let buttons = self.buttons(around);
        let close = APPROVALS.hint(&[QuestionKey::Close], "close");
        let next = APPROVALS.hint(&[QuestionKey::Up, QuestionKey::Down], "next");
        if buttons.is_empty() {
            return vec![close];
        }
        if !buttons.iter().any(|(stop, _)| *stop == Stop::Yes) {
            return vec![APPROVALS.hint(&[QuestionKey::Answer], "go there"), close, next];
        }
        let yes = match *buttons == SETUP {
            true => "approve",
            false => "allow once",
        };
        vec![
            APPROVALS.hint(&[QuestionKey::Yes], yes),
            APPROVALS.hint(&[QuestionKey::No], "deny"),
            APPROVALS.hint(&[QuestionKey::Left, QuestionKey::Right], "choose"),
            APPROVALS.hint(&[QuestionKey::Answer], "answer"),
            close,
            next,
            APPROVALS.hint(&[QuestionKey::PageDown], "page"),
        ]
    }

    fn shown(&self) -> Option<Timestamp> {
        self.at.as_ref().map(|_| self.shown)
    }

    /// Where what was shown is answered or gone, another question stands there: it has not been read yet. Unless this
    /// person gave the answer, one to the last may be on its way to the key. After the last answer it closes.
    fn settle(&mut self, around: &Around) -> Reply {
        let queue = queue(around.domain);
        let shown = queue.get(self.place(&queue)).map(named);
        if shown != self.at {
            let swapped = self.at.is_some() && !self.answered;
            let late = if swapped { SWAPPED_MS } else { 0 };
            self.at = shown;
            (self.on, self.scroll, self.shown) = (Stop::Go, 0, Timestamp(around.domain.now.0 + late));
        }
        match std::mem::take(&mut self.answered) && queue.is_empty() {
            true => Reply::Over,
            false => Reply::Stay,
        }
    }
}
