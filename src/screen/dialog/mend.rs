//! What can be done about an error that stands in a transcript.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

use crate::domain::state::Domain;
use crate::model::ChatId;

use super::super::hint::Hint;
use super::super::keymap::Action;
use super::super::wrap::wrap;
use super::place::{self, SLIM};
use super::tables::{CHOOSE, ChooseKey, KeySection};
use super::{Around, ComposeWish, Contract, MendWish, Reply, Subject, Wish};

/// Lines of the error itself.
const WORDS: usize = 4;

pub struct MendMenu {
    about: Subject,
    chat: ChatId,
    /// What went wrong, in the words of whoever told.
    pub error: String,
    pub items: Vec<MendItem>,
    /// Which is chosen.
    pub at: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct MendItem {
    pub letter: char,
    pub text: String,
    /// At the right, second in importance.
    pub note: String,
    pub does: MendDoes,
}

#[derive(Clone, Debug, PartialEq)]
pub enum MendDoes {
    Wish(MendWish),
    Run(Action),
}

/// Where its parts lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedMenu {
    pub area: Rect,
    pub words: Rect,
    pub list: Rect,
}

impl MendMenu {
    pub fn new(domain: &Domain, chat: &ChatId, error: String, items: Vec<MendItem>) -> MendMenu {
        MendMenu {
            about: Subject::chat(domain, chat),
            chat: chat.clone(),
            error,
            items,
            at: 0,
        }
    }

    /// The error in lines of this many columns.
    pub fn words(&self, wide: u16) -> Vec<String> {
        let mut lines = wrap(&self.error, wide.into());
        lines.truncate(WORDS);
        lines
    }

    pub fn place(&self, whole: Rect) -> PlacedMenu {
        let wide = whole.width.saturating_sub(4).min(SLIM);
        let rows = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let words = rows(self.words(wide.saturating_sub(4)).len());
        let items = rows(self.items.len());
        let area = place::middle(whole, wide, (words + items + 3).min(whole.height));
        let inside = place::list(area, false).list;
        let words = Rect {
            x: inside.x + 1.min(inside.width),
            width: inside.width.saturating_sub(2),
            height: words.min(inside.height.saturating_sub(items)),
            ..inside
        };
        let list = Rect {
            y: inside.bottom().saturating_sub(items.min(inside.height)),
            height: items.min(inside.height),
            ..inside
        };
        PlacedMenu { area, words, list }
    }

    fn take(&self, at: usize) -> Reply {
        match self.items.get(at).map(|item| &item.does) {
            Some(MendDoes::Run(action)) => Reply::Run(*action),
            Some(MendDoes::Wish(wish)) => {
                Reply::Leave(Wish::Compose(self.chat.clone(), ComposeWish::Mend(wish.clone())))
            }
            None => Reply::Stay,
        }
    }
}

impl Contract for MendMenu {
    fn subject(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn press(&mut self, key: KeyEvent, _: &Around) -> Reply {
        let last = self.items.len().saturating_sub(1);
        match CHOOSE.command(key) {
            Some(ChooseKey::Close) => return Reply::Close,
            Some(ChooseKey::Choose) => return self.take(self.at),
            Some(ChooseKey::Move(key)) => self.at = key.go(self.at, last, 1),
            None => {
                let is_plain = !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
                let is_it = |item: &MendItem| is_plain && key.code == KeyCode::Char(item.letter);
                if let Some(at) = self.items.iter().position(is_it) {
                    return self.take(at);
                }
            }
        }
        Reply::Stay
    }

    fn click(&mut self, (x, y): (u16, u16), around: &Around) -> Reply {
        let placed = self.place(around.whole);
        let is_in = |area: Rect| area.contains((x, y).into());
        match (is_in(placed.list), is_in(placed.area)) {
            (true, _) => self.take(usize::from(y - placed.list.y)),
            (false, true) => Reply::Stay,
            (false, false) => Reply::Close,
        }
    }

    fn keys(&self) -> Vec<KeySection> {
        vec![CHOOSE.section()]
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        CHOOSE.hints("choose")
    }
}
