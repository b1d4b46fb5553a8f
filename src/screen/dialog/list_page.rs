//! What pages of things on disk have in common: a list, what is said of the chosen one, a question about it, and work
//! under way. [`super::DiskPage`] and [`super::SetupPage`] are such pages.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::notice::{DiskNews, Done};
use crate::domain::work::StorageWork;
use crate::model::text::visible;
use crate::model::{Problem, RequestId, Timestamp};

use super::super::scrollbar::{Extent, ScrollBar};
use super::super::wrap::wrap;
use super::buttons::{self, Button, Pressed};
use super::place;
use super::tables::{ListKey, QUESTION, QuestionKey};
use super::{Around, DiskWish, Form, Question, Reply, Stop, Wish};

/// A row as it is drawn.
pub struct StoredRow {
    pub name: String,
    pub note: String,
    pub right: String,
}

/// A question about what is listed.
pub struct StoredQuestion {
    pub title: &'static str,
    pub lines: Vec<String>,
    pub buttons: [Button; 2],
}

impl StoredQuestion {
    /// Its lines in a column this wide.
    pub fn rows(&self, width: usize) -> Vec<String> {
        self.lines.iter().flat_map(|line| wrap(line, width)).collect()
    }

    pub fn placed(&self, whole: Rect) -> place::PlacedServers {
        place::question(whole, self.rows(place::read_width(whole)).len())
    }
}

/// A page of what is stored, as it is drawn.
pub trait StoredPage {
    fn page(&self) -> &ListPage;
    fn title(&self) -> String;
    fn rows(&self) -> Vec<StoredRow>;
    /// What is said of the chosen one.
    fn about(&self) -> Vec<String>;
    /// What is said where nothing is listed: a headline and a sentence.
    fn empty(&self) -> (&'static str, &'static str);
    fn question(&self) -> StoredQuestion;
}

#[derive(Default)]
pub struct ListPage {
    pub at: usize,
    /// Something is to be done, if the person says so.
    pub confirm: Option<Form>,
    pub problem: Option<Problem>,
    /// What is being done, and the request by which it is.
    busy: Option<(&'static str, RequestId)>,
    is_asked: bool,
}

impl ListPage {
    /// The first row that is seen of a list with room for so many.
    pub fn first(&self, rows: usize) -> usize {
        (self.at + 1).saturating_sub(rows)
    }

    /// Beside the list; a question is short.
    pub(super) fn bars(&self, all: usize, around: &Around) -> Vec<ScrollBar> {
        let placed = place::servers(around.whole);
        let seen = usize::from(placed.list.height);
        let first = self.first(seen);
        let bar = ScrollBar::on_frame(placed.area, placed.list, Extent { first, seen, all });
        match self.confirm {
            Some(_) => Vec::new(),
            None => vec![bar],
        }
    }

    /// What is said below the list.
    pub fn detail(&self, about: Vec<String>, width: usize) -> Vec<String> {
        let problem = self.problem.iter().map(|problem| visible(&problem.to_string()));
        let busy = self.busy.iter().map(|(words, _)| (*words).to_owned());
        let lines: Vec<String> = problem.chain(busy).chain(about).collect();
        lines.iter().flat_map(|line| wrap(line, width)).collect()
    }

    /// It is not known yet what there is.
    pub fn is_looking(&self) -> bool {
        self.is_busy() || !self.is_asked
    }

    pub(super) fn is_busy(&self) -> bool {
        self.busy.is_some()
    }

    pub(super) fn ask(&mut self, now: Timestamp) {
        if !self.is_busy() {
            self.confirm = Some(Form::new(Stop::No, now));
        }
    }

    pub(super) fn move_to(&mut self, key: ListKey, count: usize, around: &Around) {
        let room = place::servers(around.whole).list.height.into();
        self.at = key.go(self.at, count.saturating_sub(1), room);
    }

    /// A key at its question: whether the answer is yes.
    pub(super) fn press_question(&mut self, key: KeyEvent, buttons: &[Button], around: &Around) -> PageAnswer {
        let Some(form) = &mut self.confirm else {
            return PageAnswer::Not(Box::new(Reply::Stay));
        };
        let key = QUESTION.command(key);
        match buttons::press(&mut form.at, buttons, key) {
            Pressed::Chosen(stop) => return self.choose(stop, around),
            Pressed::Moved => {}
            Pressed::Other if key == Some(QuestionKey::Close) => self.confirm = None,
            Pressed::Other => {}
        }
        PageAnswer::Not(Box::new(Reply::Stay))
    }

    fn choose(&mut self, stop: Stop, around: &Around) -> PageAnswer {
        match &self.confirm {
            Some(form) if form.is_unread(around.domain.now) => PageAnswer::Not(Box::new(Reply::TooSoon)),
            Some(_) if stop == Stop::Yes => {
                self.confirm = None;
                PageAnswer::Yes
            }
            Some(_) | None => {
                self.confirm = None;
                PageAnswer::Not(Box::new(Reply::Stay))
            }
        }
    }

    /// A click on a row chooses it; on a button of the question, answers.
    pub(super) fn click(
        &mut self,
        at: (u16, u16),
        count: usize,
        question: &StoredQuestion,
        around: &Around,
    ) -> PageAnswer {
        let placed = place::servers(around.whole);
        if self.confirm.is_some() {
            return match place::clicked(&question.buttons, question.placed(around.whole).buttons, at) {
                Some(stop) => self.choose(stop, around),
                None => PageAnswer::Not(Box::new(Reply::Stay)),
            };
        }
        if placed.list.contains(at.into()) {
            let row = self.first(placed.list.height.into()) + usize::from(at.1 - placed.list.y);
            self.at = row.min(count.saturating_sub(1));
        }
        PageAnswer::Not(Box::new(Reply::Stay))
    }

    /// What is listed is asked for once; what is done tells it anew.
    pub(super) fn settle(&mut self, list: StorageWork) -> Reply {
        match std::mem::replace(&mut self.is_asked, true) {
            false => Reply::Submit(Wish::Know(Question::Storage(list))),
            true => Reply::Stay,
        }
    }

    pub(super) fn begun(&mut self, wish: &Wish, request: RequestId) {
        let words = match wish {
            Wish::Know(_) => "looking…",
            Wish::Disk(DiskWish::Restore(_)) => "restoring…",
            _ => "changing…",
        };
        self.busy = Some((words, request));
        self.problem = None;
    }

    pub(super) fn awaits(&self, request: RequestId) -> bool {
        self.busy.is_some_and(|(_, busy)| busy == request)
    }

    /// It has come to this: what is listed now is told, or else asked for again.
    pub(super) fn answered(&mut self, done: &Done) -> Option<DiskNews> {
        self.busy = None;
        match done {
            Done::Disk(news) => Some(news.clone()),
            _ => {
                self.is_asked = false;
                None
            }
        }
    }

    pub(super) fn failed(&mut self, problem: Problem) {
        self.busy = None;
        self.problem = Some(problem);
    }

    pub(super) fn hold_within(&mut self, count: usize) {
        self.at = self.at.min(count.saturating_sub(1));
    }
}

/// Whether a question was answered by a yes.
pub(super) enum PageAnswer {
    Yes,
    Not(Box<Reply>),
}
