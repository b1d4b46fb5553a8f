//! The engine: whether one runs, whether it answers, and its port.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::report::DoctorReport;
use crate::cli::requests::{QuestionOutcome, listen};
use crate::client::StartEngine;
use crate::config::port_of;
use crate::model::request::EngineRequest;
use crate::model::{Problem, Request, Settings};
use crate::sys::lock::is_held;
use crate::wire::address;

/// A live engine answers in milliseconds; a doctor need not wait as long as a verb does.
const PATIENCE: Duration = Duration::from_secs(3);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineRunning {
    Yes,
    No,
}

pub fn check(home: &Path, settings: &Settings, report: &mut DoctorReport) -> EngineRunning {
    if !anyone_listens(home, report) {
        return match locked(home) {
            true => {
                let hint = "wait a moment: it may be starting or ending; else `parlour kill-engine`";
                report.problem(
                    "an engine holds this home and does not listen",
                    &address::lock_path(home),
                    hint,
                );
                EngineRunning::Yes
            }
            false => {
                port(home, settings, report);
                EngineRunning::No
            }
        };
    }
    let (_, heard) = listen(home, Request::Engine(EngineRequest::Status), StartEngine::Never);
    match heard.recv_timeout(PATIENCE) {
        Ok(QuestionOutcome::Answer(Ok(status))) => moved(home, settings, &status, report),
        Ok(QuestionOutcome::Answer(Err(error))) => match error.downcast_ref::<Problem>() {
            Some(problem) => report.problem(&problem.cause, home, &problem.hint),
            None => report.problem(error.to_string(), home, ""),
        },
        Ok(QuestionOutcome::Line(_) | QuestionOutcome::Unread | QuestionOutcome::Interrupted) | Err(_) => {
            let what = format!("the engine has not answered for {} seconds", PATIENCE.as_secs());
            report.problem(what, home, "end it with `parlour kill-engine`; your chats are on disk");
        }
    }
    EngineRunning::Yes
}

fn anyone_listens(home: &Path, report: &mut DoctorReport) -> bool {
    match address::socket_path(home).and_then(UnixStream::connect) {
        Ok(_) => true,
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            report.problem(
                error.to_string(),
                &home.join("run"),
                "others could take the engine's place there",
            );
            false
        }
        Err(_) => false,
    }
}

/// The lock is let go of at once. Where it was never made there is nothing to hold, and it is not made here.
fn locked(home: &Path) -> bool {
    is_held(home, &address::lock_path(home))
}

fn wanted(home: &Path, settings: &Settings) -> u16 {
    settings.mcp.port.unwrap_or_else(|| port_of(home))
}

/// Whether the port is there for the next engine.
fn port(home: &Path, settings: &Settings, report: &mut DoctorReport) {
    let port = wanted(home, settings);
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_err_and(|error| error.kind() == ErrorKind::AddrInUse);
    let what = format!("another program uses port {port}");
    match (taken, settings.mcp.port) {
        (false, _) => {}
        (true, Some(_)) => report.problem(what, &home.join("config.json"), "choose another mcp.port"),
        (true, None) => report.remark(what, home, "the engine will take the next free one"),
    }
}

fn moved(home: &Path, settings: &Settings, status: &Value, report: &mut DoctorReport) {
    let wanted = wanted(home, settings);
    let has = status["mcp"]["port"].as_u64().unwrap_or_default();
    if has != u64::from(wanted) && has != 0 {
        let what = format!("agents call port {has}, since {wanted} was taken");
        report.remark(
            what,
            home,
            "it returns to its own port when the engine is started and that is free",
        );
    }
}
