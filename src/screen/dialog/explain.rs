//! Why the status of a chat is what it is: what `parlour explain` says, on the screen, and kept up to date there.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;
use serde_json::Value;

use crate::domain::agent::{explain, explained};
use crate::domain::call::called_in;
use crate::domain::notice::Done;
use crate::domain::state::Domain;
use crate::domain::work::{ShownContent, ShownRead};
use crate::model::{ChatId, Problem, RequestId, Timestamp};

use super::super::hint::Hint;
use super::super::keymap::{Action, ChatAction};
use super::super::scrollbar::ScrollBar;
use super::super::surface::{InPane, Surface};
use super::super::tab::transcript::flow::{flow, shown};
use super::super::tab::transcript::row::{Piece, Shade, TextInk, TextRow};
use super::super::wrap::width;
use super::tables::{KeySection, PAGE};
use super::{Around, Contract, Question, Reply, Subject, Wish, page, place};

/// Columns of the names of facts.
const NAME: usize = 11;
/// Columns of a source of signals.
const SOURCE: usize = 14;

pub struct ExplainPage {
    pub scroll: usize,
    pub lines: Vec<TextRow>,
    chat: ChatId,
    about: Subject,
    /// What only a worker knows: the servers of the chat, and the rules that its CLI does not keep.
    read: Option<Value>,
    /// The request by which that is read.
    asked: Option<RequestId>,
    is_asked: bool,
}

impl ExplainPage {
    pub fn new(domain: &Domain, chat: &ChatId) -> ExplainPage {
        ExplainPage {
            scroll: 0,
            lines: Vec::new(),
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            read: None,
            asked: None,
            is_asked: false,
        }
    }

    /// How the chat is called.
    pub fn name(&self) -> &str {
        self.about.name()
    }

    fn make(&mut self, around: &Around) {
        let mut answer = explain::json(around.domain, &self.chat);
        for (key, value) in self.read.iter().filter_map(Value::as_object).flatten() {
            answer[key] = value.clone();
        }
        let now = around.domain.now;
        let mut rows = ExplainRows {
            wide: place::read_width(around.whole),
            rows: Vec::new(),
        };
        rows.verdict(&answer);
        for (name, words) in explained::facts(&answer, now) {
            rows.fact((name, NAME), &[Piece::new(shown(&words), TextInk::Text)]);
        }
        let signals = explained::signals(&answer, now);
        if !signals.is_empty() {
            rows.rows.push(TextRow::default());
            let heading = Piece::new("What each source said last", TextInk::Heading);
            rows.rows.push(TextRow::of(vec![heading]));
        }
        for signal in signals {
            let age = if signal.age.is_empty() {
                String::new()
            } else {
                format!("  {}", signal.age)
            };
            let because = if signal.because.is_empty() {
                String::new()
            } else {
                format!("  {}", signal.because)
            };
            let ink = if age.is_empty() { TextInk::Dim } else { TextInk::Text };
            let words = [
                Piece::new(shown(&signal.says), ink),
                Piece::new(age, TextInk::Dim),
                Piece::new(shown(&because), TextInk::Dim),
            ];
            let words: Vec<Piece> = words.into_iter().filter(|piece| !piece.text.is_empty()).collect();
            rows.fact((&signal.source, SOURCE), &words);
        }
        self.lines = rows.rows;
    }
}

struct ExplainRows {
    wide: usize,
    rows: Vec<TextRow>,
}

impl ExplainRows {
    fn verdict(&mut self, answer: &Value) {
        let text = |key: &str| answer[key].as_str().unwrap_or_default();
        let bold = Shade {
            bold: true,
            ..TextInk::Heading.shade()
        };
        let mut words = vec![Piece::new(text("status").replace('-', " "), bold)];
        if !text("detail").is_empty() {
            let detail = shown(&called_in(text("detail")));
            words.push(Piece::new(format!("  {detail}"), TextInk::Text));
        }
        self.rows.extend(flow(&words, self.wide).into_iter().map(TextRow::of));
        self.rows.push(TextRow::default());
    }

    /// Further rows stand below what the first says.
    fn fact(&mut self, (name, columns): (&str, usize), words: &[Piece]) {
        for (at, row) in flow(words, self.wide.saturating_sub(columns)).into_iter().enumerate() {
            let name = if at == 0 { name } else { "" };
            let gap = " ".repeat(columns.saturating_sub(width(name)).max(1));
            let before = vec![Piece::new(format!("{name}{gap}"), TextInk::Dim)];
            self.rows.push(TextRow::of([before, row].concat()));
        }
    }
}

impl Contract for ExplainPage {
    fn subject(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    /// The key that opens it closes it too.
    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        if around.keymap.action(Surface::Sidebar(InPane::Agent), key) == Some(Action::Chat(ChatAction::Explain)) {
            return Reply::Close;
        }
        let lines = self.lines.len();
        let seen = usize::from(place::page(around.whole, lines).inside.height);
        page::press(&mut self.scroll, key, lines.saturating_sub(seen), seen)
    }

    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        match place::page(around.whole, self.lines.len()).area.contains(at.into()) {
            true => Reply::Stay,
            false => Reply::Close,
        }
    }

    fn text(&self, around: &Around) -> Option<Rect> {
        Some(place::page(around.whole, self.lines.len()).inside)
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        vec![page::bar(around.whole, self.scroll, self.lines.len())]
    }

    fn scroll_to(&mut self, _: &ScrollBar, first: usize, _: &Around) {
        self.scroll = first;
    }

    fn keys(&self) -> Vec<KeySection> {
        vec![PAGE.section()]
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        page::hints()
    }

    fn settle(&mut self, around: &Around) -> Reply {
        self.make(around);
        match self.is_asked {
            true => Reply::Stay,
            false => {
                self.is_asked = true;
                Reply::Submit(Wish::Know(Question::Shown(ShownRead::Explain(self.chat.clone()))))
            }
        }
    }

    fn begun(&mut self, _: &Wish, request: RequestId, _: Timestamp) {
        self.asked = Some(request);
    }

    fn awaits(&self, request: RequestId) -> bool {
        self.asked == Some(request)
    }

    fn answered(&mut self, _: RequestId, done: &Done, around: &Around) -> Reply {
        self.asked = None;
        if let Done::Shown(ShownContent::Explain(chat, read)) = done
            && *chat == self.chat
        {
            self.read = Some(read.clone());
            self.make(around);
        }
        Reply::Stay
    }

    /// What is known without it stays to be read.
    fn failed(&mut self, _: RequestId, _: Problem) {
        self.asked = None;
    }
}
