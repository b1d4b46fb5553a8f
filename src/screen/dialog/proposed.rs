//! A command that a repository wants to be run: shown whole, and run once a person has agreed to it.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::notice::Done;
use crate::domain::state::Domain;
use crate::model::script::Proposal;
use crate::model::text::visible;
use crate::model::{ChatId, Problem, RequestId, Timestamp};

use super::super::hint::Hint;
use super::super::scrollbar::ScrollBar;
use super::super::wrap::wrap;
use super::place::{self, RUN_IT};
use super::read_question::{ReadAnswer, ReadQuestion};
use super::tables::{KeySection, QUESTION};
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

    pub fn question(&self, whole: Rect) -> ReadQuestion {
        ReadQuestion::new(whole, &RUN_IT, self.lines(place::read_width(whole)).len())
    }

    /// What comes of an answer to it.
    fn decide(&self, answer: ReadAnswer) -> Reply {
        match answer {
            ReadAnswer::Yes if !self.form.is_busy() => {
                Reply::Submit(Wish::Run(self.chat.clone(), self.proposal.clone()))
            }
            ReadAnswer::No => Reply::Close,
            ReadAnswer::Yes | ReadAnswer::Open | ReadAnswer::TooSoon => answer.reply(),
        }
    }
}

impl Contract for Proposed {
    fn subject(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        let question = self.question(around.whole);
        let answer = question.press(&mut self.form, key, around.domain.now);
        self.decide(answer)
    }

    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        let question = self.question(around.whole);
        let answer = question.click(&mut self.form, at, around.domain.now);
        self.decide(answer)
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        vec![self.question(around.whole).bar(&self.form)]
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
