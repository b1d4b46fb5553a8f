//! What all agents ask: one queue at the left, the chosen question whole at the right, answered here or in the agent's
//! own dialog.

mod placed;
mod rows;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::approval::question::Decision;
use crate::domain::approval::queue::{Asked, Waits, queue};
use crate::model::{ChatId, Timestamp};

use super::super::hint::Hint;
use super::super::transcript::row::TextRow;
use super::buttons::{self, Button, Pressed};
use super::place;
use super::tables::{APPROVALS, QuestionKey};
use super::{Around, Contract, Reply, Stop, UNREAD_MS, Wish};
pub use placed::PlacedApprovals;

/// So much longer than any other a question has to be seen that took the place of another under somebody's finger.
const SWAPPED_MS: i64 = 1_500;

/// Rows of the question that the wheel scrolls by.
const WHEEL: usize = 3;

pub struct Approvals {
    /// What is shown: its chat and its id. Kept while others come and go.
    pub at: Option<(ChatId, String)>,
    /// The button that has the focus.
    pub on: Stop,
    pub scroll: usize,
    /// Since when it is shown: what was typed before it could be read is no answer.
    pub shown: Timestamp,
    /// What is shown, as it is read.
    page: QuestionPage,
    /// What was shown is answered here.
    answered: bool,
}

/// The rows of a question, laid out once.
#[derive(Default)]
struct QuestionPage {
    of: Option<QuestionPageOf>,
    rows: Vec<TextRow>,
}

#[derive(PartialEq)]
struct QuestionPageOf {
    at: (ChatId, String),
    width: u16,
    /// What may change while it is asked.
    line: String,
    also: usize,
}

/// What is answered here, and what only the CLI's own dialog takes an answer to.
const HERE: [Button; 3] = [(Stop::Go, "Go there"), (Stop::No, "Refuse"), (Stop::Yes, "Allow once")];
const SETUP: [Button; 3] = [(Stop::Go, "Go there"), (Stop::No, "Refuse"), (Stop::Yes, "Approve")];
const THERE: [Button; 1] = [(Stop::Go, "Go there")];

impl Approvals {
    pub fn new(at: Option<(ChatId, String)>, now: Timestamp) -> Approvals {
        Approvals {
            at,
            on: Stop::Go,
            scroll: 0,
            shown: now,
            page: QuestionPage::default(),
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

    /// What is shown, as it is read.
    pub fn rows(&self) -> &[TextRow] {
        &self.page.rows
    }

    pub fn placed(&self, whole: Rect, queue: &[Waits]) -> PlacedApprovals {
        placed::placed(whole, queue.len())
    }

    /// Lays out what is shown, unless it is.
    fn lay_out(&mut self, around: &Around) {
        let queue = queue(around.domain);
        let width = self.placed(around.whole, &queue).text.width;
        let shown = queue.get(self.place(&queue));
        let of = shown.map(|waits| QuestionPageOf {
            at: named(waits),
            width,
            line: waits.line().into_owned(),
            also: match &waits.what {
                Asked::Setup { also, .. } => also.len(),
                Asked::Call(_) | Asked::CallThere(_) | Asked::There(_) => 0,
            },
        });
        if self.page.of != of {
            let rows = shown.map(|waits| rows::rows(around.domain, waits, width.into()));
            self.page = QuestionPage {
                of,
                rows: rows.unwrap_or_default(),
            };
        }
    }

    /// Rows that are seen at once, and how far it can be scrolled.
    fn extent(&self, around: &Around) -> (usize, usize) {
        let queue = queue(around.domain);
        let page = usize::from(self.placed(around.whole, &queue).text.height);
        (page, self.page.rows.len().saturating_sub(page))
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
        let (page, most) = self.extent(around);
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
            Some(key) => self.scroll = key.scroll(self.scroll, most, page),
            None => {}
        }
        Reply::Stay
    }

    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        let queue = queue(around.domain);
        let placed = self.placed(around.whole, &queue);
        if let Some(stop) = place::clicked(self.buttons(around), placed.buttons, at) {
            return self.choose(around, stop);
        }
        let shown = self.place(&queue);
        if let Some(line) = placed.clicked(at) {
            let clicked = placed.first(shown) + line;
            if clicked != shown {
                self.turn_to(around, clicked);
            }
        }
        Reply::Stay
    }

    fn wheel(&mut self, by: i8, around: &Around) -> bool {
        let (_, most) = self.extent(around);
        self.scroll = match by {
            ..0 => self.scroll.saturating_sub(WHEEL),
            0.. => (self.scroll + WHEEL).min(most),
        };
        true
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
            APPROVALS.hint(&[QuestionKey::No], "refuse"),
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
        self.lay_out(around);
        match std::mem::take(&mut self.answered) && queue.is_empty() {
            true => Reply::Over,
            false => Reply::Stay,
        }
    }
}
