//! `parlour schedule preview`: what its arguments say, and nothing else; a schedule's file is read where one is named.

use std::path::Path;

use serde_json::json;

use super::super::output::{OutputForm, show};
use super::Preview;
use crate::config;
use crate::model::schedule::{Rule, When, named};
use crate::model::text::visible;
use crate::model::{Cron, Problem, Timestamp, Zone};
use crate::store::Home;

pub fn run(home: &Path, form: OutputForm, asked: Preview) -> anyhow::Result<()> {
    let wrong = |cause: String| {
        Problem::new(
            "looking ahead",
            cause,
            "`parlour schedule preview --help` shows what a rule may be",
        )
    };
    let named = asked.tz.as_deref().map(Zone::parse).transpose().map_err(wrong)?;
    let when = match (&asked.cron, &asked.schedule) {
        (Some(cron), _) => {
            let zone = named.unwrap_or_else(config::zone);
            let rule = Rule::Cron(Box::new(Cron::parse(cron).map_err(wrong)?));
            When { rule, zone }
        }
        (None, Some(name)) => {
            let kept = find(home, name)?;
            When {
                zone: named.unwrap_or(kept.zone),
                ..kept
            }
        }
        (None, None) => return Err(wrong("there is nothing to look ahead for".into()).into()),
    };
    let from = match &asked.from {
        Some(text) => when.zone.read(text).map_err(wrong)?,
        None => Timestamp(chrono::Utc::now().timestamp_millis()),
    };
    // The first moment itself may be one of them.
    let before = Timestamp(from.0.saturating_sub(1));
    let next = |at: &Timestamp| when.next_after(*at);
    let times = std::iter::successors(when.next_after(before), next).take(asked.count);
    let times: Vec<String> = times.map(|at| when.zone.spell(at)).collect();
    show(form, &json!({"times": times}), |_| match times.is_empty() {
        true => "never\n".into(),
        false => times.iter().map(|time| format!("{time}\n")).collect(),
    })
}

const SHOWS_ALL: &str = "`parlour schedule list` shows all of them";

fn find(home: &Path, name: &str) -> anyhow::Result<When> {
    let doing = || format!("looking for schedule {}", visible(name));
    let missing = |cause: &str| Problem::missing(doing(), cause, SHOWS_ALL);
    if !home.join("schedules").is_dir() {
        return Err(missing("there is no such schedule").into());
    }
    let all = Home::open(home)?.schedules()?;
    let known = all.iter().map(|(id, read)| (id, read.as_ref().ok()));
    match &all[named::find(known, name, SHOWS_ALL)?] {
        Ok(schedule) => Ok(schedule.terms.when.clone()),
        Err(why) => Err(missing(&format!("its file cannot be read: {why}")).into()),
    }
}
