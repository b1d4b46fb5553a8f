//! What a turn came to: of the entries that are loaded.

use crate::model::turn_clock::TurnClock;
use crate::model::{Happened, Timestamp};

use super::item::ItemKey;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnSums {
    /// Counted through the whole transcript.
    pub number: u32,
    /// Its prompt.
    pub key: ItemKey,
    pub began: Timestamp,
    pub clock: TurnClock,
    pub calls: u32,
    pub failed: u32,
    /// Its CLI or the model told an error.
    pub has_error: bool,
    pub input: u64,
    pub output: u64,
    pub cached: u64,
}

impl TurnSums {
    pub fn take(&mut self, at: Timestamp, what: &Happened) {
        self.clock.take(at, what);
        self.has_error |= matches!(what, Happened::Error { .. });
        if let Happened::Usage {
            input,
            output,
            cache_read,
            cache_write,
            ..
        } = what
        {
            self.input += input;
            self.output += output;
            self.cached += cache_read + cache_write;
        }
    }
}
