//! What all agents ask: one queue at the left, the chosen question whole at the right, answered here or in the agent's
//! own dialog.

mod choices;
mod placed;
mod rows;
mod typed;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::approval::question::Decision;
use crate::domain::approval::queue::{Asked, Waits, queue};
use crate::domain::approval::{always, clipboard};
use crate::domain::notice::{Done, NotedNews};
use crate::domain::state::Domain;
use crate::model::{ChatId, Problem, RequestId, Timestamp};

use super::super::hint::Hint;
use super::super::scrollbar::{Extent, ScrollBar};
use super::super::tab::transcript::row::TextRow;
use super::buttons::{self, Button, Pressed};
use super::place;
use super::tables::{ANSWER, APPROVALS, AnswerKeys, ApprovalKey, FocusKey, KeySection, MoveKey, QuestionKey};
use super::{Around, Contract, Question, Reply, Stop, UNREAD_MS, Wish};
use choices::{COPIES, HERE, ONCE, SETUP, THERE, takes_reason};
use typed::AnswerSubject;

pub use placed::PlacedApprovals;
pub use rows::{name, title};
pub use typed::TypedAnswer;

/// So much longer than any other a question has to be seen that took the place of another under somebody's finger.
const SWAPPED_MS: i64 = 1_500;

/// Rows of the question that the wheel scrolls by.
const WHEEL: usize = 3;

pub struct Approvals {
    /// What is shown: its chat and its id. Kept while others come and go.
    pub at: Option<(ChatId, String)>,
    /// Where it stood in the queue: once it is answered or gone, the next one stands there.
    stood: usize,
    /// The button that has the focus.
    pub on: Stop,
    pub scroll: usize,
    /// Since when it is shown: what was typed before it could be read is no answer.
    pub shown: Timestamp,
    /// What is typed for an answer.
    pub typed: Option<TypedAnswer>,
    /// What is shown, as it is read.
    page: QuestionPage,
    /// What was shown is answered here.
    answered: bool,
    /// No rule would allow this one.
    once: Option<(ChatId, String)>,
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
    once: bool,
    /// Which screen of its terminal it was made of.
    screen: Option<u64>,
}

impl Approvals {
    pub fn new(at: Option<(ChatId, String)>, now: Timestamp) -> Approvals {
        Approvals {
            at,
            stood: 0,
            on: Stop::Go,
            scroll: 0,
            shown: now,
            typed: None,
            page: QuestionPage::default(),
            answered: false,
            once: None,
        }
    }

    /// Its place in the queue, or that of the text which has taken its place; where it is answered or gone, the place of the
    /// one that came after it, or of the last.
    pub fn place(&self, queue: &[Waits]) -> usize {
        let here = |(chat, id): &(ChatId, String)| {
            let exact = queue.iter().position(|waits| (&waits.chat, waits.id()) == (chat, id));
            let copies = |id: &str| clipboard::is_named(chat, id);
            exact.or_else(|| queue.iter().position(|waits| copies(id) && copies(waits.id())))
        };
        let next = self.stood.min(queue.len().saturating_sub(1));
        self.at.as_ref().and_then(here).unwrap_or(next)
    }

    /// What is shown, as it is read.
    pub fn rows(&self) -> &[TextRow] {
        &self.page.rows
    }

    pub fn placed(&self, whole: Rect, domain: &Domain, queue: &[Waits]) -> PlacedApprovals {
        let title = queue.get(self.place(queue)).map(|waits| title(domain, waits));
        placed::placed(whole, queue.len(), &title.unwrap_or_default(), self.typed.as_ref())
    }

    /// Lays out what is shown, unless it is.
    fn lay_out(&mut self, around: &Around) {
        let queue = queue(around.domain);
        let width = self.placed(around.whole, around.domain, &queue).text.width;
        let shown = queue.get(self.place(&queue));
        let of = shown.map(|waits| QuestionPageOf {
            at: named(waits),
            width,
            line: waits.line().into_owned(),
            also: match &waits.what {
                Asked::Setup { also, .. } => also.len(),
                Asked::Call(_)
                | Asked::CallThere(_)
                | Asked::Clipboard(_)
                | Asked::OpenCall { .. }
                | Asked::There(_) => 0,
            },
            once: self.once.as_ref() == Some(&named(waits)),
            screen: rows::seen_of(around.domain, waits),
        });
        if self.page.of != of {
            // A dialog of the CLI stands at the foot of its screen.
            let shows_end = (of.as_ref()).is_some_and(|of| of.screen.is_some() && !self.shows_screen_of(&of.at));
            let once = of.as_ref().is_some_and(|of| of.once);
            let rows = shown.map(|waits| rows::rows(around.domain, waits, once, width.into()));
            self.page = QuestionPage {
                of,
                rows: rows.unwrap_or_default(),
            };
            if shows_end {
                (_, self.scroll) = self.extent(around);
            }
        }
    }

