//! The agent CLIs: which are installed, in which version, and whether they trust parlour's chats.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::thread;

use super::report::DoctorReport;
use crate::agents::{self, Adapter, AgentAbsence, Trust};
use crate::cli::environment::environment;
use crate::model::{AgentFault, Installed, Login, Settings, UnusableAgent, is_built_in};

/// What the adapter of Claude Code was measured with.
const CLAUDE: &str = "2.1.";

const MISBEHAVES: &str = "if it misbehaves, `parlour explain CHAT` shows what is heard of it";

pub fn check(home: &Path, settings: &Settings, report: &mut DoctorReport) {
    let env = environment();
    let path = env.get("PATH").map_or("", String::as_str);
    let adapters = agents::all(settings);
    let mut missing = Vec::new();
    for (adapter, installed) in adapters.iter().zip(detect(&adapters, path.as_ref())) {
        match installed {
            Ok(installed) => {
                version(&installed, adapter.tested(), report);
                login(&installed, adapter.login(&env), report);
                trust(adapter.as_ref(), home, &env, settings, report);
            }
            Err(AgentAbsence::Unusable(agent)) => unusable(&agent, report),
            Err(AgentAbsence::NotFound) if is_built_in(adapter.name()) => missing.push(adapter.title()),
            Err(AgentAbsence::NotFound) => broken(adapter.as_ref(), home, report),
        }
    }
    if !missing.is_empty() {
        let what = format!("not on your PATH: {}", missing.join(", "));
        report.remark(
            what,
            Path::new(""),
            "install one to use it; `demo` and `shell` are built in",
        );
    }
}

/// Each may run its CLI for its version, which takes long enough to do it for all at once.
fn detect(adapters: &[Box<dyn Adapter>], path: &OsStr) -> Vec<Result<Installed, AgentAbsence>> {
    thread::scope(|scope| {
        let started: Vec<_> = adapters
            .iter()
            .map(|adapter| scope.spawn(move || adapter.detect(path)))
            .collect();
        started
            .into_iter()
            .map(|looking| looking.join().unwrap_or(Err(AgentAbsence::NotFound)))
            .collect()
    })
}

/// It is not offered, though a person may have meant it to be.
fn unusable(agent: &UnusableAgent, report: &mut DoctorReport) {
    let what = format!("{}: {}", agent.title, agent.told());
    match agent.why {
        AgentFault::Fails(_) => {
            let hint = "parlour does not offer it; run that yourself to see why, and mend or remove it";
            report.problem(what, &agent.program, hint);
        }
        AgentFault::IsAnother(_) => {
            let hint = "parlour does not offer it; the CLI of that name has to come first on your PATH";
            report.remark(what, &agent.program, hint);
        }
    }
}

fn broken(adapter: &dyn Adapter, home: &Path, report: &mut DoctorReport) {
    let what = format!("the command of {} is not on your PATH", adapter.title());
    let hint = format!("correct customLlms.{}.command", adapter.name());
    report.problem(what, &home.join("config.json"), hint);
}

/// What is there, in which version, and whether that is one that was tested.
fn version(installed: &Installed, tested: &[&str], report: &mut DoctorReport) {
    if ["demo", "shell"].contains(&installed.llm.as_str()) {
        return;
    }
    let version = installed.version.as_deref().unwrap_or_default();
    let what = format!("{} {version}", installed.title);
    let untested = installed.llm == "claude" && !version.is_empty() && !version.starts_with(CLAUDE);
    let untested = untested.then(|| format!("not tested in this version, {CLAUDE}x was"));
    let remark = [untested.unwrap_or_default(), installed.remark.clone()]
        .into_iter()
        .find(|said| !said.is_empty());
    match remark {
        None => {
            let known = match tested {
                [] => String::new(),
                [one] if *one == version => ", the version that parlour is tested with".into(),
                all if all.contains(&version) => ", a version that parlour is tested with".into(),
                all => format!("; parlour is tested with {}", all.join(" and ")),
            };
            let what = format!("{} is installed{known}", what.trim());
            report.remark(what, &installed.program, "");
        }
        Some(remark) => report.remark(format!("{}: {remark}", what.trim()), &installed.program, MISBEHAVES),
    }
}

fn login(installed: &Installed, login: Login, report: &mut DoctorReport) {
    let hint = match login {
        Login::Unknown => return,
        Login::Found => "",
        Login::Missing => "start it once by itself and log in",
    };
    let what = format!("{}: {}", installed.title, login.words());
    report.remark(what, &installed.program, hint);
}

/// Consent is left out of what the adapter sees: with it, it would write.
fn trust(
    adapter: &dyn Adapter,
    home: &Path,
    env: &BTreeMap<String, String>,
    settings: &Settings,
    report: &mut DoctorReport,
) {
    let consent = settings.trust.get(adapter.name()).copied();
    let asked = Settings {
        trust: BTreeMap::new(),
        ..settings.clone()
    };
    let title = adapter.title();
    match (adapter.trust(&home.join("chats"), env, &asked), consent) {
        (Ok(Trust::NotNeeded | Trust::Given), _) => {}
        (Ok(Trust::Wanted(_)), Some(true)) => {
            let what = format!("{title} does not trust parlour's chats yet");
            report.remark(
                what,
                &home.join("chats"),
                "this is noted, as you agreed, when it is started next",
            );
        }
        (Ok(Trust::Wanted(_)), None) => {
            let what = format!("{title} asks in each new chat whether to trust it");
            let hint = format!(
                "parlour can note it once for all: \"trust\": {{\"{}\": true}} in config.json",
                adapter.name()
            );
            report.remark(what, &home.join("chats"), hint);
        }
        (Ok(Trust::Wanted(_)), Some(false)) | (Ok(Trust::Declined), _) => {
            let what = format!("{title} asks in each new chat whether to trust it, as you decided");
            report.remark(what, &home.join("chats"), "");
        }
        (Err(problem), _) => report.problem(problem.cause, &home.join("chats"), problem.hint),
    }
}
