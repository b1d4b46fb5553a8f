//! The whole output of a call. Of its lines only those around what is seen are here; words are looked for in all of it.

mod arriving;
mod turning;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::notice::Done;
use crate::domain::state::Domain;
use crate::domain::work::{ShownContent, ShownRead};
use crate::model::entry::Cut;
use crate::model::output::{LONGEST_COPY, LinesAt, OutputAsk, OutputFound, OutputWanted};
use crate::model::text::{visible, without_sequences};
use crate::model::{ChatId, RequestId, Timestamp, bytes};

use super::super::hint::Hint;
use super::super::output::{MarkedLines, OutputRow, OutputSearch, OutputWindow, RowShape};
use super::super::scrollbar::{Extent, ScrollBar};
use super::tables::{KeySection, OUTPUT, OutputKey, SEARCH, SearchKey};
use super::{Around, Contract, Field, OutputWish, Question, Reply, Subject, Wish, place};

/// Rows that a step of the wheel scrolls by.
const NOTCH: isize = 3;
/// Columns of line numbers before the lines were counted.
const NUMBERS: usize = 5;

pub struct Output {
    chat: ChatId,
    about: Subject,
    pub of: Whole,
    pub window: OutputWindow,
    /// Long lines go on in the next row.
    pub is_wrapped: bool,
    /// Columns at the left that are scrolled away, where they are cut.
    pub left: usize,
    /// What is being typed in the last row.
    pub typing: Option<(TypedFor, Field)>,
    pub search: OutputSearch,
    pub marked: Option<MarkedLines>,
    /// How many lines it has, once they were counted.
    pub lines: Option<u64>,
    /// What came of a key, until the next one.
    pub said: Option<String>,
    /// Where to go as soon as nothing is read.
    wanted: Option<LinesAt>,
    reading: Option<(RequestId, LinesAt)>,
    counting: Option<RequestId>,
    /// It is being copied or saved.
    taking: Option<RequestId>,
}

/// What is shown.
pub struct Whole {
    /// What was called.
    pub tool: String,
    /// `outputs/{tool}`, in the record.
    pub file: String,
    /// Who left something of it out.
    pub cut: Option<Cut>,
}

/// What the text that is being typed is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypedFor {
    Search,
    Line,
    Save,
}

impl Output {
    pub fn new(domain: &Domain, chat: &ChatId, of: Whole) -> Output {
        Output {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            of,
            window: OutputWindow::default(),
            is_wrapped: true,
            left: 0,
            typing: None,
            search: OutputSearch::default(),
            marked: None,
            lines: None,
            said: None,
            wanted: Some(LinesAt::After(0)),
            reading: None,
            counting: None,
            taking: None,
        }
    }

    /// Opens where these words are, from this byte on.
    pub fn at(mut self, words: &str, from: u64) -> Output {
        self.seek_for(words);
        if self.search.needle.is_some() {
            self.wanted = Some(LinesAt::Next(words.into(), from));
        }
        self
    }

    /// As it was left. What it waited for has been answered to nobody.
    pub fn again(mut self) -> Output {
        let reading = self.reading.take().map(|(_, at)| at);
        self.wanted = self.wanted.or(reading);
        (self.counting, self.taking) = (None, None);
        self
    }

    /// Columns of the line numbers, with the blank behind them.
    pub fn gutter(&self) -> usize {
        let digits = self.lines.map_or(0, |lines| lines.to_string().len());
        digits.max(NUMBERS) + 1
    }

    /// The byte behind the last row that is seen.
    pub fn last_byte(&self, last: Option<&OutputRow>) -> u64 {
        last.map_or(0, |row| match row.is_last {
            true => self.window.end_of(row.line.at),
            false => row.line.at,
        })
    }

    /// How lines become rows in an area, and how many are seen.
    pub fn shape(&self, whole: Rect) -> (RowShape, usize) {
        let (wide, high) = place::size(place::output(whole));
        let wide = wide.saturating_sub(self.gutter()).max(1);
        let shape = match self.is_wrapped {
            true => RowShape::Wrapped { wide },
            false => RowShape::Cut { wide, left: self.left },
        };
        (shape, high)
    }

