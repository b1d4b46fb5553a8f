//! What workers do with schedules and their runs.

use crate::model::schedule::Checked;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::model::schedule::Change;
use crate::model::{Chat, ChatId, Schedule, ScheduleId};
use crate::permission::Case;

/// Every schedule; of a file that cannot be read, why.
pub type Schedules = BTreeMap<ScheduleId, Result<Schedule, String>>;

/// Work on schedules and their runs.
#[derive(Clone, Debug, PartialEq)]
pub enum ScheduleWork {
    Make(Box<Schedule>),
    Change(ScheduleId, Change),
    Cancel(ScheduleId),
    /// Loads a chat whose run is over, and runs its check where its project lies: an agent's only where the rules allow
    /// it, and held in as the agent is.
    Check {
        chat: ChatId,
        command: Option<String>,
        /// By which an agent's check is judged.
        judged: Option<Box<Case>>,
        env: BTreeMap<String, String>,
        seconds: u64,
    },
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ScheduleDone {
    /// A schedule as it now is on disk.
    Kept(Box<Schedule>),
    Gone(ScheduleId),
    Checked(Box<Chat>, Checked),
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum ScheduleThen {
    /// The schedule is the answer, or that it is gone.
    Answer,
    /// A decision about a schedule is on disk, with the run that it claims.
    Decided(ScheduleId, Option<ChatId>),
    /// The claim of a run by hand is on disk.
    Claimed(ChatId),
    /// What a run's agent declared is known and its check has ended.
    Checked(ChatId),
    /// The result of a run is on disk.
    RunEnded(ChatId),
}
