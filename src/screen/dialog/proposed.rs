//! A command that a repository wants to be run: shown whole, and run once a person has agreed to it.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::notice::Done;
use crate::domain::state::Domain;
use crate::model::script::Proposal;
use crate::model::text::visible;
use crate::model::{ChatId, Problem, RequestId, Timestamp};

use super::super::hint::Hint;
use super::super::scrollbar::{Extent, ScrollBar};
use super::super::wrap::wrap;
use super::buttons::{self, Pressed};
use super::place::{self, PlacedServers, RUN_IT};
use super::tables::{KeySection, QUESTION, QuestionKey};
use super::{Around, Contract, Form, Reply, Stop, Subject, Wish, Work, tables};

pub struct Proposed {
    chat: ChatId,
    about: Subject,
    pub proposal: Proposal,
    /// Busy once it was agreed to and that is being written down.
    pub form: Form,
}

impl Proposed {
    pub fn new(domain: &Domain, chat: ChatId, proposal: Proposal) -> Proposed {
        Proposed {
            about: Subject::chat(domain, &chat),
            chat,
            proposal,
            form: Form::new(Stop::No, domain.now),
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
        place::question(whole, self.lines(place::read_width(whole)).len())
    }

    /// A button is pressed: a yes counts once what is shown can have been read to its end.
    fn choose(&mut self, around: &Around, stop: Stop) -> Reply {
        let (width, rows) = place::size(self.place(around.whole).text);
        let most = self.lines(width).len().saturating_sub(rows);
        let form = &mut self.form;
        match stop {
            _ if form.is_unread(around.domain.now) => Reply::TooSoon,
            Stop::Yes if form.scroll < most => {
                form.scroll = (form.scroll + rows).min(most);
                form.shown = around.domain.now;
                Reply::Stay
            }
            Stop::Yes if form.is_busy() => Reply::Stay,
            Stop::Yes => Reply::Submit(Wish::Run(self.chat.clone(), self.proposal.clone())),
            _ => Reply::Close,
        }
    }
}

impl Contract for Proposed {
    fn subject(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        let (width, rows) = place::size(self.place(around.whole).text);
        let most = self.lines(width).len().saturating_sub(rows);
        let key = QUESTION.command(key);
        match buttons::press(&mut self.form.at, &RUN_IT, key) {
            Pressed::Chosen(stop) => return self.choose(around, stop),
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

    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        match place::clicked(&RUN_IT, self.place(around.whole).buttons, at) {
            Some(stop) => self.choose(around, stop),
            None => Reply::Stay,
        }
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        let placed = self.place(around.whole);
        let (width, seen) = place::size(placed.text);
        let extent = Extent {
            first: self.form.scroll,
            seen,
            all: self.lines(width).len(),
        };
        vec![ScrollBar::on_frame(placed.area, placed.text, extent)]
    }

    fn scroll_to(&mut self, _: &ScrollBar, first: usize, _: &Around) {
        self.form.scroll = first;
    }

    fn keys(&self) -> Vec<KeySection> {
        vec![QUESTION.section()]
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        tables::question_hints()
    }

    fn shown(&self) -> Option<Timestamp> {
        Some(self.form.shown)
    }

    fn begun(&mut self, _: &Wish, request: RequestId, now: Timestamp) {
        self.form.begin(request, now);
    }

    fn awaits(&self, request: RequestId) -> bool {
        self.form.request() == Some(request)
    }

    fn is_busy(&self) -> bool {
        self.form.is_busy()
    }

    fn answered(&mut self, _: RequestId, _: &Done, _: &Around) -> Reply {
        Reply::Over
    }

    fn failed(&mut self, _: RequestId, problem: Problem) {
        self.form.work = Work::Failed(problem);
    }
}