    pub fn is_reading(&self) -> bool {
        self.reading.is_some() || self.wanted.is_some()
    }

    fn wish(&self, wanted: OutputWanted) -> Reply {
        let ask = OutputAsk {
            chat: self.chat.clone(),
            file: self.of.file.clone(),
            wanted,
        };
        Reply::Submit(Wish::Know(Question::Shown(ShownRead::Output(ask))))
    }

    /// It is on its way into a clipboard: whoever pastes it into a shell must not set anything loose.
    fn copied(&mut self, text: &str, is_whole: bool) -> Reply {
        let mut text = without_sequences(text);
        text.retain(|c| !c.is_control() || matches!(c, '\n' | '\t'));
        let lines = match text.lines().count() {
            1 => "1 line".to_string(),
            many => format!("{many} lines"),
        };
        let cut = match is_whole {
            true => String::new(),
            false => format!(", the first {}", bytes::in_words(LONGEST_COPY as u64)),
        };
        self.said = Some(format!("copied {lines}{cut}"));
        self.marked = None;
        Reply::Submit(Wish::Output(OutputWish::Copy(text)))
    }
}

impl Contract for Output {
    fn subject(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        self.turn(key, around)
    }

    fn paste(&mut self, text: &str, _: &Around) {
        if let Some((_, field)) = &mut self.typing {
            field.paste(text);
        }
    }

    /// Selects a line, and with another click all up to there.
    fn click(&mut self, (x, y): (u16, u16), around: &Around) -> Reply {
        let area = place::output(around.whole);
        if self.typing.is_some() || !area.contains((x, y).into()) {
            return Reply::Stay;
        }
        let (shape, high) = self.shape(around.whole);
        let rows = self.window.rows(shape, high);
        let line = rows.get(usize::from(y - area.y)).map(|row| row.line.at);
        if let Some(line) = line {
            self.mark(line);
        }
        Reply::Stay
    }

    fn wheel(&mut self, by: i8, _: (u16, u16), around: &Around) -> bool {
        let (shape, high) = self.shape(around.whole);
        self.window.scroll(isize::from(by.signum()) * NOTCH, shape, high);
        true
    }

    fn text(&self, around: &Around) -> Option<Rect> {
        Some(place::output(around.whole))
    }

