//! What all agents ask: one queue, each question whole, answered here or in the agent's own dialog.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::approval::question::Decision;
use crate::domain::approval::queue::{Asked, Waits, queue};
use crate::model::{ChatId, Timestamp};
use crate::screen::State;

use super::super::wrap::wrap;
use super::buttons::{self, Button, Pressed};
use super::tables::{APPROVALS, QuestionKey};
use super::{Stop, UNREAD_MS, place};

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
}

/// What a key comes to.
pub(super) enum Reply {
    Stay,
    Close,
    /// An answer to what could not be read yet.
    Early,
    /// An answer to what only the CLI's own dialog takes one to.
    Elsewhere,
    Decide(ChatId, String, Decision),
    Go(ChatId),
}

/// What is answered here, and what only the CLI's own dialog takes an answer to.
const HERE: [Button; 3] = [(Stop::Go, "Go there"), (Stop::No, "Deny"), (Stop::Yes, "Allow once")];
pub(super) const SETUP: [Button; 3] = [(Stop::Go, "Go there"), (Stop::No, "Deny"), (Stop::Yes, "Approve")];
const THERE: [Button; 1] = [(Stop::Go, "Go there")];

impl Approvals {
    pub fn new(at: Option<(ChatId, String)>, now: Timestamp) -> Approvals {
        Approvals {
            at,
            on: Stop::Go,
            scroll: 0,
            shown: now,
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
    pub fn lines(&self, state: &State, width: usize) -> Vec<String> {
        let queue = queue(&state.domain);
        let Some(waits) = queue.get(self.place(&queue)) else {
            return Vec::new();
        };
        waits
            .text(&state.domain)
            .lines()
            .flat_map(|line| wrap(line, width))
            .collect()
    }

    pub fn buttons(&self, state: &State) -> &'static [Button] {
        let queue = queue(&state.domain);
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

    pub(super) fn press(&mut self, state: &State, key: KeyEvent, whole: Rect) -> Reply {
        let lines = self.lines(state, place::read_width(whole)).len();
        let page = usize::from(place::approvals(whole, lines).text.height);
        let most = lines.saturating_sub(page);
        let place = self.hold(state);
        let buttons = self.buttons(state);
        let key = APPROVALS.command(key);
        match buttons::press(&mut self.on, buttons, key) {
            Pressed::Chosen(stop) => return self.choose(state, stop),
            Pressed::Moved => return Reply::Stay,
            Pressed::Other => {}
        }
        match key {
            Some(QuestionKey::Yes | QuestionKey::No) if buttons == THERE => return Reply::Elsewhere,
            Some(QuestionKey::Close) => return Reply::Close,
            Some(QuestionKey::Down) => self.turn_to(state, place + 1),
            Some(QuestionKey::Up) => self.turn_to(state, place.saturating_sub(1)),
            Some(QuestionKey::PageDown) => self.scroll = (self.scroll + page).min(most),
            Some(QuestionKey::PageUp) => self.scroll = self.scroll.saturating_sub(page),
            Some(QuestionKey::Yes | QuestionKey::No | QuestionKey::Answer | QuestionKey::Left | QuestionKey::Right)
            | None => {}
        }
        Reply::Stay
    }

    /// A button is pressed.
    pub(super) fn choose(&mut self, state: &State, stop: Stop) -> Reply {
        self.hold(state);
        let Some((chat, id)) = self.at.clone() else {
            return Reply::Stay;
        };
        match stop {
            Stop::Go => Reply::Go(chat),
            Stop::Yes | Stop::No if self.is_unread(state.domain.now) => Reply::Early,
            Stop::Yes => Reply::Decide(chat, id, Decision::Allow),
            Stop::No => Reply::Decide(chat, id, Decision::Deny),
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

    /// Stays at what is shown now, and says where in the queue that is.
    fn hold(&mut self, state: &State) -> usize {
        let queue = queue(&state.domain);
        let place = self.place(&queue);
        self.at = queue.get(place).map(named);
        place
    }

    fn turn_to(&mut self, state: &State, place: usize) {
        if let Some(waits) = queue(&state.domain).get(place) {
            self.at = Some(named(waits));
            (self.on, self.scroll, self.shown) = (Stop::Go, 0, state.domain.now);
        }
    }

    /// Where what was shown is answered or gone, another question stands there: it has not been read yet, and an answer
    /// to the last one may be on its way to the key.
    pub(super) fn settle(&mut self, state: &State) {
        let queue = queue(&state.domain);
        let shown = queue.get(self.place(&queue)).map(named);
        if shown != self.at {
            let late = if self.at.is_some() { SWAPPED_MS } else { 0 };
            self.at = shown;
            (self.on, self.scroll, self.shown) = (Stop::Go, 0, Timestamp(state.domain.now.0 + late));
        }
    }

    /// After an answer the next question is shown, and has to be read before it is answered.
    pub(super) fn advance(&mut self, state: &State) {
        self.at = None;
        self.turn_to(state, 0);
    }
}

fn named(waits: &Waits) -> (ChatId, String) {
    (waits.chat.clone(), waits.id().to_owned())
}
