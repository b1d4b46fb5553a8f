//! Keeps what was typed at a dialog from what appears behind it when it closes.
//!
//! A dialog closes under the second key of a burst: two `y` in a row, a form whose work has just ended, a question that was
//! answered elsewhere. So, from the moment a dialog closes, keys, pastes and clicks are swallowed until nothing came for a
//! moment, and the last row says so. Where a person left it on purpose (Esc, a command of the palette), only the same key again is:
//! they may type on at once. The leader is never typed at a dialog, so it counts at once.

use std::mem::Discriminant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::app::state::State;
use crate::model::{ClientId, Timestamp};
use crate::term::key::normal;

use super::dialog::Dialog;
use super::keymap::shown;
use super::view::View;

/// A pause this long ends a burst of keys.
pub const QUIET_MS: u64 = 500;

/// How long it is told that a key did not count.
const TOLD_MS: u64 = 1_500;

/// What a person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Key(KeyCode, KeyModifiers),
    Paste,
    Click,
}

#[derive(Default)]
pub struct Guard {
    before: Layers,
    deed: Option<Deed>,
    /// What was open was left on purpose by the deed.
    left: bool,
    shut: Option<Shut>,
    told: Option<Told>,
}

/// What lies over the rest of the screen and takes its keys.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Layers {
    schedules: bool,
    copy: bool,
    dialog: Option<Discriminant<Dialog>>,
    /// Within the dialog something asks.
    asks: bool,
}

struct Shut {
    /// When it closed, or when the last key was swallowed.
    at: Timestamp,
    /// Swallows this alone.
    only: Option<Deed>,
}

struct Told {
    words: String,
    until: Timestamp,
}

impl Deed {
    pub fn key(key: KeyEvent) -> Deed {
        let key = normal(key);
        Deed::Key(key.code, key.modifiers)
    }

    fn name(self) -> String {
        match self {
            Deed::Key(code, modifiers) => shown(KeyEvent::new(code, modifiers)),
            Deed::Paste => "Paste".into(),
            Deed::Click => "Click".into(),
        }
    }
}

impl Layers {
    fn of(view: &View) -> Layers {
        Layers {
            schedules: view.automations.is_some(),
            copy: view.reading.copy.is_some(),
            dialog: view.dialog.as_ref().map(std::mem::discriminant),
            asks: view.dialog.as_ref().is_some_and(Dialog::asks_within),
        }
    }

    fn has_lost(self, now: Layers) -> bool {
        (self.schedules && !now.schedules)
            || (self.copy && !now.copy)
            || (self.dialog.is_some() && self.dialog != now.dialog)
            || (self.asks && !now.asks)
    }
}

impl Guard {
    /// Whether this was meant for what has just closed. A key that is let go does nothing, then, either.
    pub fn swallows(&mut self, deed: Deed, now: Timestamp) -> bool {
        self.deed = Some(deed);
        let Some(shut) = &mut self.shut else {
            return false;
        };
        if now.ms_since(shut.at) >= QUIET_MS || shut.only.is_some_and(|only| only != deed) {
            self.shut = None;
            return false;
        }
        shut.at = now;
        self.tell(format!("{} ignored: a dialog has just closed", deed.name()), now);
        true
    }

    pub fn is_shut(&self, now: Timestamp) -> bool {
        self.shut.as_ref().is_some_and(|shut| now.ms_since(shut.at) < QUIET_MS)
    }

    /// What comes next is meant for what is seen.
    pub fn lift(&mut self) {
        self.shut = None;
    }

    /// What is open closes because the person leaves it, not because it is answered.
    pub fn leaves(&mut self) {
        self.left = true;
    }

    /// An answer to what could not be read yet.
    pub fn too_soon(&mut self, now: Timestamp) {
        if let Some(deed) = self.deed {
            self.tell(format!("{} came too soon: press it again", deed.name()), now);
        }
    }

    fn tell(&mut self, words: String, now: Timestamp) {
        let until = now.plus_ms(TOLD_MS);
        self.told = Some(Told { words, until });
    }

    /// That something did not count, for the last row.
    pub fn says(&self) -> Option<&str> {
        self.told.as_ref().map(|told| told.words.as_str())
    }

    /// When it stops saying so.
    pub fn until(&self) -> Option<Timestamp> {
        self.told.as_ref().map(|told| told.until)
    }
}

/// After every event: what has closed since the last one?
pub fn settle(state: &mut State, client: ClientId) {
    let now = state.now;
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let layers = Layers::of(view);
    let guard = &mut view.guard;
    let (left, deed) = (std::mem::take(&mut guard.left), guard.deed.take());
    if guard.before.has_lost(layers) {
        let only = deed.filter(|_| left);
        guard.shut = Some(Shut { at: now, only });
    }
    guard.before = layers;
    if guard.told.as_ref().is_some_and(|told| told.until <= now) {
        guard.told = None;
    }
}