    /// In bytes: how many lines there are is not known at once. Where it ends is said in words.
    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        let (shape, high) = self.shape(around.whole);
        let rows = self.window.rows(shape, high);
        let first = rows.first().map_or(0, |row| row.line.at);
        let seen = self.last_byte(rows.last()).saturating_sub(first);
        let count = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        let extent = Extent {
            first: count(first),
            seen: count(seen),
            all: count(self.window.whole),
        };
        vec![ScrollBar::on_frame(around.whole, place::output(around.whole), extent).silent()]
    }

    /// What is not held is read, as far as it is known by now which line that may be.
    fn scroll_to(&mut self, bar: &ScrollBar, first: usize, around: &Around) {
        let byte = first as u64;
        let (shape, high) = self.shape(around.whole);
        if (self.window.from..self.window.to).contains(&byte) {
            self.window.show(byte);
            return self.window.scroll(0, shape, high);
        }
        self.wanted = match (first, self.lines) {
            (0, _) => Some(LinesAt::After(0)),
            (_, Some(lines)) => Some(LinesAt::Line(lines * byte / (bar.extent.all as u64).max(1))),
            (_, None) => None,
        };
    }

    fn keys(&self) -> Vec<KeySection> {
        match self.typing.is_some() {
            true => vec![SEARCH.section()],
            false => vec![OUTPUT.section()],
        }
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        if self.typing.is_some() {
            return vec![
                SEARCH.hint(&[SearchKey::Search], "go"),
                SEARCH.hint(&[SearchKey::Cancel], "cancel").way_out(),
            ];
        }
        let close = match self.marked.is_some() {
            true => OUTPUT.hint(&[OutputKey::Close], "select none"),
            false => OUTPUT.hint(&[OutputKey::Close], "close").way_out(),
        };
        vec![
            close,
            OUTPUT.hint(&[OutputKey::Search], "search"),
            OUTPUT.hint(&[OutputKey::Next, OutputKey::Previous], "next, previous"),
            OUTPUT.hint(&[OutputKey::Line], "line"),
            OUTPUT.hint(&[OutputKey::First, OutputKey::Last], "ends"),
            OUTPUT.hint(&[OutputKey::Copy], "copy"),
            OUTPUT.hint(&[OutputKey::Select], "select"),
            OUTPUT.hint(&[OutputKey::Wrap], "wrap"),
            OUTPUT.hint(&[OutputKey::Save], "save"),
            OUTPUT.hint(&[OutputKey::Edit], "edit"),
            OUTPUT.hint(&[OutputKey::Pager], "pager"),
        ]
    }

    fn is_typed_in(&self) -> bool {
        self.typing.is_some()
    }

    /// What a key asked for goes first, then what is missing of what is seen, then the numbers of its lines.
    fn settle(&mut self, around: &Around) -> Reply {
        if let Some(at) = self.wanted.take() {
            return self.wish(OutputWanted::Page(at));
        }
        let (shape, high) = self.shape(around.whole);
        if self.reading.is_none()
            && let Some(at) = self.window.wants(shape, high)
        {
            return self.wish(OutputWanted::Page(at));
        }
        let is_unknown = self.lines.is_none() || self.window.number.is_none();
        if is_unknown && self.counting.is_none() && !self.window.is_empty() {
            return self.wish(OutputWanted::Lines(self.window.from));
        }
        Reply::Stay
    }

    fn begun(&mut self, wish: &Wish, request: RequestId, _: Timestamp) {
        let Wish::Know(Question::Shown(ShownRead::Output(ask))) = wish else {
            return;
        };
        match &ask.wanted {
            OutputWanted::Page(at) => self.reading = Some((request, at.clone())),
            OutputWanted::Lines(_) => self.counting = Some(request),
            OutputWanted::Text(..) | OutputWanted::Save(_) => self.taking = Some(request),
        }
    }

    fn awaits(&self, request: RequestId) -> bool {
        let is_read = self.reading.as_ref().is_some_and(|(reading, _)| *reading == request);
        is_read || self.counting == Some(request) || self.taking == Some(request)
    }

    /// If its lines cannot be read, there is nothing to show; that something else failed is told.
    fn answered(&mut self, request: RequestId, done: &Done, around: &Around) -> Reply {
        if self.taking == Some(request) {
            self.taking = None;
        }
        if let Done::NotShown(ShownRead::Output(ask), problem) = done
            && !matches!(ask.wanted, OutputWanted::Page(_))
        {
            self.said = Some(problem.cause.clone());
            return Reply::Stay;
        }
        let Done::Shown(ShownContent::Output(found)) = done else {
            let is_read = self.reading.as_ref().is_some_and(|(reading, _)| *reading == request);
            return if is_read { Reply::Over } else { Reply::Stay };
        };
        match found {
            OutputFound::Page(page) => {
                if let Some((_, at)) = self.reading.take() {
                    self.arrived(page.clone(), &at, around);
                }
            }
            // What could not be counted is not asked for again.
            OutputFound::Lines { lines, at, number } => {
                (self.lines, self.counting) = (Some(*lines), None);
                if *at == self.window.from {
                    self.window.count(Some(*number));
                }
            }
            OutputFound::Text { text, is_whole } => return self.copied(text, *is_whole),
            OutputFound::Saved { path, bytes } => {
                self.said = Some(format!("saved {} in {}", bytes::in_words(*bytes), visible(path)));
            }
        }
        Reply::Stay
    }
}
