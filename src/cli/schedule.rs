//! `parlour schedule`: chats that are started at set times.

mod args;
mod preview;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

pub use args::{Add, Preview, ScheduleArgs, ScheduleName, ScheduleVerb};

use super::environment::{environment, here};
use super::output::{OutputForm, OutputLook, OutputTone, show, text};
use super::requests::ask;
use super::table::{TableCell, cell, table};
use super::{person_only, single_word};
use crate::config;
use crate::model::Request;
use crate::model::open_dir::OpenDir;
use crate::model::request::ScheduleAsk;
use crate::model::schedule::Wanted;
use crate::model::text::visible;

pub fn run(home: &Path, form: OutputForm, schedule: ScheduleArgs) -> anyhow::Result<()> {
    match schedule.verb {
        ScheduleVerb::Add(add) => {
            let made = control(home, "making a schedule", ScheduleAsk::Add(Box::new(wanted(*add)?)))?;
            show(form, &made, |_| one(&made))
        }
        ScheduleVerb::List => {
            let answer = put(home, ScheduleAsk::List)?;
            show(form, &answer, |look| list(&answer, look))
        }
        ScheduleVerb::Show(ScheduleName { schedule }) => {
            let answer = put(home, ScheduleAsk::Show { schedule })?;
            show(form, &answer, |look| whole(&answer, look))
        }
        ScheduleVerb::Pause(ScheduleName { schedule }) => {
            let answer = control(home, "pausing a schedule", ScheduleAsk::Pause { schedule })?;
            show(form, &answer, |_| one(&answer))
        }
        ScheduleVerb::Resume(ScheduleName { schedule }) => {
            let answer = control(home, "resuming a schedule", ScheduleAsk::Resume { schedule })?;
            show(form, &answer, |_| one(&answer))
        }
        ScheduleVerb::Run(ScheduleName { schedule }) => {
            let answer = control(home, "running a schedule", ScheduleAsk::Run { schedule })?;
            show(form, &answer, |_| {
                let open = single_word::opening(text(&answer, "chat"));
                format!("it runs now; `{open}` opens it\n")
            })
        }
        ScheduleVerb::Cancel(ScheduleName { schedule }) => {
            let answer = control(home, "cancelling a schedule", ScheduleAsk::Cancel { schedule })?;
            show(form, &answer, |_| {
                "it is cancelled; the chats of its runs stay\n".into()
            })
        }
        ScheduleVerb::Preview(asked) => preview::run(home, form, asked),
    }
}

/// What starts or ends something is a person's to say.
fn control(home: &Path, doing: &str, asked: ScheduleAsk) -> anyhow::Result<Value> {
    person_only::under_an_agent(doing)?;
    put(home, asked)
}

fn put(home: &Path, asked: ScheduleAsk) -> anyhow::Result<Value> {
    let env = match asked {
        ScheduleAsk::Run { .. } => environment(),
        ScheduleAsk::Add(_)
        | ScheduleAsk::List
        | ScheduleAsk::Show { .. }
        | ScheduleAsk::Pause { .. }
        | ScheduleAsk::Resume { .. }
        | ScheduleAsk::Cancel { .. } => BTreeMap::new(),
    };
    let request = Request::Schedule {
        ask: asked,
        env,
        sender: person_only::chat_above(),
    };
    ask(home, request)
}

fn wanted(add: Add) -> anyhow::Result<Wanted> {
    let cwd = here()?;
    let (branch, base) = (add.branch, add.base);
    let project = add.project.map(|dir| OpenDir {
        branch,
        base,
        cwd: Some(cwd),
        ..dir
    });
    Ok(Wanted {
        name: add.name.or(add.named),
        prompt: add.prompt,
        cron: add.cron,
        at: add.at,
        tz: Some(add.tz.unwrap_or_else(|| config::zone().to_string())),
        project,
        llm: add.llm,
        check: add.check,
        timeout_s: add.timeout.map(|limit| limit.as_secs()),
        overlap: add.overlap,
        missed: add.missed,
    })
}

