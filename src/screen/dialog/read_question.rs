//! A text above buttons: a yes to it counts once it can have been read to its end.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::model::Timestamp;

use super::super::scrollbar::{Extent, ScrollBar};
use super::buttons::{self, Button, Pressed};
use super::place::{self, PlacedServers};
use super::tables::{QUESTION, QuestionKey};
use super::{Form, Reply, Stop};

/// How it lies on the screen. Where it is scrolled to, and which button has the focus, its [`Form`] knows.
pub struct ReadQuestion {
    pub placed: PlacedServers,
    pub buttons: &'static [Button],
    /// Rows of the text.
    pub rows: usize,
    /// The text says all that is to be decided on.
    pub is_complete: bool,
}

/// What a key or a click came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadAnswer {
    Yes,
    /// The safe answer, or leaving it.
    No,
    /// A yes to what could not be read yet.
    TooSoon,
    /// It stays open.
    Open,
}

impl ReadQuestion {
    /// Of so many rows in a column of [`place::read_width`].
    pub(super) fn new(whole: Rect, buttons: &'static [Button], rows: usize) -> ReadQuestion {
        ReadQuestion {
            placed: place::question(whole, rows),
            buttons,
            rows,
            is_complete: true,
        }
    }

    fn seen(&self) -> usize {
        self.placed.text.height.into()
    }

    fn most(&self) -> usize {
        self.rows.saturating_sub(self.seen())
    }

    pub(super) fn press(&self, form: &mut Form, key: KeyEvent, now: Timestamp) -> ReadAnswer {
        let key = QUESTION.command(key);
        match buttons::press(&mut form.at, self.buttons, key) {
            Pressed::Chosen(stop) => return self.choose(form, stop, now),
            Pressed::Moved => return ReadAnswer::Open,
            Pressed::Other => {}
        }
        match key {
            Some(QuestionKey::Close) => return ReadAnswer::No,
            Some(QuestionKey::Move(key)) => form.scroll = key.go(form.scroll, self.most(), self.seen()),
            Some(QuestionKey::Yes | QuestionKey::No | QuestionKey::Answer | QuestionKey::Focus(_)) | None => {}
        }
        ReadAnswer::Open
    }

    pub(super) fn click(&self, form: &mut Form, at: (u16, u16), now: Timestamp) -> ReadAnswer {
        match place::clicked(self.buttons, self.placed.buttons, at) {
            Some(stop) => self.choose(form, stop, now),
            None => ReadAnswer::Open,
        }
    }

    /// A button is pressed: where more is to be read, a yes turns the page.
    fn choose(&self, form: &mut Form, stop: Stop, now: Timestamp) -> ReadAnswer {
        if form.is_unread(now) {
            return ReadAnswer::TooSoon;
        }
        if stop != Stop::Yes {
            return ReadAnswer::No;
        }
        if !self.is_complete {
            return ReadAnswer::TooSoon;
        }
        if form.scroll < self.most() {
            form.scroll = (form.scroll + self.seen()).min(self.most());
            form.shown = now;
            return ReadAnswer::Open;
        }
        ReadAnswer::Yes
    }

    pub(super) fn bar(&self, form: &Form) -> ScrollBar {
        let text = self.placed.text;
        ScrollBar::on_frame(self.placed.area, text, Extent::of_rows(text, form.scroll, self.rows))
    }
}

impl ReadAnswer {
    /// What becomes of the dialog, unless this is an answer.
    pub(super) fn reply(self) -> Reply {
        match self {
            ReadAnswer::TooSoon => Reply::TooSoon,
            ReadAnswer::Yes | ReadAnswer::No | ReadAnswer::Open => Reply::Stay,
        }
    }
}
