//! Full text over all transcripts and outputs: words are typed, and what has them is listed as one types. Enter leads to the
//! moment in that chat's transcript.

use crossterm::event::KeyEvent;
use ratatui::layout::{Constraint, Layout, Rect};

use crate::domain::notice::Done;
use crate::domain::team::history;
use crate::domain::work::{ShownContent, ShownRead};
use crate::model::history::{HistoryAsk, HistoryHit, HistoryPage, typed};
use crate::model::{Problem, RequestId, Timestamp};

use super::super::hint::Hint;
use super::super::scrollbar::{Extent, ScrollBar};
use super::place;
use super::tables::{ChooseKey, HISTORY, KeySection};
use super::{Around, Contract, Field, FoundMoment, FoundOutput, Question, Reply, Room, Wish};

/// Hits that are read at once.
const PAGE: usize = 50;

/// While the index is being made, it is asked again after this time.
const AGAIN_MS: u64 = 1_000;

/// Rows of a hit: what it is, and what was said there.
const HIGH: u16 = 3;
/// Where there are few rows.
const LOW: u16 = 2;

pub struct HistorySearch {
    pub field: Field,
    /// Which of the hits is chosen.
    pub at: usize,
    pub page: HistoryPage,
    /// What is wrong with what was typed, or with the index.
    pub problem: Option<Problem>,
    /// The text that was looked for last; none before the first.
    sought: Option<String>,
    /// What is on its way.
    asked: Option<RequestId>,
    /// It goes on with the page that is there.
    goes_on: bool,
    /// When it is to be asked again, while the index is being made.
    again: Option<Timestamp>,
}

/// Where its parts lie.
pub struct PlacedHistory {
    pub field: Rect,
    /// What may be written, or what is wrong with it and what to do: two rows.
    pub note: Rect,
    pub list: Rect,
    /// Rows of each hit.
    pub rows: u16,
}

impl Default for HistorySearch {
    fn default() -> HistorySearch {
        HistorySearch {
            field: Field::new("", Room::Line),
            at: 0,
            page: HistoryPage::default(),
            problem: None,
            sought: None,
            asked: None,
            goes_on: false,
            again: None,
        }
    }
}

impl HistorySearch {
    /// As it was left, with what is there by now. Other words replace those that were looked for.
    pub fn again(mut self) -> HistorySearch {
        (self.sought, self.asked, self.again) = (None, None, None);
        let words = self.field.text();
        self.field.propose(&words);
        self
    }

    pub fn place(whole: Rect) -> PlacedHistory {
        let rows = [Constraint::Length(1), Constraint::Length(2), Constraint::Fill(1)];
        let [field, note, list] = Layout::vertical(rows).areas(whole.inner(place::FRAME));
        let rows = if list.height >= 8 * HIGH { HIGH } else { LOW };
        PlacedHistory {
            field,
            note,
            list,
            rows,
        }
    }

    /// The first hit that is seen where so many are.
    pub fn first(&self, seen: usize) -> usize {
        (self.at + 1).saturating_sub(seen)
    }

    /// Nothing is looked for.
    pub fn is_idle(&self) -> bool {
        self.field.text().trim().is_empty()
    }

    /// What was typed last is not answered yet.
    pub fn is_reading(&self) -> bool {
        self.asked.is_some() && !self.goes_on
    }

    fn seen(whole: Rect) -> usize {
        let placed = HistorySearch::place(whole);
        usize::from(placed.list.height / placed.rows).max(1)
    }

    /// What was found, and behind the last of it the outputs that were not searched to their end.
    pub fn rows(&self) -> impl Iterator<Item = &HistoryHit> {
        let is_all = self.page.more.is_none();
        self.page
            .hits
            .iter()
            .chain(self.page.longer.iter().filter(move |_| is_all))
    }

    pub fn count(&self) -> usize {
        self.rows().count()
    }

    fn chosen(&self) -> Option<&HistoryHit> {
        self.rows().nth(self.at)
    }

    fn step(&mut self, to: usize) {
        self.at = to.min(self.count().saturating_sub(1));
    }

    /// Where an output was not searched any more, its viewer goes on with the most telling word.
    fn go(&self, around: &Around) -> Reply {
        let Some(hit) = self.chosen() else {
            return Reply::Stay;
        };
        let text = self.field.text();
        let pieces = hit.excerpt.pieces().into_iter();
        let mut marked: Vec<String> = pieces
            .filter(|(_, is_marked)| *is_marked)
            .map(|(text, _)| text.into())
            .collect();
        if marked.is_empty() {
            marked = vec![longest_word(around, &text)];
        }
        Reply::Moment(FoundMoment {
            chat: hit.chat.clone(),
            seq: hit.call.unwrap_or(hit.seq),
            typed: typed(&text),
            marked,
            output: hit.output.clone().map(|(file, from)| FoundOutput {
                tool: hit.tool.clone().unwrap_or_default(),
                file,
                from,
            }),
        })
    }

