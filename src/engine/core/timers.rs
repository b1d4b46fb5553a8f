//! When `update` wants to hear the clock.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::time::Instant;

use crate::engine::alarm::Alarm;

/// Moments this close together are one: whoever waits says so again at each turn of the loop, a little later each time.
const GRAIN: Duration = Duration::from_millis(5);

pub struct Timers {
    began: Instant,
    wakes: BTreeSet<Instant>,
    /// Rings at a time of day, also after the machine has slept.
    pub alarm: Alarm,
}

impl Timers {
    pub fn new() -> Timers {
        Timers {
            began: Instant::now(),
            wakes: BTreeSet::new(),
            alarm: Alarm::new(),
        }
    }

    pub fn next(&self) -> Option<Instant> {
        self.wakes.first().copied()
    }

    pub fn wake_after(&mut self, wait: Duration) {
        self.wake_at(Instant::now() + wait);
    }

    /// Never earlier.
    fn wake_at(&mut self, at: Instant) {
        let grains = at.duration_since(self.began).as_nanos().div_ceil(GRAIN.as_nanos());
        let rounded = u64::try_from(grains * GRAIN.as_nanos()).ok();
        let rounded = rounded.and_then(|nanos| self.began.checked_add(Duration::from_nanos(nanos)));
        self.wakes.insert(rounded.unwrap_or(at));
    }

    pub fn drop_past(&mut self, now: Instant) {
        self.wakes = self.wakes.split_off(&(now + Duration::from_nanos(1)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_moment_that_is_asked_for_at_each_turn_is_one_wake() {
        let mut timers = Timers::new();
        let later = timers.began + Duration::from_secs(3_600);
        for turn in 0..100_000 {
            timers.wake_at(later + Duration::from_nanos(turn % 2_000_000));
        }
        assert_eq!(timers.wakes.len(), 2);
        assert!(timers.next() >= Some(later) && timers.next() <= Some(later + GRAIN));
        timers.drop_past(later);
        assert_eq!(timers.wakes.len(), 1);
        timers.drop_past(later + GRAIN);
        assert_eq!(timers.next(), None);
    }
}
