//! A page of things on disk: a list, what is said of the chosen one, a question about it, and work under way. What it
//! lists is a [`StoredList`]: [`super::DiskPage`] and [`super::SetupPage`] are such pages.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::notice::{DiskNews, Done};
use crate::domain::work::StorageWork;
use crate::model::text::visible;
use crate::model::{Problem, RequestId, Timestamp};

use super::super::hint::Hint;
use super::super::scrollbar::{Extent, ScrollBar};
use super::super::wrap::wrap;
use super::buttons::Button;
use super::place;
use super::read_question::{ReadAnswer, ReadQuestion};
use super::tables::{self, KeySection, MoveKey, QUESTION};
use super::{Around, Contract, DiskWish, Form, Question, Reply, Stop, Wish};

const LOOKING: &str = "looking…";

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
    pub buttons: &'static [Button],
}

impl StoredQuestion {
    /// Its lines in a column this wide.
    pub fn rows(&self, width: usize) -> Vec<String> {
        self.lines.iter().flat_map(|line| wrap(line, width)).collect()
    }
}

/// What a key of the list's own table does.
pub enum StoredPress {
    Move(MoveKey),
    /// Its question is asked.
    Ask,
    Reply(Box<Reply>),
}

/// What one of these pages lists. The row `at` is the chosen one.
pub trait StoredList {
    fn title(&self) -> String;
    fn count(&self) -> usize;
    fn rows(&self) -> Vec<StoredRow>;
    /// What is said of the chosen one.
    fn about(&self, at: usize) -> Vec<String>;
    /// What is said where nothing is listed: a headline and a sentence.
    fn empty(&self) -> (&'static str, &'static str);
    fn keys(&self) -> KeySection;
    fn hints(&self, at: usize) -> Vec<Hint>;
    fn press(&self, at: usize, key: KeyEvent) -> StoredPress;
    fn question(&self, at: usize) -> StoredQuestion;
    /// The question was answered by a yes.
    fn agreed(&self, at: usize) -> Reply;
    /// By which all of it is read.
    fn reading(&self) -> StorageWork;
    /// What was read, and where the cursor is in it that was at this row.
    fn take(&mut self, news: &DiskNews, at: usize) -> usize;
}

#[derive(Default)]
pub struct ListPage<L> {
    pub list: L,
    pub at: usize,
    /// Something is to be done, if the person says so.
    pub confirm: Option<Form>,
    pub problem: Option<Problem>,
    /// What is being done, and the request by which it is.
    busy: Option<(&'static str, RequestId)>,
    is_asked: bool,
}

impl<L: StoredList> ListPage<L> {
    /// The first row that is seen of a list with room for so many.
    pub fn first(&self, rows: usize) -> usize {
        (self.at + 1).saturating_sub(rows)
    }

    /// What is said below the list.
    pub fn detail(&self, width: usize) -> Vec<String> {
        let problem = self.problem.iter().map(|problem| visible(&problem.to_string()));
        let busy = self.busy.iter().map(|(words, _)| (*words).to_owned());
        let lines: Vec<String> = problem.chain(busy).chain(self.list.about(self.at)).collect();
        lines.iter().flat_map(|line| wrap(line, width)).collect()
    }

    /// What is listed is asked for again.
    pub fn looks_again(&mut self) {
        (self.busy, self.is_asked) = (None, false);
    }

    /// Something is being changed. Only to look is in nobody's way.
    fn is_changing(&self) -> bool {
        self.busy.is_some_and(|(words, _)| words != LOOKING)
    }

    /// It is not known yet what there is.
    pub fn is_looking(&self) -> bool {
        self.busy.is_some() || !self.is_asked
    }

    /// The question that is open, and how it lies.
    pub fn question(&self, whole: Rect) -> Option<(StoredQuestion, ReadQuestion)> {
        self.confirm.as_ref()?;
        let asked = self.list.question(self.at);
        let rows = asked.rows(place::read_width(whole)).len();
        let question = ReadQuestion::new(whole, asked.buttons, rows);
        Some((asked, question))
    }