    fn shows_screen_of(&self, at: &(ChatId, String)) -> bool {
        (self.page.of.as_ref()).is_some_and(|page| page.at == *at && page.screen.is_some())
    }

    /// Rows that are seen at once, and how far it can be scrolled.
    fn extent(&self, around: &Around) -> (usize, usize) {
        let queue = queue(around.domain);
        let page = usize::from(self.placed(around.whole, around.domain, &queue).text.height);
        (page, self.page.rows.len().saturating_sub(page))
    }

    pub fn buttons(&self, around: &Around) -> &'static [Button] {
        if let Some(typed) = &self.typed {
            return typed.buttons();
        }
        let queue = queue(around.domain);
        let Some(waits) = queue.get(self.place(&queue)) else {
            return &[];
        };
        match &waits.what {
            Asked::Call(_) if self.once.as_ref() == Some(&named(waits)) => &ONCE,
            Asked::Call(_) if always::is_answered_by_rules(around.domain, &waits.chat) => &HERE,
            Asked::Call(_) => &ONCE,
            Asked::Setup { .. } => &SETUP,
            Asked::Clipboard(_) => &COPIES,
            Asked::CallThere(_) | Asked::OpenCall { .. } | Asked::There(_) => &THERE,
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
            Stop::Yes | Stop::No | Stop::Always if self.is_unread(around.domain.now) => Reply::TooSoon,
            Stop::Yes => self.decide(chat, id, Decision::Allow, String::new()),
            Stop::No => self.decide(chat, id, Decision::Deny, String::new()),
            Stop::Always => self.type_in(AnswerSubject::Rule { rules: None, at: 0 }),
            Stop::Prompt
            | Stop::Name
            | Stop::Agent
            | Stop::Role
            | Stop::Place
            | Stop::Branch
            | Stop::Base
            | Stop::Consent
            | Stop::Of
            | Stop::Argument(_)
            | Stop::Atom(_)
            | Stop::Schedule(_)
            | Stop::New(_) => Reply::Stay,
        }
    }

    fn decide(&mut self, chat: ChatId, id: String, decision: Decision, reason: String) -> Reply {
        self.answered = true;
        Reply::Submit(Wish::Decide(chat, id, decision, reason))
    }

    fn type_in(&mut self, what: AnswerSubject) -> Reply {
        self.typed = Some(TypedAnswer::new(what));
        Reply::Stay
    }

    /// A key while something is typed for an answer.
    fn press_typed(&mut self, key: KeyEvent, around: &Around) -> Reply {
        let (page, most) = self.extent(around);
        let Some(typed) = &mut self.typed else {
            return Reply::Stay;
        };
        match ANSWER.command(key) {
            Some(AnswerKeys::Give) => return self.give(),
            Some(AnswerKeys::Back) => self.typed = None,
            Some(AnswerKeys::Before) => typed.turn(-1),
            Some(AnswerKeys::Next) => typed.turn(1),
            Some(AnswerKeys::PageUp) => self.scroll = self.scroll.saturating_sub(page),
            Some(AnswerKeys::PageDown) => self.scroll = (self.scroll + page).min(most),
            None => {
                if typed.field.press(key) {
                    typed.problem = None;
                }
            }
        }
        Reply::Stay
    }

    /// What is typed is the answer.
    fn give(&mut self) -> Reply {
        let (Some((chat, id)), Some(typed)) = (self.at.clone(), &mut self.typed) else {
            return Reply::Stay;
        };
        let text = typed.field.text().trim().to_string();
        match &typed.what {
            _ if typed.request.is_some() => Reply::Stay,
            AnswerSubject::Reason => {
                self.typed = None;
                self.decide(chat, id, Decision::Deny, text)
            }
            AnswerSubject::Rule { .. } if text.is_empty() => {
                let hint = "type one like Bash(cargo test:*), or go back and allow it once";
                typed.problem = Some(Problem::new("allowing it always", "there is no rule", hint));
                Reply::Stay
            }
            AnswerSubject::Rule { .. } => Reply::Submit(Wish::AllowAlways(chat, id, text)),
        }
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
        if self.typed.is_some() {
            return self.press_typed(key, around);
        }
        let (page, most) = self.extent(around);
        let place = self.hold(around);
        let buttons = self.buttons(around);
        let has = |wanted| buttons.iter().any(|(stop, _)| *stop == wanted);
        let key = match APPROVALS.command(key) {
            Some(ApprovalKey::Question(key)) => key,
            Some(ApprovalKey::Always | ApprovalKey::Reason) if buttons == THERE => return Reply::Elsewhere,
            Some(ApprovalKey::Always) if has(Stop::Always) => return self.choose(around, Stop::Always),
            Some(ApprovalKey::Reason) if has(Stop::Yes) && takes_reason(buttons) => {
                return match self.is_unread(around.domain.now) {
                    true => Reply::TooSoon,
                    false => self.type_in(AnswerSubject::Reason),
                };
            }
            Some(ApprovalKey::Always | ApprovalKey::Reason) | None => return Reply::Stay,
        };
        match buttons::press(&mut self.on, buttons, Some(key)) {
            Pressed::Chosen(stop) => return self.choose(around, stop),
            Pressed::Moved => return Reply::Stay,
            Pressed::Other => {}
        }
        match key {
            QuestionKey::Yes | QuestionKey::No if buttons == THERE => return Reply::Elsewhere,
            QuestionKey::Close => return Reply::Close,
            QuestionKey::Move(MoveKey::Down) => self.turn_to(around, place + 1),
            QuestionKey::Move(MoveKey::Up) => self.turn_to(around, place.saturating_sub(1)),
            QuestionKey::Move(MoveKey::First) => self.turn_to(around, 0),
            QuestionKey::Move(MoveKey::Last) => self.turn_to(around, queue(around.domain).len().saturating_sub(1)),
            QuestionKey::Move(key) => self.scroll = key.go(self.scroll, most, page),
            QuestionKey::Yes | QuestionKey::No | QuestionKey::Answer | QuestionKey::Focus(_) => {}
        }
        Reply::Stay
    }

    fn paste(&mut self, text: &str, _: &Around) {
        if let Some(typed) = &mut self.typed {
            typed.field.paste(text);
            typed.problem = None;
        }
    }

    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        let queue = queue(around.domain);
        let placed = self.placed(around.whole, around.domain, &queue);
        match (
            place::clicked(self.buttons(around), placed.buttons, at),
            self.typed.is_some(),
        ) {
            (Some(Stop::Yes), true) => return self.give(),
            (Some(_), true) => self.typed = None,
            (Some(stop), false) => return self.choose(around, stop),
            (None, _) => {}
        }
        let shown = self.place(&queue);
        if let Some(line) = placed.clicked(at) {
            let clicked = placed.first(shown) + line;
            if clicked != shown && self.typed.is_none() {
                self.turn_to(around, clicked);
            }
        }
        Reply::Stay
    }

    /// Over the list it goes from one question to the next.
    fn wheel(&mut self, by: i8, at: (u16, u16), around: &Around) -> bool {
        let queue = queue(around.domain);
        if self.placed(around.whole, around.domain, &queue).clicked(at).is_some() {
            let to = self.place(&queue).saturating_add_signed(by.signum().into());
            if self.typed.is_none() && to != self.place(&queue) {
                self.turn_to(around, to);
            }
            return true;
        }
        let (_, most) = self.extent(around);
        self.scroll = match by {
            ..0 => self.scroll.saturating_sub(WHEEL),
            0.. => (self.scroll + WHEEL).min(most),
        };
        true
    }

    /// Of the question. The list scrolls as one goes on to the next.
    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        let placed = self.placed(around.whole, around.domain, &queue(around.domain));
        let (seen, all) = (usize::from(placed.text.height), self.rows().len());
        let first = self.scroll.min(all.saturating_sub(seen));
        vec![ScrollBar::on_frame(
            placed.area,
            placed.text,
            Extent { first, seen, all },
        )]
    }

    fn scroll_to(&mut self, _: &ScrollBar, first: usize, _: &Around) {
        self.scroll = first;
    }

    fn keys(&self) -> Vec<KeySection> {
        match self.typed.is_some() {
            true => vec![ANSWER.section()],
            false => vec![APPROVALS.section()],
        }
    }

    fn hints(&self, around: &Around) -> Vec<Hint> {
        if let Some(typed) = &self.typed {
            return typed.hints();
        }
        let buttons = self.buttons(around);
        let key = |key: QuestionKey, words| APPROVALS.hint(&[ApprovalKey::Question(key)], words);
        let keys = |keys: [QuestionKey; 2], words| APPROVALS.hint(&keys.map(ApprovalKey::Question), words);
        let close = key(QuestionKey::Close, "close").way_out();
        let next = keys([MoveKey::Up, MoveKey::Down].map(QuestionKey::Move), "next");
        if buttons.is_empty() {
            return vec![close];
        }
        let next = Some(next).filter(|_| queue(around.domain).len() > 1);
        if buttons == THERE {
            let there = [key(QuestionKey::Answer, "go there"), close];
            return there.into_iter().chain(next).collect();
        }
        let yes = match buttons {
            buttons if buttons == SETUP => "approve",
            buttons if buttons == COPIES => "allow in this chat",
            _ => "allow once",
        };
        let mut hints = vec![key(QuestionKey::Yes, yes), key(QuestionKey::No, "refuse")];
        if buttons == HERE {
            hints.push(APPROVALS.hint(&[ApprovalKey::Always], "always allow"));
        }
        if takes_reason(buttons) {
            hints.push(APPROVALS.hint(&[ApprovalKey::Reason], "refuse, because"));
        }
        hints.extend([key(QuestionKey::Answer, "answer"), close]);
        hints.extend(next);
        hints.extend([
            keys([FocusKey::Left, FocusKey::Right].map(QuestionKey::Focus), "choose"),
            key(QuestionKey::Move(MoveKey::PageDown), "page"),
        ]);
        hints
    }

    fn shown(&self) -> Option<Timestamp> {
        self.at.as_ref().map(|_| self.shown)
    }

    fn is_typed_in(&self) -> bool {
        self.typed.is_some()
    }

    fn begun(&mut self, wish: &Wish, request: RequestId, _: Timestamp) {
        if let (Some(typed), Wish::Know(_) | Wish::AllowAlways(..)) = (&mut self.typed, wish) {
            typed.request = Some(request);
        }
    }

    fn awaits(&self, request: RequestId) -> bool {
        self.typed.as_ref().is_some_and(|typed| typed.request == Some(request))
    }

    fn answered(&mut self, _: RequestId, done: &Done, _: &Around) -> Reply {
        match (done, &mut self.typed) {
            (Done::Rules(rules), Some(_)) if rules.is_empty() => {
                (self.typed, self.once) = (None, self.at.clone());
            }
            (Done::Rules(rules), Some(typed)) => {
                typed.request = None;
                typed.propose(rules);
            }
            (Done::Noted(NotedNews::AllowedAlways(_)), Some(_)) => {
                self.typed = None;
                self.answered = true;
            }
            (_, Some(_) | None) => {}
        }
        Reply::Stay
    }

    fn failed(&mut self, _: RequestId, problem: Problem) {
        if let Some(typed) = &mut self.typed {
            typed.fail(problem);
        }
    }

    /// Where what was shown is answered or gone, another question stands there: it has not been read yet. Unless this
    /// person gave the answer, one to the last may be on its way to the key. After the last answer it closes.
    fn settle(&mut self, around: &Around) -> Reply {
        let queue = queue(around.domain);
        self.stood = self.place(&queue);
        let shown = queue.get(self.stood).map(named);
        if shown != self.at {
            let swapped = self.at.is_some() && !self.answered;
            let late = if swapped { SWAPPED_MS } else { 0 };
            self.at = shown;
            (self.on, self.scroll, self.shown) = (Stop::Go, 0, Timestamp(around.domain.now.0 + late));
            self.typed = None;
        }
        self.lay_out(around);
        if std::mem::take(&mut self.answered) && queue.is_empty() {
            return Reply::Over;
        }
        match (&self.at, self.typed.as_ref().is_some_and(TypedAnswer::wants_rules)) {
            (Some((chat, id)), true) => Reply::Submit(Wish::Know(Question::Rules(chat.clone(), id.clone()))),
            (Some(_) | None, _) => Reply::Stay,
        }
    }
}
