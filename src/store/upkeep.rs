//! Whether the clock may be believed before something is let go for its age: a machine whose clock is far ahead for a
//! moment would lose in that moment what is kept for days.
//!
//! The time of each upkeep is noted. Where the clock is days further than then, nothing is let go until a day has passed
//! by it: after a long rest that costs a day, and a clock that is put right meanwhile costs nothing.

use serde::{Deserialize, Serialize};

use super::{Error, Home};
use crate::model::Timestamp;

const FILE: &str = "run/upkeep.json";

/// Of a file with two times in it.
const SMALL: u64 = 4096;

const DAY_MS: u64 = 86_400_000;

/// An engine that runs looks once a day.
const LEAP_MS: u64 = 2 * DAY_MS;

#[derive(Serialize, Deserialize)]
struct Upkeep {
    last: Timestamp,
    /// Since when the clock is doubted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    doubted: Option<Timestamp>,
}

impl Home {
    /// It is an upkeep's time. Whether what is old by this clock may be let go.
    pub fn believes(&self, now: Timestamp) -> Result<bool, Error> {
        self.writable()?;
        let _records = self.lock();
        let bytes = self.dir().read(FILE, SMALL)?;
        let known = bytes.and_then(|bytes| serde_json::from_slice::<Upkeep>(&bytes).ok());
        let doubted = known.and_then(|known| {
            let leapt = now.ms_since(known.last) > LEAP_MS;
            let doubted = known
                .doubted
                .filter(|since| now >= *since && now.ms_since(*since) < DAY_MS);
            doubted.or_else(|| (leapt && known.doubted.is_none()).then_some(now))
        });
        let noted = Upkeep { last: now, doubted };
        let text = serde_json::to_string(&noted).expect("it has only text keys");
        self.dir().create_dir("run")?;
        self.dir().write_atomic(FILE, format!("{text}\n"))?;
        Ok(doubted.is_none())
    }
}
