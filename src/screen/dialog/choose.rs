//! A list to choose one of, narrowed by a few letters of it or chosen from by its first letters.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use ratatui::layout::Rect;

use crate::model::Timestamp;

use super::super::filter::ranked;
use super::super::hint::Hint;
use super::super::scrollbar::ScrollBar;
use super::super::tab::changes::choice::{DiffChoice, DiffList};
use super::place::{self, BROAD, FEWEST, ListHit, PlacedList, SLIM};
use super::tables::{CHOOSE, ChooseKey, KeySection};
use super::{Around, Contract, Field, Reply, Room, UNREAD_MS};

pub struct Choose {
    pub list: DiffList,
    /// None where a letter chooses.
    pub field: Option<Field>,
    items: Vec<ChoiceItem>,
    /// Those that match, the best first.
    found: Vec<usize>,
    pub at: usize,
    /// Said where there is none.
    pub nothing: &'static str,
    /// Somebody types words at it: it is to be read from then on.
    read_from: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceItem {
    pub letter: Option<char>,
    pub text: String,
    /// At the right, second in importance.
    pub note: String,
    pub choice: DiffChoice,
}

impl Choose {
    pub fn new(list: DiffList, items: Vec<ChoiceItem>) -> Choose {
        Choose {
            list,
            field: (!list.is_menu()).then(|| Field::new("", Room::Line)),
            found: (0..items.len()).collect(),
            items,
            at: 0,
            nothing: list.nothing(),
            read_from: None,
        }
    }

    /// Begins at this one.
    pub fn starting_at(mut self, is_it: impl Fn(&DiffChoice) -> bool) -> Choose {
        self.at = self.items.iter().position(|item| is_it(&item.choice)).unwrap_or(0);
        self
    }

    /// What matches.
    pub fn shown(&self) -> impl ExactSizeIterator<Item = &ChoiceItem> {
        self.found.iter().map(|at| &self.items[*at])
    }

    pub fn count(&self) -> usize {
        self.items.len()
    }

    /// Other letters find others, and the best of them is chosen.
    fn change(&mut self, change: impl FnOnce(&mut Field)) {
        let Some(field) = &mut self.field else {
            return;
        };
        let before = field.text();
        change(field);
        if field.text() != before {
            self.narrow();
        }
    }

    /// There are others to choose from; what was typed goes on to narrow them.
    pub fn set_items(&mut self, items: Vec<ChoiceItem>) {
        // Whoever has moved stays where they are.
        let chosen = self.shown().nth(self.at).filter(|_| self.at > 0);
        let chosen = chosen.map(|item| item.choice.clone());
        self.items = items;
        self.narrow();
        let at = self.shown().position(|item| Some(&item.choice) == chosen.as_ref());
        self.at = at.unwrap_or(0);
    }

    fn narrow(&mut self) {
        let wanted = self.field.as_ref().map(Field::text).unwrap_or_default();
        let texts = self.items.iter().enumerate().map(|(at, item)| (item.text.clone(), at));
        let mut found = ranked(texts, &wanted);
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        self.found = found.into_iter().map(|(_, at)| at).collect();
        self.at = 0;
    }

    fn take(&self, at: usize) -> Reply {
        match self.shown().nth(at) {
            Some(item) => Reply::Choose(item.choice.clone()),
            None => Reply::Stay,
        }
    }

    /// Words are being typed at a list where letters choose.
    fn is_unread(&self, around: &Around) -> bool {
        let from = self.read_from.filter(|_| self.field.is_none());
        from.is_some_and(|from| around.domain.now.ms_since(from) < UNREAD_MS)
    }

    /// The first that is seen of a list of so many rows.
    pub fn first(&self, rows: usize) -> usize {
        (self.at + 1).saturating_sub(rows)
    }

    /// As high as all that there is to choose from, most of the screen at most.
    pub fn place(&self, whole: Rect) -> PlacedList {
        let most = (whole.height * 3 / 4).max(FEWEST).min(whole.height);
        let (around, wide) = match self.field {
            Some(_) => (4, BROAD),
            None => (2, SLIM),
        };
        let rows = u16::try_from(self.count().max(1)).unwrap_or(u16::MAX);
        let high = rows.saturating_add(around).min(most);
        let area = place::middle(whole, whole.width.saturating_sub(4).min(wide), high);
        place::list(area, self.field.is_some())
    }
}

impl Contract for Choose {
    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        let page = self.place(around.whole).rows();
        let last = self.found.len().saturating_sub(1);
        if self.field.as_mut().is_some_and(|field| field.ends_search(key)) {
            self.narrow();
            return Reply::Stay;
        }
        match CHOOSE.command(key) {
            Some(ChooseKey::Close) => return Reply::Close,
            Some(ChooseKey::Choose) if self.is_unread(around) => return Reply::TooSoon,
            Some(ChooseKey::Choose) => return self.take(self.at),
            Some(ChooseKey::Move(key)) => self.at = key.go(self.at, last, page),
            None if self.field.is_some() => self.change(|field| {
                field.press(key);
            }),
            None => {
                let plain = !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
                let letter = match key.code {
                    KeyCode::Char(letter) if plain => Some(letter),
                    _ => None,
                };
                let is_it = |item: &&ChoiceItem| letter.is_some() && item.letter == letter;
                return match self.items.iter().find(is_it) {
                    Some(_) if self.is_unread(around) => Reply::TooSoon,
                    Some(item) => Reply::Choose(item.choice.clone()),
                    None => Reply::Unbound,
                };
            }
        }
        Reply::Stay
    }

    fn paste(&mut self, text: &str, _: &Around) {
        self.change(|field| field.paste(text));
    }

    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        let placed = self.place(around.whole);
        match placed.hit(at, self.first(placed.rows())) {
            ListHit::Row(at) => self.take(at),
            ListHit::Frame => Reply::Stay,
            ListHit::Outside => Reply::Close,
        }
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        let placed = self.place(around.whole);
        vec![placed.bar(self.first(placed.rows()), self.shown().len())]
    }

    fn scroll_to(&mut self, bar: &ScrollBar, first: usize, _: &Around) {
        self.at = bar.selection(first, self.at);
    }

    fn keys(&self) -> Vec<KeySection> {
        vec![CHOOSE.section()]
    }

    fn begin_reading(&mut self, now: Timestamp) {
        self.read_from = Some(now);
    }

    fn is_typed_in(&self) -> bool {
        self.field.is_some()
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        let is_narrowed = self.field.as_ref().is_some_and(|field| !field.is_empty());
        CHOOSE.narrowed_hints("choose", is_narrowed)
    }
}