    /// What comes of an answer to it.
    fn decide(&mut self, answer: ReadAnswer) -> Reply {
        match answer {
            ReadAnswer::Open | ReadAnswer::TooSoon => answer.reply(),
            ReadAnswer::No => {
                self.confirm = None;
                Reply::Stay
            }
            ReadAnswer::Yes => {
                self.confirm = None;
                self.list.agreed(self.at)
            }
        }
    }
}

impl<L: StoredList> Contract for ListPage<L> {
    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        if let (Some((_, question)), Some(form)) = (self.question(around.whole), &mut self.confirm) {
            let answer = question.press(form, key, around.domain.now);
            return self.decide(answer);
        }
        match self.list.press(self.at, key) {
            StoredPress::Move(key) => {
                let room = place::servers(around.whole).list.height.into();
                self.at = key.go(self.at, self.list.count().saturating_sub(1), room);
            }
            // One thing is done at a time.
            StoredPress::Ask if self.is_changing() => {}
            StoredPress::Ask => self.confirm = Some(Form::new(Stop::No, around.domain.now)),
            StoredPress::Reply(reply) => match *reply {
                Reply::Submit(_) | Reply::Instead(_) if self.is_changing() => {}
                reply => return reply,
            },
        }
        Reply::Stay
    }

    /// A click on a row chooses it; on a button of the question, answers.
    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        if let (Some((_, question)), Some(form)) = (self.question(around.whole), &mut self.confirm) {
            let answer = question.click(form, at, around.domain.now);
            return self.decide(answer);
        }
        let placed = place::servers(around.whole);
        if placed.list.contains(at.into()) {
            let row = self.first(placed.list.height.into()) + usize::from(at.1 - placed.list.y);
            self.at = row.min(self.list.count().saturating_sub(1));
        }
        Reply::Stay
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        if let (Some((_, question)), Some(form)) = (self.question(around.whole), &self.confirm) {
            return vec![question.bar(form)];
        }
        let placed = place::servers(around.whole);
        let first = self.first(placed.list.height.into());
        let extent = Extent::of_rows(placed.list, first, self.list.count());
        vec![ScrollBar::on_frame(placed.area, placed.list, extent)]
    }

    fn scroll_to(&mut self, bar: &ScrollBar, first: usize, _: &Around) {
        match &mut self.confirm {
            Some(form) => form.scroll = first,
            None => self.at = bar.selection(first, self.at),
        }
    }

    fn keys(&self) -> Vec<KeySection> {
        match self.confirm.is_some() {
            true => vec![QUESTION.section()],
            false => vec![self.list.keys()],
        }
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        match self.confirm.is_some() {
            true => tables::question_hints(),
            false => self.list.hints(self.at),
        }
    }

    fn shown(&self) -> Option<Timestamp> {
        self.confirm.as_ref().map(|form| form.shown)
    }

    fn asks_within(&self) -> bool {
        self.confirm.is_some()
    }

    /// What is listed is asked for once, and again after each change.
    fn settle(&mut self, _: &Around) -> Reply {
        match std::mem::replace(&mut self.is_asked, true) {
            false => Reply::Submit(Wish::Know(Question::Storage(self.list.reading()))),
            true => Reply::Stay,
        }
    }

    fn begun(&mut self, wish: &Wish, request: RequestId, _: Timestamp) {
        let words = if let Wish::Know(_) = wish {
            LOOKING
        } else if let Wish::Disk(DiskWish::Restore(_)) = wish {
            "restoring…"
        } else {
            "changing…"
        };
        self.busy = Some((words, request));
        self.problem = None;
    }

    fn awaits(&self, request: RequestId) -> bool {
        self.busy.is_some_and(|(_, busy)| busy == request)
    }

    fn is_busy(&self) -> bool {
        self.busy.is_some()
    }

    /// Once a chat is back, the page has done what it was opened for.
    fn answered(&mut self, _: RequestId, done: &Done, _: &Around) -> Reply {
        if let Done::Restored(_) = done {
            return Reply::Over;
        }
        self.busy = None;
        if let Done::Disk(news) = done {
            self.at = self.list.take(news, self.at).min(self.list.count().saturating_sub(1));
        } else {
            self.is_asked = false;
        }
        Reply::Stay
    }

    fn failed(&mut self, _: RequestId, problem: Problem) {
        self.busy = None;
        self.problem = Some(problem);
    }
}
