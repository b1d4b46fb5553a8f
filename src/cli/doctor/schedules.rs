//! The schedules: whether each can be read, and whether a wrong clock holds it.

use std::path::Path;

use chrono::Utc;

use super::report::DoctorReport;
use crate::fs::Dir;
use crate::model::{Schedule, ScheduleId, Timestamp};

/// As the engine reads them.
const LARGEST: u64 = 4 << 20;

pub fn check(home: &Dir, report: &mut DoctorReport) {
    let folder = Path::new("schedules");
    let entries = match home.entries(folder) {
        Ok(entries) => entries,
        Err(error) if error.is_missing() => return,
        Err(error) => {
            let hint = "make it a directory that you can open";
            return report.problem(error.to_string(), &home.path().join(folder), hint);
        }
    };
    for entry in entries {
        let name = entry.name.to_str().and_then(|name| name.strip_suffix(".json"));
        let Some(id) = name.and_then(ScheduleId::parse) else {
            continue;
        };
        let place = folder.join(&entry.name);
        let read = match home.read(&place, LARGEST) {
            Ok(Some(bytes)) => Schedule::parse(&id, &bytes),
            Ok(None) => continue,
            Err(error) => Err(error.to_string()),
        };
        let schedule = match read {
            Ok(schedule) => schedule,
            Err(why) => {
                let hint = format!("it never runs until this is put right; `parlour schedule cancel {id}` ends it");
                let what = format!("the schedule {id} cannot be read: {why}");
                report.problem(what, &home.path().join(place), hint);
                continue;
            }
        };
        if schedule.is_ahead(Timestamp(Utc::now().timestamp_millis())) {
            let what = format!("the schedule {id} does not run: {}", schedule.told_ahead());
            report.problem(
                what,
                &home.path().join(place),
                "the clock may have been wrong for a while",
            );
        }
    }
}
