//! What a CLI asks in the middle of a session, and tells on its screen alone: when that is looked at for it.

use crate::model::{Capabilities, Signal, Source, Status, Timestamp};

use super::state::Agent;

/// By then a CLI that rests has drawn what it asks, and a screen counts more than what was said at the turn's end.
const DRAWN_MS: u64 = 1_700;

/// While it asks, the end of that shows nowhere else either.
const ASKS_EVERY_MS: u64 = 1_000;

impl Agent {
    /// A dialog on its screen is all that says that it waits.
    pub fn is_asked_on_screen(&self) -> bool {
        self.signals.get(&Source::Screen).is_some_and(Signal::waits)
    }

    /// How long its screen is left alone, which may show such a dialog that nobody has seen, or one that is gone.
    pub(super) fn looks_for_dialogs_after(&self) -> Option<u64> {
        let asks = |capabilities: &Capabilities| capabilities.asks_on_screen;
        if !self.capabilities.as_ref().is_some_and(asks) {
            return None;
        }
        let waits = matches!(self.verdict.status, Status::NeedsYou(_)) && self.is_asked_on_screen();
        let rests = matches!(self.verdict.status, Status::Idle(_));
        rests.then_some(DRAWN_MS).or(waits.then_some(ASKS_EVERY_MS))
    }

    /// Whether it is to be looked at now: at rest once, and again and again while it asks.
    pub(super) fn may_ask_on_screen(&self, now: Timestamp) -> bool {
        let Some(ms) = self.looks_for_dialogs_after() else {
            return false;
        };
        let drawn = self.since.plus_ms(ms);
        match matches!(self.verdict.status, Status::Idle(_)) {
            true => now >= drawn && self.looked < drawn,
            false => now.ms_since(self.looked) >= ms,
        }
    }
}
