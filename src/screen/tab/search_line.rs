//! The row of a tab in which one types what to search for, and what is looked for then.

use crossterm::event::KeyEvent;

use crate::model::search::Needle;
use crate::screen::dialog::tables::{SEARCH, SearchKey};
use crate::screen::dialog::{Field, Room};

/// What is told as a search goes on from the other end.
pub const FROM_TOP: &str = "From the top: below there is no more.";
pub const FROM_END: &str = "From the end: above there is no more.";

pub struct SearchLine<F> {
    /// What is being typed.
    pub typing: Option<Field>,
    pub sought: Option<Sought<F>>,
}

/// What is looked for, until the search is ended, with what a tab keeps of it.
pub struct Sought<F> {
    pub words: String,
    pub needle: Needle,
    pub found: F,
}

impl<F> Default for SearchLine<F> {
    fn default() -> SearchLine<F> {
        SearchLine {
            typing: None,
            sought: None,
        }
    }
}

impl<F> Sought<F> {
    /// `None` if there are no words.
    pub fn of(words: String, found: F) -> Option<Sought<F>> {
        let needle = Needle::of(&words)?;
        Some(Sought { words, needle, found })
    }

    /// Of several words, each by itself, also as they are known to stand there; `None` if there are none.
    pub fn of_any(words: &[String], known: &[String], found: F) -> Option<Sought<F>> {
        let needle = Needle::of_any(words.iter().chain(known))?;
        let words = if words.is_empty() { known } else { words };
        Some(Sought {
            words: words.join(" "),
            needle,
            found,
        })
    }
}

impl<F> SearchLine<F> {
    pub fn is_on(&self) -> bool {
        self.sought.is_some()
    }

    /// It has a row of its own at the bottom.
    pub fn has_row(&self) -> bool {
        self.typing.is_some() || self.is_on()
    }

    /// Asks for words, and proposes those that were looked for last.
    pub fn begin(&mut self) {
        let words = self.sought.as_ref().map_or("", |sought| &sought.words);
        self.typing = Some(Field::proposing(words, Room::Line));
    }

    /// Forgets the words; says whether there were any.
    pub fn end(&mut self) -> bool {
        self.sought.take().is_some()
    }

    /// A key while the words are typed; says whether a search begins by it, of which `found` is known so far.
    pub fn press(&mut self, key: KeyEvent, found: F) -> bool {
        let Some(typing) = &mut self.typing else {
            return false;
        };
        match SEARCH.command(key) {
            Some(SearchKey::Cancel) => self.typing = None,
            Some(SearchKey::Search) => {
                self.sought = Sought::of(typing.text(), found);
                self.typing = None;
                return self.is_on();
            }
            // Pages are turned by `screen/tab.rs`.
            Some(SearchKey::PageUp | SearchKey::PageDown) => {}
            None => drop(typing.press(key)),
        }
        false
    }

    pub fn paste(&mut self, text: &str) {
        if let Some(typing) = &mut self.typing {
            typing.paste(text);
        }
    }
}
