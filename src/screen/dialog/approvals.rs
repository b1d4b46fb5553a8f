//! What all agents ask: one queue at the left, the chosen question whole at the right, answered here or in the agent's
//! own dialog.

mod choices;
mod last;
mod placed;
mod rows;
mod rules;
mod typed;
mod typing;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::approval::question::Decision;
use crate::domain::approval::queue::{Asked, Waits, queue};
use crate::domain::approval::{always, clipboard};
use crate::domain::notice::{Done, NotedNews};
use crate::domain::state::Domain;
use crate::model::{ChatId, Problem, RequestId, Timestamp};
use crate::permission::QuestionNotes;

use super::super::hint::Hint;
use super::super::scrollbar::{Extent, ScrollBar};
use super::super::surface::Surface;
use super::super::tab::transcript::row::TextRow;
use super::buttons::{self, Button, Pressed};
use super::place;
use super::tables::{ANSWER, APPROVALS, ApprovalKey, KeySection, MoveKey, QuestionKey};
use super::{Around, Contract, Question, Reply, Stop, UNREAD_MS, Wish};
use choices::{COPIES, SETUP, THERE, takes_reason, takes_rule};

pub use last::NOTHING_MORE;
use last::{GivenAnswer, LastAnswer};
pub use placed::PlacedApprovals;
use rows::{QuestionPage, QuestionPageOf};
pub use rows::{name, title};
pub use typed::TypedAnswer;

use rules::{NotesOfFile, RuleSearch};

/// So much longer than any other a question has to be seen that took the place of another under somebody's finger.
const SWAPPED_MS: i64 = 1_500;

/// What is said where the last question that stood here is gone, and nobody answered it here.
pub const GONE: &str = "Nothing asks any more.";

/// Letters of one word come faster than this.
const WORD_MS: u64 = 250;

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
    /// When it was opened.
    opened: Timestamp,
    /// Since when it is shown: what was typed before it could be read is no answer.
    pub shown: Timestamp,
    /// What is typed for an answer.
    pub typed: Option<TypedAnswer>,
    /// Since when what stands in its field is shown.
    asked_for: Timestamp,
    /// What is shown, as it is read.
    page: QuestionPage,
    /// What was shown is answered here.
    answered: Option<GivenAnswer>,
    /// Set while nothing is asked any more.
    last: Option<LastAnswer>,
    rules: Option<RuleSearch>,
    /// Why this one is to be refused, as far as that is typed.
    reason: Option<(String, (ChatId, String))>,
}

impl Approvals {
    pub fn new(at: Option<(ChatId, String)>, now: Timestamp) -> Approvals {
        Approvals {
            at,
            stood: 0,
            on: Stop::Go,
            scroll: 0,
            opened: now,
            shown: now,
            typed: None,
            asked_for: now,
            page: QuestionPage::default(),
            answered: None,
            last: None,
            rules: None,
            reason: None,
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
            also: rows::asked_also(waits),
            is_whole: self.notes(&named(waits)).1.whole.is_some(),
            overwrites: self.notes(&named(waits)).1.overwrites,
            once: self.notes(&named(waits)).0.map(String::from),
            screen: rows::seen_of(around.domain, waits),
        });
        if self.page.of != of {
            // A dialog of the CLI stands at the foot of its screen.
            let shows_end = (of.as_ref()).is_some_and(|of| of.screen.is_some() && !self.shows_screen_of(&of.at));
            let rows = shown.map(|waits| rows::rows(around.domain, waits, self.notes(&named(waits)), width.into()));
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
        let wide = placed::columns(around.whole);
        match &waits.what {
            Asked::Call(_) if self.notes(&named(waits)).0.is_some() => choices::once(wide),
            Asked::Call(_) if always::is_answered_by_rules(around.domain, &waits.chat) => choices::here(wide),
            Asked::Call(_) => choices::once(wide),
            Asked::Setup { .. } => &SETUP,
            Asked::Clipboard(_) => &COPIES,
            Asked::CallThere(_) | Asked::OpenCall { .. } | Asked::There(_) | Asked::HeldPrompt(_) => &THERE,
        }
    }

