//! The agent CLIs: which are installed, in which version, and whether they trust parlour's chats.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::thread;

use super::report::Report;
use crate::agents::{self, Adapter, Trust};
use crate::cli::asking::environment;
use crate::model::{Installed, Settings};

/// What the adapter of Claude Code was measured with.
const CLAUDE: &str = "2.1.";

const MISBEHAVES: &str = "if it misbehaves, `parlour explain CHAT` shows what is heard of it";

pub fn check(home: &Path, settings: &Settings, report: &mut Report) {
    let env = environment();
    let path = env.get("PATH").map_or("", String::as_str);
    let adapters = agents::all(settings);
    for (adapter, installed) in adapters.iter().zip(detect(&adapters, path.as_ref())) {
        match installed {
            Some(installed) => {
                version(&installed, report);
                trust(adapter.as_ref(), home, &env, settings, report);
            }
            None => missing(adapter.as_ref(), home, settings, report),
        }
    }
}

/// Each may run its CLI for its version, which takes long enough to do it for all at once.
fn detect(adapters: &[Box<dyn Adapter>], path: &OsStr) -> Vec<Option<Installed>> {
    thread::scope(|scope| {
        let started: Vec<_> = adapters
            .iter()
            .map(|adapter| scope.spawn(move || adapter.detect(path)))
            .collect();
        started
            .into_iter()
            .map(|looking| looking.join().ok().flatten())
            .collect()
    })
}

fn missing(adapter: &dyn Adapter, home: &Path, settings: &Settings, report: &mut Report) {
    let title = adapter.title();
    match settings.custom_llms.contains_key(adapter.name()) {
        true => {
            let hint = format!("correct customLlms.{}.command", adapter.name());
            report.problem(
                format!("the command of {title} is not on your PATH"),
                &home.join("config.json"),
                hint,
            );
        }
        false => {
            let hint = "install it to use it; `demo` and `shell` are built in";
            report.remark(format!("{title} is not on your PATH"), Path::new(""), hint);
        }
    }
}

fn version(installed: &Installed, report: &mut Report) {
    let (title, place) = (&installed.title, &installed.program);
    if !installed.remark.is_empty() {
        report.remark(format!("{title}: {}", installed.remark), place, "");
    }
    let version = installed.version.as_deref().unwrap_or("of unknown version");
    if installed.llm == "claude" && !version.starts_with(CLAUDE) {
        let what = format!("{title} {version} was not tested with this parlour, {CLAUDE}x was");
        report.remark(what, place, MISBEHAVES);
    } else if installed.llm != "demo" && installed.version.is_some() && !installed.remark.is_empty() {
        report.remark(format!("{title} {version}: {}", installed.remark), place, MISBEHAVES);
    }
    if installed.llm == "opencode" && !installed.remark.is_empty() {
        let what = format!("{title} {version}: {}", installed.remark);
        report.remark(
            what,
            place,
            "if it misbehaves, `parlour explain CHAT` shows what is heard of it",
        );
    }
}

/// Consent is left out of what the adapter sees: with it, it would write.
fn trust(adapter: &dyn Adapter, home: &Path, env: &BTreeMap<String, String>, settings: &Settings, report: &mut Report) {
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
