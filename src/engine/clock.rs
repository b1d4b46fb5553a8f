//! The clock of workers.

use std::time::SystemTime;

use chrono::{DateTime, Utc};

use crate::model::Timestamp;

/// The clock, for what is written: the only other one is the loop's.
pub fn now() -> Timestamp {
    Timestamp(Utc::now().timestamp_millis())
}

/// A time of the file system's.
pub fn of(time: SystemTime) -> Timestamp {
    Timestamp(DateTime::<Utc>::from(time).timestamp_millis())
}
