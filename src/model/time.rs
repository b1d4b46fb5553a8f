//! A moment, as it is written in files: UTC, to the millisecond.

use std::fmt;

use chrono::{DateTime, SecondsFormat, TimeZone, Utc};
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970, written as `2026-02-15T09:00:00.123Z`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Timestamp(pub i64);

impl Timestamp {
    pub fn plus_ms(self, ms: u64) -> Timestamp {
        Timestamp(self.0.saturating_add_unsigned(ms))
    }

    /// Milliseconds from `earlier` to this moment, 0 where the clock went back.
    pub fn ms_since(self, earlier: Timestamp) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }

    /// How long ago, in the shortest words: `now`, `4m`, `3h`, `2d`, `5w`.
    pub fn age(self, now: Timestamp) -> String {
        match now.ms_since(self) / 60_000 {
            0 => "now".into(),
            minutes @ 1..60 => format!("{minutes}m"),
            minutes @ 60..1440 => format!("{}h", minutes / 60),
            minutes @ 1440..20160 => format!("{}d", minutes / 1440),
            minutes => format!("{}w", minutes / 10080),
        }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = Utc.timestamp_millis_opt(self.0).single().unwrap_or_default();
        f.write_str(&moment.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

impl From<Timestamp> for String {
    fn from(moment: Timestamp) -> String {
        moment.to_string()
    }
}

impl TryFrom<String> for Timestamp {
    type Error = chrono::ParseError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Ok(Timestamp(DateTime::parse_from_rfc3339(&text)?.timestamp_millis()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_reads_back_as_written() {
        let text = "2026-02-15T09:00:00.123Z";
        assert_eq!(Timestamp::try_from(text.to_string()).unwrap().to_string(), text);
    }

    #[test]
    fn ages_are_short_and_never_negative() {
        let now = Timestamp(10_000_000_000);
        let ages = [0, 59, 60, 3600, 86_400, 14 * 86_400].map(|s| Timestamp(now.0 - s * 1000).age(now));
        assert_eq!(ages, ["now", "now", "1m", "1h", "1d", "2w"]);
        assert_eq!(Timestamp(now.0 + 5000).age(now), "now");
    }
}
