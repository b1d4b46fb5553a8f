//! The words that `parlour schedule` takes. Every comment here is help text.

use std::time::Duration;

use clap::{Args, Subcommand};

use super::super::dir_spec::dir_spec;
use crate::cli::values::{self, seconds};
use crate::model::open_dir::OpenDir;
use crate::model::schedule::{Missed, Overlap};

/// Start chats at set times, each a fresh one with fresh clones
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour schedule add 'Dependencies' -p 'Update what is outdated' --cron '0 9 * * MON-FRI' --project ~/src/grove
  parlour schedule list
  parlour schedule preview --cron '30 2 * * *' --tz Europe/Berlin --from 2026-03-28 --count 3")]
pub struct ScheduleArgs {
    #[command(subcommand)]
    pub verb: ScheduleVerb,
}

#[derive(Debug, Subcommand)]
pub enum ScheduleVerb {
    Add(Box<Add>),
    /// Show all schedules, when each comes next and how its last run went
    #[command(after_help = "Examples:\n  parlour schedule list --json | jq -r '.schedules[].next_run'")]
    List,
    /// Show one schedule and its runs
    #[command(after_help = "Examples:\n  parlour schedule show Dependencies")]
    Show(ScheduleName),
    /// Let its times pass by
    #[command(after_help = "Examples:\n  parlour schedule pause Dependencies")]
    Pause(ScheduleName),
    /// Go on with a paused schedule; what passed by is not made up for
    #[command(after_help = "Examples:\n  parlour schedule resume Dependencies")]
    Resume(ScheduleName),
    /// Run it now, beside its times
    #[command(after_help = "Examples:\n  parlour schedule run Dependencies")]
    Run(ScheduleName),
    /// End a schedule; the chats of its runs stay
    #[command(
        visible_alias = "rm",
        after_help = "Examples:\n  parlour schedule cancel Dependencies"
    )]
    Cancel(ScheduleName),
    Preview(Preview),
}

/// Make a schedule, from a cron rule or one time
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour schedule add 'Dependencies' -p 'Update what is outdated' --cron '0 9 * * MON-FRI' --project ~/src/grove
  parlour schedule add -p 'Summarise what was merged' --cron @daily --tz Europe/Berlin --project grove
  parlour schedule add -p 'Is the release out?' --at 09:00 --check 'test -s answer.md' --timeout 900

A time that a change of the clocks skips comes right after it; one that is shown twice, the first time.
A rule with * or / among its minutes or hours follows the wall clock.")]
#[command(group = clap::ArgGroup::new("when").args(["cron", "at"]).required(true))]
pub struct Add {
    /// What to call it and its chats; from the prompt where there is none
    pub name: Option<String>,
    /// The same
    #[arg(long = "name", value_name = "NAME", conflicts_with = "name", hide = true)]
    pub named: Option<String>,
    /// What the agent is to do each time
    #[arg(short, long, allow_hyphen_values = true)]
    pub prompt: String,
    /// Five fields, minute hour day month weekday, names allowed; or @daily and its like
    #[arg(long, value_name = "RULE", value_parser = values::cron)]
    pub cron: Option<String>,
    /// Once, at this time: the next 09:00, or 2026-03-29T09:00, with an offset or by the zone's clock
    #[arg(long, value_name = "TIME", value_parser = values::time)]
    pub at: Option<String>,
    /// The time zone, like Europe/Berlin; yours where there is none
    #[arg(long, value_name = "ZONE", value_parser = values::zone)]
    pub tz: Option<String>,
    /// What to open again in each run: [LABEL:]PATH_OR_URL[:ro|:rw]
    #[arg(long, visible_alias = "dir", value_name = "PROJECT", value_parser = dir_spec)]
    pub project: Option<OpenDir>,
    /// The branch to work on; made where it does not exist
    #[arg(long, requires = "project")]
    pub branch: Option<String>,
    /// What a new branch begins at; the default branch where there is none
    #[arg(long, requires = "project")]
    pub base: Option<String>,
    /// The agent; the default one where there is none
    #[arg(long)]
    pub llm: Option<String>,
    /// A command whose exit 0 means success, run in the run's clone when the agent is done
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    pub check: Option<String>,
    /// How long a run may take; two hours where it is not said
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    pub timeout: Option<Duration>,
    /// When its last run goes on: leave this time out, wait for the end, or allow both [default: skip]
    #[arg(long, value_enum, hide_possible_values = false)]
    pub overlap: Option<Overlap>,
    /// What was missed while the engine was down: run the latest missed one (24 h at most), or skip it [default: latest]
    #[arg(long, value_enum)]
    pub missed: Option<Missed>,
}

#[derive(Debug, Args)]
pub struct ScheduleName {
    /// Its id, its name, or a beginning of either of at least four letters
    pub schedule: String,
}

/// Print when a schedule or a rule comes next; needs no engine
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour schedule preview Dependencies
  parlour schedule preview --cron '*/30 * * * *' --tz Europe/Berlin --from 2026-10-25T01:00 --count 8
  parlour schedule preview --cron '0 9 * * MON' --json")]
#[command(group = clap::ArgGroup::new("what").args(["schedule", "cron"]).required(true))]
pub struct Preview {
    /// A schedule's id, its name, or a beginning of either of at least four letters
    pub schedule: Option<String>,
    /// A rule of five fields, or @daily and its like
    #[arg(long, value_name = "RULE", value_parser = values::cron)]
    pub cron: Option<String>,
    /// The first time that may be printed; now where there is none
    #[arg(long, value_name = "TIME", value_parser = values::moment)]
    pub from: Option<String>,
    /// The time zone; the schedule's own, or yours
    #[arg(long, value_name = "ZONE", value_parser = values::zone)]
    pub tz: Option<String>,
    /// How many times, up to 10000
    #[arg(short = 'n', long, value_name = "N", default_value_t = 5, value_parser = times, allow_hyphen_values = true)]
    pub count: usize,
}

/// More is a mistake, not a look ahead.
const MOST_TIMES: usize = 10_000;

fn times(text: &str) -> Result<usize, String> {
    let wrong = || format!("it is no number from 1 to {MOST_TIMES}");
    let count = text.parse().ok();
    count.filter(|count| (1..=MOST_TIMES).contains(count)).ok_or_else(wrong)
}
