//! How long an agent may take until its session begins, before that needs an explanation.
//!
//! CLIs that are started together share the machine: one that has a twentieth of it draws little in many seconds, and
//! neither a screen that stands still nor a session that has not begun says that a person is needed.

use crate::model::Timestamp;

/// A session that has not begun by now needs an explanation.
const ALONE_MS: u64 = 20_000;

/// So much longer for each that starts beside it. On two busy cores six CLIs took half a minute.
const BESIDE_MS: u64 = 5_000;

/// After that nobody looks at its screen any more.
const LONGEST_MS: u64 = 110_000;

/// How long a screen stands still that waits for somebody. With the looks, a dialog is found within two seconds.
const STILL_MS: u64 = 700;

/// So much longer for each that starts beside it. A dialog that is known by its words waits for none of this.
const STILL_BESIDE_MS: u64 = 1_000;

#[derive(Clone, Copy, Debug)]
pub struct SlowStart {
    /// Since when its screen has shown the same, as far as it was looked at before its session.
    pub still_since: Timestamp,
    /// How many others were starting as it did, or have begun to meanwhile.
    pub beside: u32,
}

impl SlowStart {
    pub fn new(now: Timestamp) -> SlowStart {
        SlowStart {
            still_since: now,
            beside: 0,
        }
    }

    /// After how long its session should have begun.
    pub fn limit_ms(&self) -> u64 {
        (ALONE_MS + u64::from(self.beside) * BESIDE_MS).min(LONGEST_MS)
    }

    /// Whether its screen has stood still for longer than that of one that is only slow.
    pub fn stands_still(&self, now: Timestamp) -> bool {
        now.ms_since(self.still_since) >= STILL_MS + u64::from(self.beside) * STILL_BESIDE_MS
    }
}
