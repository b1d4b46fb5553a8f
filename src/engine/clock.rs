//! The clock of workers.

use chrono::Utc;

use crate::model::Timestamp;

/// The clock, for what is written: the only other one is the loop's.
pub fn now() -> Timestamp {
    Timestamp(Utc::now().timestamp_millis())
}
