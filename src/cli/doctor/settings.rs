//! `config.json` and the themes: whether they can be read as they stand.

use std::path::Path;

use super::report::DoctorReport;
use crate::config::{self, BrokenFile};
use crate::fs::{Dir, DirEntryKind, SafeName};
use crate::model::built_in::{self, is_built_in};
use crate::model::settings::Confinement;
use crate::model::{PermissionProfile, Settings, tool};
use crate::screen::keymap::Keymap;

/// The settings as they are, or the defaults where they cannot be read.
pub fn check(home: &Dir, report: &mut DoctorReport) -> Settings {
    let place = home.path().join("config.json");
    let settings = match config::load(&place) {
        Ok(loaded) => {
            for unknown in loaded.unknown {
                report.remark(unknown.to_string(), &place, "it is kept, and does nothing");
            }
            for stray in loaded.misfits {
                report.problem(stray.to_string(), &place, "correct it, or remove it");
            }
            default_llm(&loaded.settings, &place, report);
            keys(&loaded.settings, &place, report);
            profile(&loaded.settings, &place, report);
            tools(&loaded.settings, &place, report);
            loaded.settings
        }
        Err(broken) => {
            let meanwhile = "an engine that runs keeps what it read last; one that starts has agents ask about every call, \
                             in the sandbox";
            tell(&broken, &place, &format!("; {meanwhile}"), report);
            Settings::default()
        }
    };
    themes(home, settings.theme.as_deref(), report);
    templates(home, &settings, report);
    settings
}

fn default_llm(settings: &Settings, place: &Path, report: &mut DoctorReport) {
    let Some(llm) = settings.default_llm.as_deref() else {
        return;
    };
    if !is_built_in(llm) && !settings.custom_llms.contains_key(llm) {
        let what = format!("config.json: defaultLlm: there is no agent called {llm}");
        let names = built_in::names().join(", ");
        report.problem(what, place, format!("name one of {names}, or one of customLlms"));
    }
}

/// New chats could not be made.
fn profile(settings: &Settings, place: &Path, report: &mut DoctorReport) {
    let is_all = settings.permissions.profile == Some(PermissionProfile::All);
    if is_all && settings.sandbox != Confinement::Strict {
        let what = "config.json: permissions.profile: `all` needs the sandbox, which is off";
        report.problem(what, place, "set \"sandbox\": \"strict\", or take the profile `clones`");
    }
}

/// Agents may call no other tool.
fn tools(settings: &Settings, place: &Path, report: &mut DoctorReport) {
    let named = settings.mcp.tools.iter().flatten();
    for why in named.filter_map(|name| tool::unknown(name)) {
        let hint = "correct mcp.tools, or remove the name";
        report.remark(format!("config.json: mcp.tools: {why}"), place, hint);
    }
}

fn keys(settings: &Settings, place: &Path, report: &mut DoctorReport) {
    let keymap = Keymap::of(settings);
    for complaint in keymap.complaints {
        report.problem(format!("config.json: {complaint}"), place, "correct it, or remove it");
    }
    for remark in keymap.remarks {
        report.remark(
            format!("config.json: {remark}"),
            place,
            "give one of them another key, should you miss it",
        );
    }
}

fn themes(home: &Dir, set: Option<&str>, report: &mut DoctorReport) {
    let files = home.entries("themes").unwrap_or_default();
    let mut names: Vec<String> = files
        .iter()
        .filter_map(|file| Some(file.name.to_str()?.strip_suffix(".toml")?.to_owned()))
        .collect();
    names.extend(set.map(str::to_owned));
    names.sort();
    names.dedup();
    for name in &names {
        if let Err(broken) = config::load_theme(home, name) {
            let file = format!("{name}.toml");
            if !files.iter().any(|found| found.name == *file) {
                let what = format!("config.json: theme: there is no theme called {name}");
                let hint = "`parlour theme list` shows all themes that there are";
                report.problem(what, &home.path().join("config.json"), hint);
                continue;
            }
            let place = home.path().join("themes").join(&broken.path);
            tell(&broken, &place, "", report);
        }
    }
}

/// A file that cannot be read keeps all of its CLI's from new chats.
fn templates(home: &Dir, settings: &Settings, report: &mut DoctorReport) {
    let entries = home.entries("llm-defaults").unwrap_or_default();
    for folder in entries.iter().filter(|entry| entry.kind != DirEntryKind::File) {
        let name = folder.name.to_str().and_then(|name| SafeName::parse(name).ok());
        if let Some(name) = &name {
            without_effect(home, name, settings, report);
            for (file, why) in config::broken_defaults(name, home).unwrap_or_default() {
                let what = format!("{} cannot be read: {why}", file.display());
                report.problem(
                    what,
                    &home.path().join(&file),
                    "correct it; until then new chats go without it",
                );
            }
        }
        let read = name.map(|name| config::templates(&name, home));
        if let Some(Err(error)) = read {
            let place = home.path().join("llm-defaults").join(&folder.name);
            report.problem(
                error.to_string(),
                &place,
                "new chats go without these files until it is mended",
            );
        }
    }
}

fn without_effect(home: &Dir, name: &SafeName, settings: &Settings, report: &mut DoctorReport) {
    let place = home.path().join("llm-defaults").join(name);
    if !is_built_in(name.as_str()) && !settings.custom_llms.contains_key(name.as_str()) {
        let what = format!("llm-defaults/{name} has no effect: there is no agent of that name");
        let hint = format!(
            "name it as one of {}, or as one of customLlms",
            built_in::names().join(", ")
        );
        report.remark(what, &place, hint);
    }
    for (file, why) in config::idle(name, home) {
        let what = format!("{} has no effect: no agent reads it there", file.display());
        report.remark(what, &home.path().join(&file), why);
    }
}

fn tell(broken: &BrokenFile, place: &Path, meanwhile: &str, report: &mut DoctorReport) {
    let hint = match broken.at {
        Some((line, column)) => format!("correct line {line}, column {column}{meanwhile}"),
        None => format!("correct the file{meanwhile}"),
    };
    report.problem(broken.to_string(), place, hint);
}
