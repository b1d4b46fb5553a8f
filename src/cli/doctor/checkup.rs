//! The order in which things are looked at.

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use super::leftovers::Fix;
use super::report::DoctorReport;
use super::{agents, engine, layout, leftovers, machine, objects, records, schedules, settings, watches};
use crate::cli::args::Doctor;
use crate::cli::output::{OutputForm, show};
use crate::cli::person_only;
use crate::fs::Dir;

/// A script wants to know whether all is well: what should be put right is a failure, what is worth knowing is not.
pub fn run(home: &Path, form: OutputForm, doctor: &Doctor) -> anyhow::Result<ExitCode> {
    let fix = match doctor.fix {
        true => {
            person_only::under_an_agent("removing what was left behind")?;
            Fix::Leftovers
        }
        false => Fix::Nothing,
    };
    let report = examine(home, fix);
    show(form, &json!(report), |look| report.words(look))?;
    Ok(match report.problems.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

pub(super) fn examine(home: &Path, fix: Fix) -> DoctorReport {
    let mut report = DoctorReport::default();
    let settings = match Dir::open(home) {
        Ok(dir) => {
            layout::check(&dir, &mut report);
            let settings = settings::check(&dir, &mut report);
            let running = engine::check(home, &settings, &mut report);
            leftovers::check(&dir, running, fix, &mut report);
            records::check(&dir, &mut report);
            objects::check_caches(&dir, &mut report);
            schedules::check(&dir, &mut report);
            watches::check(&dir, &mut report);
            settings
        }
        Err(error) => {
            match error.is_missing() {
                true => report.remark("there is no home yet", home, "it is made when parlour is first started"),
                false => report.problem(error.to_string(), home, "make it a directory that you can open"),
            }
            Default::default()
        }
    };
    machine::check(home, &mut report);
    agents::check(home, &settings, &mut report);
    report
}