/// `ffk2xw6q2a (Check the dependencies): next 2026-03-30T09:00:00+02:00`
fn one(schedule: &Value) -> String {
    let next = match text(schedule, "state") {
        "active" => format!("next {}", next(schedule)),
        _ => next(schedule),
    };
    let words = format!("{} ({}): {next}", text(schedule, "id"), text(schedule, "name"));
    visible(&words) + "\n"
}

/// When it comes next, or why it does not.
fn next(schedule: &Value) -> String {
    match (
        text(schedule, "state"),
        text(schedule, "held_by"),
        text(schedule, "next_run"),
    ) {
        ("damaged", _, _) => format!("damaged: {}", text(schedule, "damaged")),
        ("held", why, _) => format!("held: {why}"),
        (state @ ("paused" | "over"), _, _) => state.into(),
        (_, _, next) => next.into(),
    }
}

fn list(answer: &Value, look: &OutputLook) -> String {
    let schedules: Vec<&Value> = answer["schedules"].as_array().into_iter().flatten().collect();
    if schedules.is_empty() {
        return "no schedules yet; `parlour schedule add` makes one\n".into();
    }
    let heading = ["ID", "NAME", "WHEN", "NEXT", "LAST"];
    let mut rows: Vec<Vec<TableCell>> = vec![heading.map(|word| cell(OutputTone::Quiet, word)).into()];
    rows.extend(schedules.into_iter().map(|schedule| {
        let last = schedule["runs"].as_array().and_then(|runs| runs.last());
        let result = last.map_or("", |run| text(run, "result"));
        vec![
            cell(OutputTone::Heading, text(schedule, "id")),
            cell(OutputTone::Plain, text(schedule, "name")),
            cell(OutputTone::Plain, &when(schedule)),
            cell(OutputTone::Plain, &next(schedule)),
            cell(tone(result), result),
        ]
    }));
    table(look, &rows)
}

fn when(schedule: &Value) -> String {
    match text(schedule, "cron") {
        "" => text(schedule, "at").to_owned(),
        cron => format!("{cron} {}", text(schedule, "tz")),
    }
}

fn tone(result: &str) -> OutputTone {
    match result {
        "success" => OutputTone::Good,
        "running" | "needs-you" => OutputTone::Waiting,
        "failed" | "timed-out" => OutputTone::Bad,
        _ => OutputTone::Quiet,
    }
}

/// By its handle; one that is in the trash by its id.
fn chat_of(of: &Value) -> &str {
    match text(of, "handle") {
        "" => text(of, "chat"),
        handle => handle,
    }
}

fn whole(schedule: &Value, look: &OutputLook) -> String {
    let facts = [
        ("when", when(schedule)),
        ("next", next(schedule)),
        ("prompt", text(schedule, "prompt").to_owned()),
        ("project", text(schedule, "project").to_owned()),
        ("branch", text(schedule, "branch").to_owned()),
        ("agent", text(schedule, "llm").to_owned()),
        ("check", text(schedule, "check").to_owned()),
        ("limit", format!("{} s", schedule["timeout_s"])),
        ("overlap", text(schedule, "overlap").to_owned()),
        ("missed", text(schedule, "missed").to_owned()),
        ("made by", chat_of(schedule).to_owned()),
    ];
    let facts = facts.iter().filter(|(_, value)| !value.is_empty());
    let facts: Vec<Vec<TableCell>> = facts
        .map(|(name, value)| vec![cell(OutputTone::Quiet, name), cell(OutputTone::Plain, value)])
        .collect();
    let runs = schedule["runs"].as_array().into_iter().flatten();
    let runs: Vec<Vec<TableCell>> = runs
        .map(|run| {
            let result = text(run, "result");
            let times = match run["count"].as_u64() {
                Some(count @ 2..) => format!(" × {count}"),
                _ => String::new(),
            };
            vec![
                cell(OutputTone::Plain, text(run, "at")),
                cell(tone(result), &format!("{result}{times}")),
                cell(OutputTone::Heading, chat_of(run)),
                cell(OutputTone::Quiet, text(run, "why")),
            ]
        })
        .collect();
    let whole = OutputLook { width: None, ..*look };
    format!("{}{}{}", one(schedule), table(&whole, &facts), table(look, &runs))
}
