//! The home's own files: their owner, who else can open them, and their version.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::report::DoctorReport;
use crate::fs::{Dir, DirEntryKind};
use crate::model::preferences::Preferences;
use crate::store::{FOLDERS, elsewhere};

/// The version of the home that this parlour writes.
const VERSION: u64 = 1;
const SMALL: u64 = 1 << 20;

/// Directories that only parlour writes, whose entries are looked at too. What lies in a chat belongs to its agent.
const OURS: [&str; 2] = ["run", "records"];

/// Directories that a person makes by hand, with the modes that their shell gives: in a closed home nobody else gets to
/// them.
const THEIRS: [&str; 4] = ["llm-defaults", "roles", "skills", "themes"];

pub fn check(home: &Dir, report: &mut DoctorReport) {
    version(home, report);
    preferences(home, report);
    for folder in FOLDERS {
        if let Some(why) = elsewhere(home, folder) {
            let what = format!("{folder} {why}: the parts of the home are directories on its own disk");
            let hint = "move it back, or the whole home: PARLOUR_HOME says where that is";
            report.problem(what, &home.path().join(folder), hint);
        }
    }
    let mut open = Vec::new();
    let mut foreign = Vec::new();
    let us = rustix::process::geteuid().as_raw();
    let mut judge = |place: PathBuf, owner: u32, mode: u32| match owner == us {
        false => foreign.push(place),
        true if mode & 0o077 != 0 => open.push(place),
        true => {}
    };
    let whole = std::fs::metadata(home.path()).ok();
    if let Some(found) = &whole {
        judge(PathBuf::new(), found.uid(), found.mode());
    }
    let closed = whole.is_some_and(|found| found.mode() & 0o077 == 0);
    let theirs = |place: &Path| closed && THEIRS.iter().any(|theirs| place == Path::new(theirs));
    for place in places(home) {
        // What has gone since it was listed is not wrong, and a link has no mode of its own.
        match home.metadata(&place) {
            Ok(Some(found)) if found.kind != DirEntryKind::Link => {
                let mode = if theirs(&place) { 0 } else { found.mode };
                judge(place, found.owner, mode);
            }
            Ok(_) | Err(_) => {}
        }
    }
    let hint = format!("chmod -R go-rwx {}", home.path().display());
    tell(home, report, &open, "others can open it", &hint);
    let hint = format!("sudo chown -R $(id -un) {}", home.path().display());
    tell(home, report, &foreign, "it belongs to someone else", &hint);
}

/// One finding however many there are: they have one cause and one cure.
fn tell(home: &Dir, report: &mut DoctorReport, places: &[PathBuf], what: &str, hint: &str) {
    let Some(first) = places.first() else {
        return;
    };
    // The home itself is the empty path: joined, it would end in a slash.
    let place: PathBuf = home.path().join(first).components().collect();
    let what = match places.len() - 1 {
        0 => what.to_owned(),
        others => format!("{what}, and so it is with {others} more"),
    };
    report.problem(what, &place, hint);
}

/// What lies in the home, and two levels below of what is only ours.
fn places(home: &Dir) -> Vec<PathBuf> {
    let mut places = Vec::new();
    for (name, kind) in entries(home, Path::new(".")) {
        // Files beside ours are a person's: config.json has the modes their editor gives it.
        if kind != DirEntryKind::Dir && name != Path::new("home.json") {
            continue;
        }
        if OURS.iter().any(|ours| name == Path::new(ours)) {
            for (below, kind) in entries(home, &name) {
                let below = name.join(below);
                if kind == DirEntryKind::Dir {
                    places.extend(entries(home, &below).into_iter().map(|(file, _)| below.join(file)));
                }
                places.push(below);
            }
        }
        places.push(name);
    }
    places
}

fn entries(home: &Dir, of: &Path) -> Vec<(PathBuf, DirEntryKind)> {
    let entries = home.entries(of).unwrap_or_default();
    entries
        .into_iter()
        .map(|entry| (entry.name.into(), entry.kind))
        .collect()
}

fn preferences(home: &Dir, report: &mut DoctorReport) {
    let read = match home.read("preferences.json", SMALL) {
        Ok(Some(bytes)) => serde_json::from_slice::<Preferences>(&bytes).map_err(|error| error.to_string()),
        Ok(None) => return,
        Err(error) => Err(error.to_string()),
    };
    if let Err(why) = read {
        let hint = "correct or remove it: until then nobody knows how chats were listed, and which were not seen yet";
        let place = home.path().join("preferences.json");
        report.problem(format!("it cannot be read: {why}"), &place, hint);
    }
}

fn version(home: &Dir, report: &mut DoctorReport) {
    let place = home.path().join("home.json");
    let bytes = match home.read("home.json", SMALL) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return,
        Err(error) => {
            return report.problem(error.to_string(), &place, "make it a file that you can read");
        }
    };
    let version = serde_json::from_slice::<Value>(&bytes)
        .ok()
        .and_then(|value| value.get("v")?.as_u64());
    match version {
        Some(version) if version > VERSION => {
            let what = format!("a newer parlour made this home (version {version}); it is shown and not changed");
            report.problem(what, &place, "update parlour");
        }
        Some(_) => {}
        None => report.problem("it names no version", &place, "it should read {\"v\": 1}"),
    }
}
