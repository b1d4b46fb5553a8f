//! What workers do with schedules and their runs.

use std::collections::BTreeMap;

use crate::model::schedule::Change;
use crate::model::{ChatId, Schedule, ScheduleId};

/// Every schedule; of a file that cannot be read, why.
pub type Schedules = BTreeMap<ScheduleId, Result<Schedule, String>>;

/// Work on schedules and their runs.
#[derive(Clone, Debug, PartialEq)]
pub enum ScheduleWork {
    Make(Box<Schedule>),
    Change(ScheduleId, Change),
    Cancel(ScheduleId),
    /// Loads a chat whose run is over, and runs its check where its project lies.
    Check {
        chat: ChatId,
        command: Option<String>,
        env: BTreeMap<String, String>,
        seconds: u64,
    },
}
