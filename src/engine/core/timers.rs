//! When `update` wants to hear the clock.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::time::Instant;

use crate::engine::alarm::Alarm;

pub struct Timers {
    wakes: BTreeSet<Instant>,
    /// Rings at a time of day, also after the machine has slept.
    pub alarm: Alarm,
}

impl Timers {
    pub fn new() -> Timers {
        Timers {
            wakes: BTreeSet::new(),
            alarm: Alarm::new(),
        }
    }

    pub fn next(&self) -> Option<Instant> {
        self.wakes.first().copied()
    }

    pub fn wake_after(&mut self, wait: Duration) {
        self.wakes.insert(Instant::now() + wait);
    }

    pub fn drop_past(&mut self, now: Instant) {
        self.wakes.retain(|wake| *wake > now);
    }
}
