//! How far back one person is in a terminal, and what is selected there.

use std::sync::Arc;

use crossterm::event::MouseButton;

use crate::model::Timestamp;
use crate::term::{FoundText, Screen, TextSpot};

use super::super::dialog::Field;
use super::super::links::data::MarkedLinks;
use super::super::selection::{Selection, Unit};
use super::super::way::StepWay;

/// One a view; begins anew with another terminal.
#[derive(Default)]
pub struct Reading {
    /// The line at the top while the view is held there; `None` follows the newest lines.
    pub top: Option<u64>,
    /// The screen from `top` on. Asked of the terminal's thread, so for a moment it may be an older one, or not there.
    pub screen: Option<Arc<Screen>>,
    /// The live screen's top line when the view was held: what is beyond the lines it had then is new.
    pub since: u64,
    pub selection: Option<Selection>,
    /// The last press of the mouse on the terminal: tells a second click, and is dragged.
    pub press: Option<Press>,
    /// The button that went down in the program, which is to have its drag and its release.
    pub handed: Option<MouseButton>,
    /// Keys move a cursor over the text; the view is held, be it at the newest lines.
    pub copy: Option<Copy>,
    pub search: TextSearch,
    /// Links that are marked, each to be named by its letters.
    pub links: Option<MarkedLinks>,
    /// Its program has ended, as of the last event.
    pub is_kept: bool,
}

impl Reading {
    /// The screen that the person sees, given the live one.
    pub fn shown<'a>(&'a self, live: &'a Arc<Screen>) -> &'a Arc<Screen> {
        self.top.and(self.screen.as_ref()).unwrap_or(live)
    }

    /// The person reads further back, or selects: what is shown is not simply the live screen.
    pub fn is_under_way(&self) -> bool {
        self.top.is_some() || self.selection.is_some() || self.copy.is_some() || self.links.is_some()
    }

    /// What is found again by whoever leaves the terminal for another and comes back: how far they were back, and where in
    /// copy mode. What is being typed or dragged ends.
    pub(in crate::screen) fn left(mut self) -> Option<Reading> {
        if self.copy.is_none() {
            self.selection = None;
            self.search = TextSearch::default();
        }
        (self.press, self.handed, self.links, self.search.typing) = (None, None, None, None);
        (self.top.is_some() || self.copy.is_some()).then_some(self)
    }

    /// How many lines are below the view, and how many of them have come since it was held.
    pub fn below(&self, live: &Screen) -> (u64, u64) {
        match self.top {
            Some(top) => {
                let below = live.live().saturating_sub(top);
                (below, live.live().saturating_sub(self.since).min(below))
            }
            None => (0, 0),
        }
    }
}

/// One a client, while it selects by keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy {
    pub cursor: TextSpot,
    /// Where the selection began, once it has.
    pub(in crate::screen) from: Option<(TextSpot, Unit)>,
    /// What that was widened to, its word or line, as it was last in sight.
    pub(in crate::screen) widened: Option<(TextSpot, TextSpot)>,
    /// The mouse has selected it, and no key moved the cursor since: scrolling leaves it as it is.
    pub(in crate::screen) is_by_mouse: bool,
    /// How often the next motion is done; nought until a digit is typed.
    pub(in crate::screen) count: u32,
    /// The end of a paragraph is looked for in lines that have been asked for, so many times.
    pub(in crate::screen) seeks: Option<(StepWay, u32)>,
}

impl Copy {
    pub fn is_selecting(&self) -> bool {
        self.from.is_some()
    }
}

/// What is looked for in the text while it is selected by keys.
#[derive(Default)]
pub struct TextSearch {
    /// What is being typed.
    pub typing: Option<Field>,
    /// Where the cursor was when the typing began.
    pub(in crate::screen) origin: Option<TextSpot>,
    /// The line that was at the top then.
    pub(in crate::screen) top: Option<u64>,
    /// Where one asked to look.
    pub way: FoundWay,
    /// The way to the next place: where nothing is below, what is above is gone through.
    pub goes_on: FoundWay,
    /// The words of the newest search; an answer about others comes too late.
    pub wanted: Option<String>,
    /// The words of the last search, which are nowhere here.
    pub(in crate::screen) missing: Option<String>,
    /// What was found last. While a newer answer is on its way it may be about other words.
    pub found: Option<FoundText>,
}

impl TextSearch {
    /// A row tells of it.
    pub fn is_shown(&self) -> bool {
        self.typing.is_some() || self.wanted.is_some()
    }

    /// The terminal has answered about the words that are wanted.
    pub(in crate::screen) fn is_answered(&self) -> bool {
        let found = self.found.as_ref().map(|found| &found.words);
        found == self.wanted.as_ref()
    }
}

/// From the cursor of copy mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FoundWay {
    Older,
    #[default]
    Newer,
}

/// A press of the left button on the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    pub at: Timestamp,
    pub(in crate::screen) x: u16,
    pub(in crate::screen) y: u16,
    /// `None` where nothing is shown to select from.
    pub(in crate::screen) spot: Option<TextSpot>,
    /// What a drag from it takes.
    pub(in crate::screen) unit: Unit,
    /// One more for each that follows in time at the same place.
    pub(in crate::screen) clicks: u8,
    /// The button is down.
    pub held: bool,
    /// Lines beyond the edge that the mouse is dragged to: negative is above.
    pub(in crate::screen) beyond: i8,
    pub(in crate::screen) scrolled: Timestamp,
}
