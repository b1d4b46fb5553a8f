//! A command that a repository wants to be run: shown whole, and run once a person has agreed to it.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::model::script::Proposal;
use crate::model::text::visible;
use crate::model::{ChatId, Timestamp};
use crate::screen::State;

use super::super::wrap::wrap;
use super::buttons::{self, Pressed};
use super::place::{self, PlacedServers, RUN_IT};
use super::tables::{QUESTION, QuestionKey};
use super::{Form, Stop, Work};

pub struct Proposed {
    pub chat: ChatId,
    pub proposal: Proposal,
    /// Busy once it was agreed to and that is being written down.
    pub form: Form,
}

/// What a key or click comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Stay,
    Close,
    Early,
    Agree(ChatId, Proposal),
}

impl Proposed {
    pub fn new(chat: ChatId, proposal: Proposal, now: Timestamp) -> Proposed {
        Proposed {
            chat,
            proposal,
            form: Form::new(Stop::No, now),
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
        if let Work::Failed(problem) = &self.form.work {
            lines.push(String::new());
            lines.extend(wrap(&visible(&problem.to_string()), width));
        }
        lines
    }

    pub fn place(&self, whole: Rect) -> PlacedServers {
        place::proposed(whole, self.lines(place::read_width(whole)).len())
    }

    pub fn press(&mut self, state: &State, key: KeyEvent, (width, rows): (usize, usize)) -> Reply {
        let most = self.lines(width).len().saturating_sub(rows);
        let key = QUESTION.command(key);
        match buttons::press(&mut self.form.at, &RUN_IT, key) {
            Pressed::Chosen(stop) => return self.choose(state, stop, (width, rows)),
            Pressed::Moved => return Reply::Stay,
            Pressed::Other => {}
        }
        match key {
            Some(QuestionKey::Close) => return Reply::Close,
            Some(key) => self.form.scroll = key.scroll(self.form.scroll, most, rows),
            None => {}
        }
        Reply::Stay
    }

    /// A button is pressed: a yes counts once what is shown can have been read to its end.
    pub fn choose(&mut self, state: &State, stop: Stop, (width, rows): (usize, usize)) -> Reply {
        let most = self.lines(width).len().saturating_sub(rows);
        let form = &mut self.form;
        match stop {
            _ if form.is_unread(state.domain.now) => Reply::Early,
            Stop::Yes if form.scroll < most => {
                form.scroll = (form.scroll + rows).min(most);
                form.shown = state.domain.now;
                Reply::Stay
            }
            Stop::Yes if form.is_busy() => Reply::Stay,
            Stop::Yes => {
                form.work = Work::Busy;
                Reply::Agree(self.chat.clone(), self.proposal.clone())
            }
            _ => Reply::Close,
        }
    }
}
