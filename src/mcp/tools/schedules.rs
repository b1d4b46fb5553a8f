//! Chats that are started at set times.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::offer::{Offer, Reads, given, offer};
use crate::model::ToolCall;
use crate::model::open_dir::OpenDir;
use crate::model::request::ScheduleAsk;
use crate::model::schedule::Wanted;

pub fn offers() -> Vec<Offer> {
    vec![
        offer::<ScheduleChat, Scheduled>(
            "schedule_chat",
            "Start a fresh chat with this prompt at set times: give cron or at. Each run has a fresh clone of the project.",
            Reads::No,
        ),
        offer::<ListSchedules, Schedules>(
            "list_schedules",
            "Schedules made here, with their last run.",
            Reads::Only,
        ),
        offer::<CancelSchedule, Cancelled>("cancel_schedule", "End a schedule. Chats of its runs stay.", Reads::No),
        offer::<RunSchedule, Started>("run_schedule", "Run a schedule now, beside its times.", Reads::No),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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
    /// Command run in the clone afterwards; exit 0 is success
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
#[serde(deny_unknown_fields)]
struct ListSchedules {}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Schedules {
    schedules: Vec<Schedule>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Schedule {
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
#[serde(deny_unknown_fields)]
struct CancelSchedule {
    id: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Cancelled {
    cancelled: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RunSchedule {
    id: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Started {
    #[serde(rename = "chatId")]
    chat: String,
}

impl From<ScheduleChat> for ToolCall {
    fn from(asked: ScheduleChat) -> ToolCall {
        let project = given(asked.project).map(|path_or_url| OpenDir {
            path_or_url,
            ..OpenDir::default()
        });
        ToolCall::Schedule(ScheduleAsk::Add(Box::new(Wanted {
            name: given(asked.name),
            prompt: asked.prompt,
            cron: given(asked.cron),
            at: given(asked.at),
            tz: given(asked.tz),
            project,
            llm: given(asked.llm),
            check: given(asked.check),
            timeout_s: asked.timeout,
            overlap: None,
            missed: None,
        })))
    }
}

impl From<ListSchedules> for ToolCall {
    fn from(ListSchedules {}: ListSchedules) -> ToolCall {
        ToolCall::Schedule(ScheduleAsk::List)
    }
}

impl From<CancelSchedule> for ToolCall {
    fn from(CancelSchedule { id }: CancelSchedule) -> ToolCall {
        ToolCall::Schedule(ScheduleAsk::Cancel { schedule: id })
    }
}

impl From<RunSchedule> for ToolCall {
    fn from(RunSchedule { id }: RunSchedule) -> ToolCall {
        ToolCall::Schedule(ScheduleAsk::Run { schedule: id })
    }
}
