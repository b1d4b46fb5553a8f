//! What every dialog is to the rest of the screen: it takes keys, may wait for work, and says what it is about. Only
//! `screen/dialogs.rs` talks to dialogs, and only in these words.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::notice::Done;
use crate::model::{Problem, RequestId, Timestamp};

use super::super::hint::Hint;
use super::super::scrollbar::ScrollBar;
use super::around::{Around, Subject};
use super::form::Ask;
use super::tables::KeySection;
use super::wish::{Reply, Wish};

/// A dialog. Forms and questions are [`super::Ask`], from which all of this follows.
pub trait Contract {
    /// The same as something that asks, part by part; `None` if it is drawn as a page of its own.
    fn ask(&self) -> Option<&dyn Ask> {
        None
    }

    /// `None` if it is about nothing that could go.
    fn subject(&self) -> Option<&Subject> {
        None
    }

    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply;

    fn paste(&mut self, _text: &str, _around: &Around) {}

    fn click(&mut self, _at: (u16, u16), _around: &Around) -> Reply {
        Reply::Stay
    }

    /// The wheel does in it what the arrow keys do.
    fn takes_wheel(&self) -> bool {
        true
    }

    /// A step of the wheel at this place, if it does something else than the arrow keys.
    fn wheel(&mut self, _by: i8, _at: (u16, u16), _around: &Around) -> bool {
        false
    }

    /// Where text stands that the mouse may mark.
    fn text(&self, _around: &Around) -> Option<Rect> {
        None
    }

    /// Beside what of it is longer than its place.
    fn bars(&self, _around: &Around) -> Vec<ScrollBar> {
        Vec::new()
    }

    /// The thumb of one of them was dragged: it is to begin at this row.
    fn scroll_to(&mut self, _bar: &ScrollBar, _first: usize, _around: &Around) {}

    /// The keys that matter now, most wanted first.
    fn hints(&self, around: &Around) -> Vec<Hint>;

    /// The tables of the keys that count now. Empty while the next key is taken for itself, whatever it is.
    fn keys(&self) -> Vec<KeySection>;

    /// Since when what is to be answered is seen; `None` if nothing is.
    fn shown(&self) -> Option<Timestamp> {
        None
    }

    /// Somebody types on at what they cannot mean to answer: it is to be read from now on.
    fn begin_reading(&mut self, _now: Timestamp) {}

    /// What it asks may be answered from now on, although it was not there for long.
    fn counts_as_read(&mut self, _now: Timestamp) {}

    /// Something within it asks for a yes or a no.
    fn asks_within(&self) -> bool {
        false
    }

    /// What is typed goes into a field of it.
    fn is_typed_in(&self) -> bool {
        false
    }

    /// After each event: what it wants to know, or that it is over.
    fn settle(&mut self, _around: &Around) -> Reply {
        Reply::Stay
    }

    /// This wish of its own is being carried out, by this number.
    fn begun(&mut self, _wish: &Wish, _request: RequestId, _now: Timestamp) {}

    /// It waits for what comes of this request.
    fn awaits(&self, _request: RequestId) -> bool {
        false
    }

    /// It has said what there was to say, asks nothing, and closes by itself in a moment.
    fn is_done(&self) -> bool {
        false
    }

    /// Work that it was opened for is under way: it ends by the answer alone.
    fn is_busy(&self) -> bool {
        false
    }

    /// The answer to a request that it awaits.
    fn answered(&mut self, _request: RequestId, _done: &Done, _around: &Around) -> Reply {
        Reply::Stay
    }

    /// The same, if it failed.
    fn failed(&mut self, _request: RequestId, _problem: Problem) {}

    /// When it says something else by itself.
    fn ticks(&self, _now: Timestamp) -> Option<Timestamp> {
        None
    }

    /// What leaving it now gives up, in words, and how.
    fn gives_up(&self) -> Option<(&'static str, Wish)> {
        None
    }
}
