//! Chats that are started at set times.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entry::{ToolOf, changes, reads};
use crate::model::open_dir::OpenDir;
use crate::model::request::ScheduleAsk;
use crate::model::schedule::Wanted;

pub(super) fn tools() -> [ToolOf<ScheduleAsk>; 4] {
    [
        ToolOf {
            name: "schedule_chat",
            does: "Start a chat with this prompt, in a fresh clone, at set times (cron or at).",
            when: Some(
                "have a prompt run at set times in a fresh chat; see `list_schedules`, `run_schedule`, `cancel_schedule`",
            ),
            ..changes::<ScheduleChat, Scheduled, _>()
        },
        ToolOf {
            name: "list_schedules",
            does: "Schedules made here, with their last run.",
            ..reads::<ListSchedules, SchedulesAnswer, _>()
        },
        ToolOf {
            name: "cancel_schedule",
            does: "End a schedule. Chats of its runs stay.",
            ..changes::<CancelSchedule, Cancelled, _>()
        },
        ToolOf {
            name: "run_schedule",
            does: "Run a schedule now.",
            ..changes::<RunSchedule, Started, _>()
        },
    ]
}

/// What an agent may say of a [`Wanted`]: less than a person, and its project by name alone.
#[derive(Deserialize, JsonSchema)]
struct ScheduleChat {
    prompt: String,
    name: Option<String>,
    /// Five fields or @daily; at least 5 minutes apart
    cron: Option<String>,
    /// Once: 2026-03-29T09:00
    at: Option<String>,
    /// Default: the machine's
    tz: Option<String>,
    /// As in open_dir
    project: Option<String>,
    llm: Option<String>,
    /// Run in the clone afterwards; 0 is success
    check: Option<String>,
    /// Seconds a run may take
    timeout: Option<u64>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Scheduled {
    id: String,
    next_run: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct ListSchedules {}

#[derive(Serialize, Deserialize, JsonSchema)]
struct SchedulesAnswer {
    schedules: Vec<ScheduleAnswer>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct ScheduleAnswer {
    id: String,
    name: String,
    when: String,
    state: String,
    next_run: Option<String>,
    #[serde(rename = "chatId")]
    chat: Option<String>,
    result: Option<String>,
    why: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct CancelSchedule {
    id: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Cancelled {
    cancelled: String,
}

#[derive(Deserialize, JsonSchema)]
struct RunSchedule {
    id: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Started {
    #[serde(rename = "chatId")]
    chat: String,
}

impl From<ScheduleChat> for ScheduleAsk {
    fn from(asked: ScheduleChat) -> ScheduleAsk {
        let project = asked.project.map(|path_or_url| OpenDir {
            path_or_url,
            ..OpenDir::default()
        });
        ScheduleAsk::Add(Box::new(Wanted {
            name: asked.name,
            prompt: asked.prompt,
            cron: asked.cron,
            at: asked.at,
            tz: asked.tz,
            project,
            llm: asked.llm,
            check: asked.check,
            timeout_s: asked.timeout,
            overlap: None,
            missed: None,
        }))
    }
}

impl From<ListSchedules> for ScheduleAsk {
    fn from(ListSchedules {}: ListSchedules) -> ScheduleAsk {
        ScheduleAsk::List
    }
}

impl From<CancelSchedule> for ScheduleAsk {
    fn from(CancelSchedule { id }: CancelSchedule) -> ScheduleAsk {
        ScheduleAsk::Cancel { schedule: id }
    }
}

impl From<RunSchedule> for ScheduleAsk {
    fn from(RunSchedule { id }: RunSchedule) -> ScheduleAsk {
        ScheduleAsk::Run { schedule: id }
    }
}