    /// Asks for what is missing.
    fn seek(&mut self, around: &Around) -> Reply {
        let text = self.field.text();
        let now = around.domain.now;
        let is_due = self.again.is_some_and(|again| now >= again) && self.asked.is_none();
        if self.sought.as_ref() == Some(&text) && !is_due {
            return self.go_on(around);
        }
        let is_other = self.sought.as_ref() != Some(&text);
        self.sought = Some(text.clone());
        self.again = None;
        match history::ask(around.domain, &text, None) {
            Ok(ask) => {
                self.problem = None;
                if is_other && is_empty(&ask) {
                    self.page = HistoryPage::default();
                }
                let limit = if is_empty(&ask) { 0 } else { PAGE };
                self.goes_on = false;
                self.know(HistoryAsk { limit, ..ask })
            }
            // What was found before stays until it is right again.
            Err(problem) => {
                self.problem = Some(problem);
                self.asked = None;
                Reply::Stay
            }
        }
    }

    /// Near the end of what is there, more is read.
    fn go_on(&mut self, around: &Around) -> Reply {
        let seen = HistorySearch::seen(around.whole);
        let is_near = self.at + 2 * seen >= self.page.hits.len();
        let Some(more) = self
            .page
            .more
            .filter(|_| is_near && self.asked.is_none() && self.problem.is_none())
        else {
            return Reply::Stay;
        };
        let Ok(ask) = history::ask(around.domain, &self.field.text(), None) else {
            return Reply::Stay;
        };
        self.goes_on = true;
        self.know(HistoryAsk {
            limit: PAGE,
            from: Some(more),
            ..ask
        })
    }

    fn know(&self, ask: HistoryAsk) -> Reply {
        Reply::Submit(Wish::Know(Question::Shown(ShownRead::History(ask))))
    }

    fn arrived(&mut self, page: &HistoryPage, now: Timestamp) {
        self.again = page.pending.map(|_| now.plus_ms(AGAIN_MS));
        if self.goes_on {
            self.page.hits.extend(page.hits.iter().cloned());
            (self.page.more, self.page.pending) = (page.more, page.pending);
            return;
        }
        // What is chosen stays so while more is found.
        let chosen = self.chosen().map(|hit| hit.place);
        self.page = page.clone();
        let again = chosen.and_then(|place| self.rows().position(|hit| hit.place == place));
        self.step(again.unwrap_or(0));
    }
}

fn longest_word(around: &Around, text: &str) -> String {
    let sought = history::ask(around.domain, text, None).map(|ask| ask.sought);
    let words = sought.unwrap_or_default().into_iter().flat_map(|phrase| phrase.words);
    words.max_by_key(String::len).unwrap_or_default()
}

/// Nothing is looked for, as long as it says only where.
fn is_empty(ask: &HistoryAsk) -> bool {
    ask.sought.is_empty()
        && ask.tools.is_empty()
        && !ask.failed
        && ask.chats.is_none()
        && ask.after.is_none()
        && ask.before.is_none()
}

impl Contract for HistorySearch {
    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        let seen = HistorySearch::seen(around.whole);
        match HISTORY.command(key) {
            Some(ChooseKey::Close) => return Reply::Close,
            Some(ChooseKey::Choose) => return self.go(around),
            Some(ChooseKey::Move(key)) => self.at = key.go(self.at, self.count().saturating_sub(1), seen),
            None => drop(self.field.press(key)),
        }
        Reply::Stay
    }

    fn paste(&mut self, text: &str, _: &Around) {
        self.field.paste(text);
    }

    fn click(&mut self, (x, y): (u16, u16), around: &Around) -> Reply {
        let placed = HistorySearch::place(around.whole);
        if !placed.list.contains((x, y).into()) {
            return Reply::Stay;
        }
        let first = self.first(HistorySearch::seen(around.whole));
        let at = first + usize::from((y - placed.list.y) / placed.rows);
        match at < self.count() {
            true if at == self.at => self.go(around),
            true => {
                self.at = at;
                Reply::Stay
            }
            false => Reply::Stay,
        }
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        let (seen, all) = (HistorySearch::seen(around.whole), self.count());
        let first = self.first(seen);
        let list = HistorySearch::place(around.whole).list;
        vec![ScrollBar::on_frame(around.whole, list, Extent { first, seen, all }).silent()]
    }

    fn scroll_to(&mut self, bar: &ScrollBar, first: usize, _: &Around) {
        self.step(bar.selection(first, self.at));
    }

    fn keys(&self) -> Vec<KeySection> {
        vec![HISTORY.section()]
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        HISTORY.hints("go there")
    }

    fn is_typed_in(&self) -> bool {
        true
    }

    fn settle(&mut self, around: &Around) -> Reply {
        self.seek(around)
    }

    /// Another answer is waited for: what was asked before is of no use any more.
    fn begun(&mut self, _: &Wish, request: RequestId, _: Timestamp) {
        self.asked = Some(request);
    }

    fn awaits(&self, request: RequestId) -> bool {
        self.asked == Some(request)
    }

    fn answered(&mut self, _: RequestId, done: &Done, around: &Around) -> Reply {
        self.asked = None;
        if let Done::Shown(ShownContent::History(page)) = done {
            self.arrived(page, around.domain.now);
        } else if let Done::NotShown(_, problem) = done {
            self.problem = Some(problem.clone());
        }
        Reply::Stay
    }

    fn failed(&mut self, _: RequestId, problem: Problem) {
        self.asked = None;
        self.problem = Some(problem);
    }

    fn ticks(&self, _: Timestamp) -> Option<Timestamp> {
        self.again
    }
}
