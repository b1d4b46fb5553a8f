//! A command that a repository wants to be run: shown whole, and run once a person has agreed to it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

use crate::app::state::State;
use crate::model::script::Proposal;
use crate::model::text::visible;
use crate::model::{ChatId, Problem, Timestamp};

use super::super::wrap::wrap;
use super::UNREAD_MS;
use super::place::{self, PlacedServers};

pub struct Proposed {
    pub chat: ChatId,
    pub proposal: Proposal,
    pub scroll: usize,
    pub problem: Option<Problem>,
    /// It was agreed to, and that is being written down.
    pub busy: bool,
    /// Since when what is seen of it is: what was typed before it could be read is no answer.
    shown: Timestamp,
}

/// What a key or click comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Stay,
    Close,
    Agree(ChatId, Proposal),
}

impl Proposed {
    pub fn new(chat: ChatId, proposal: Proposal, now: Timestamp) -> Proposed {
        Proposed {
            chat,
            proposal,
            scroll: 0,
            problem: None,
            busy: false,
            shown: now,
        }
    }

    /// All that is agreed to, in a column this wide.
    pub fn lines(&self, width: usize) -> Vec<String> {
        let mut lines = wrap(
            &format!("{} brings this command:", visible(&self.proposal.project)),
            width,
        );
        lines.push(String::new());
        lines.extend(self.proposal.shown.iter().flat_map(|line| wrap(line, width)));
        lines.push(String::new());
        lines.extend(wrap(
            &format!("It comes from {}", visible(&self.proposal.origin)),
            width,
        ));
        lines.push(String::new());
        let what = "It runs in the clone and could do what you can. You agree to exactly this text, for this origin: if \
                    it changes, you are asked again; what it calls may change without that.";
        lines.extend(wrap(what, width));
        if let Some(problem) = &self.problem {
            lines.push(String::new());
            lines.extend(wrap(&visible(&problem.to_string()), width));
        }
        lines
    }

    pub fn place(&self, whole: Rect) -> PlacedServers {
        place::proposed(whole, self.lines(place::read_width(whole)).len())
    }

    pub fn press(&mut self, state: &State, key: KeyEvent, (width, rows): (usize, usize)) -> Reply {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let most = self.lines(width).len().saturating_sub(rows);
        match key.code {
            KeyCode::Char('y') => return self.agree(state, (width, rows)),
            // The safe answer is the one that is focused.
            KeyCode::Char('n' | 'q') | KeyCode::Esc | KeyCode::Enter => return Reply::Close,
            KeyCode::Char('c') if ctrl => return Reply::Close,
            KeyCode::Down | KeyCode::Char('j') => self.scroll = (self.scroll + 1).min(most),
            KeyCode::Up | KeyCode::Char('k') => self.scroll = self.scroll.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll = (self.scroll + rows).min(most),
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(rows),
            _ => {}
        }
        Reply::Stay
    }

    /// A yes to what is shown, once it can have been read to its end.
    pub fn agree(&mut self, state: &State, (width, rows): (usize, usize)) -> Reply {
        let most = self.lines(width).len().saturating_sub(rows);
        if self.scroll < most {
            self.scroll = (self.scroll + rows).min(most);
            self.shown = state.now;
            return Reply::Stay;
        }
        if self.busy || state.now.ms_since(self.shown) < UNREAD_MS {
            return Reply::Stay;
        }
        self.busy = true;
        self.problem = None;
        Reply::Agree(self.chat.clone(), self.proposal.clone())
    }
}