    /// What was answered last, while nothing more is asked.
    pub fn last_words(&self, domain: &Domain) -> Option<String> {
        self.last.as_ref()?.words(domain)
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
            Stop::Always => self.type_in(TypedAnswer::rule(), around),
            Stop::Because => self.type_in(TypedAnswer::reason(self.reason_left()), around),
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

    /// Why no rule would allow this question, and what the file has that it changes, if that was found out.
    fn notes(&self, at: &(ChatId, String)) -> (Option<&str>, NotesOfFile<'_>) {
        let found = self.rules.as_ref();
        found.map_or_else(Default::default, |found| (found.why_none(at), found.in_file(at)))
    }

    fn rules_found(&mut self, found: Result<QuestionNotes, Problem>, now: Timestamp) {
        if let Some(rules) = &mut self.rules {
            rules.ended(found);
            rules.propose(&mut self.typed);
            self.asked_for = now;
        }
    }

    fn decide(&mut self, chat: ChatId, id: String, decision: Decision, reason: String) -> Reply {
        self.answered = Some(decision.into());
        Reply::Submit(Wish::Decide(chat, id, decision, reason))
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
        if self.last.is_some() {
            return LastAnswer::press(key);
        }
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
                // What is typed for it answers nothing before its Enter: whoever opens this for it types on at once. Where the key
                // that opens it is a letter, both may be letters of a word.
                let is_own = self.shown == self.opened;
                let is_word = around.behind != Surface::Terminal && around.domain.now.ms_since(self.opened) < WORD_MS;
                let is_wanted = is_own && !is_word;
                return match self.is_unread(around.domain.now) && !is_wanted {
                    true => Reply::TooSoon,
                    false => self.choose(around, Stop::Because),
                };
            }
            Some(ApprovalKey::Always | ApprovalKey::Reason) => return Reply::Stay,
            None => return Reply::Unbound,
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
            (Some(_), true) => self.back_from_typing(),
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

    fn text(&self, around: &Around) -> Option<Rect> {
        Some(self.placed(around.whole, around.domain, &queue(around.domain)).text)
    }

    fn is_done(&self) -> bool {
        self.last.is_some()
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
        let several = queue(around.domain).len() > 1;
        choices::hints(self.buttons(around), several)
    }

    fn shown(&self) -> Option<Timestamp> {
        // Behind the last answer nothing is left to read, and Esc is not yet for the agent.
        let last = self.last.as_ref().map(|_| Timestamp::default());
        self.at.as_ref().map(|_| self.shown).or(last)
    }

    fn begin_reading(&mut self, now: Timestamp) {
        self.shown = self.shown.max(now);
    }

    fn is_typed_in(&self) -> bool {
        self.typed.is_some()
    }

    fn ticks(&self, _: Timestamp) -> Option<Timestamp> {
        self.last.as_ref().map(LastAnswer::until)
    }

    fn begun(&mut self, wish: &Wish, request: RequestId, _: Timestamp) {
        match (wish, &mut self.rules, &mut self.typed) {
            (Wish::Know(_), Some(rules), _) => rules.begun(request),
            (Wish::AllowAlways(..), _, Some(typed)) => typed.request = Some(request),
            (_, _, _) => {}
        }
    }

    fn awaits(&self, request: RequestId) -> bool {
        let is_typed = self.typed.as_ref().is_some_and(|typed| typed.request == Some(request));
        is_typed || self.rules.as_ref().is_some_and(|rules| rules.is(request))
    }

    fn answered(&mut self, _: RequestId, done: &Done, around: &Around) -> Reply {
        match (done, &mut self.typed) {
            (Done::Rules(found), _) => self.rules_found(Ok(found.clone()), around.domain.now),
            (Done::Noted(NotedNews::AllowedAlways(_)), Some(_)) => {
                self.typed = None;
                self.answered = Some(GivenAnswer::Always);
            }
            (_, Some(_) | None) => {}
        }
        Reply::Stay
    }

    fn failed(&mut self, request: RequestId, problem: Problem) {
        if self.rules.as_ref().is_some_and(|rules| rules.is(request)) {
            self.rules_found(Err(problem), self.asked_for);
        } else if let Some(typed) = &mut self.typed {
            typed.fail(problem);
        }
    }

    /// Where what was shown is answered or gone, another question stands there: it has not been read yet. Unless this
    /// person gave the answer, one to the last may be on its way to the key. Behind the last one it stays for a moment.
    fn settle(&mut self, around: &Around) -> Reply {
        let queue = queue(around.domain);
        self.stood = self.place(&queue);
        let shown = queue.get(self.stood).map(named);
        let given = self.answered.take();
        if queue.is_empty() {
            let answered = given.zip(self.page.of.as_ref());
            if answered.is_some() || self.last.is_none() {
                self.last = Some(LastAnswer::new(answered, around.domain.now));
            }
        } else {
            self.last = None;
        }
        if shown != self.at {
            let swapped = self.at.is_some() && given.is_none();
            let late = if swapped { SWAPPED_MS } else { 0 };
            self.at = shown;
            (self.on, self.scroll, self.shown) = (Stop::Go, 0, Timestamp(around.domain.now.0 + late));
            self.typed = None;
        }
        self.lay_out(around);
        if self.last.as_ref().is_some_and(|last| last.until() <= around.domain.now) {
            return Reply::Over;
        }
        match self.at.clone() {
            Some(at) if takes_rule(self.buttons(around)) => match RuleSearch::begin(&mut self.rules, at) {
                Some((chat, id)) => Reply::Submit(Wish::Know(Question::Rules(chat, id))),
                None => Reply::Stay,
            },
            Some(_) | None => Reply::Stay,
        }
    }
}
