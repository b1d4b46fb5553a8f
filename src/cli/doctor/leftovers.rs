//! What a crash left behind: half-built things, temporary files, a socket that nobody listens on.

use std::path::{Path, PathBuf};

use super::engine::EngineRunning;
use super::report::DoctorReport;
use crate::fs::{Dir, DirEntryKind};
use crate::sys::lock::EngineLock;
use crate::wire::address;

const STAGING: &str = "staging";
const SOCKET: &str = "run/engine.sock";
/// Directories in which files are replaced, and so may have a new one that never took its place.
const REPLACED_IN: [&str; 5] = [".", "run", "dirs", "schedules", "themes"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fix {
    Nothing,
    Leftovers,
}

/// While an engine runs, none of this is left over: it is at work on it.
pub fn check(home: &Dir, running: EngineRunning, fix: Fix, report: &mut DoctorReport) {
    let left = match running {
        EngineRunning::Yes => return,
        EngineRunning::No => left(home),
    };
    match fix {
        Fix::Nothing => {
            for place in left {
                let path = home.path().join(&place);
                let hint = "`parlour doctor --fix` removes it, and so does the next engine";
                match place == Path::new(SOCKET) {
                    // It takes no room and misleads nobody: who finds it knocks, and is not answered.
                    true => report.remark("the socket of an engine that has ended", &path, hint),
                    false => report.problem("left over from something that was cut off", &path, hint),
                }
            }
        }
        Fix::Leftovers => remove(home, &left, report),
    }
}

fn left(home: &Dir) -> Vec<PathBuf> {
    let entries = |of: &Path| {
        let of = of.to_owned();
        let entries = home.entries(&of).unwrap_or_default();
        entries.into_iter().map(move |entry| (of.join(&entry.name), entry))
    };
    let mut left: Vec<PathBuf> = entries(Path::new(STAGING)).map(|(path, _)| path).collect();
    let records = entries(Path::new("records")).filter(|(_, entry)| entry.kind == DirEntryKind::Dir);
    let replaced_in = REPLACED_IN
        .iter()
        .map(PathBuf::from)
        .chain(records.map(|(path, _)| path));
    for place in replaced_in {
        let unfinished = entries(&place).filter(|(_, entry)| is_temporary(&entry.name.to_string_lossy()));
        left.extend(unfinished.map(|(path, _)| path));
    }
    // Nobody listens, or this would not be asked.
    let socket = PathBuf::from(SOCKET);
    if let Ok(Some(found)) = home.metadata(&socket)
        && matches!(found.kind, DirEntryKind::Other | DirEntryKind::Link)
    {
        left.push(socket);
    }
    left
}

/// As atomic writes call the file that is to take another's place.
fn is_temporary(name: &str) -> bool {
    name.starts_with(".parlour-") && name.ends_with(".tmp")
}

/// Under the engine's lock, so that none starts meanwhile and finds its work removed.
fn remove(home: &Dir, left: &[PathBuf], report: &mut DoctorReport) {
    let lock = match left.is_empty() {
        true => return,
        false => EngineLock::try_acquire(home.path(), &address::lock_path(home.path())),
    };
    match lock {
        Ok(Some(_held)) => {
            for place in left {
                let path = home.path().join(place);
                match home.remove_tree(place) {
                    Ok(()) => report.fixed.push(path.display().to_string()),
                    Err(error) => report.problem(error.to_string(), &path, "remove it yourself"),
                }
            }
        }
        Ok(None) => report.remark(
            "an engine has just started",
            home.path(),
            "it removes what is left over",
        ),
        Err(error) => report.problem(
            error.to_string(),
            &address::lock_path(home.path()),
            "nothing was removed",
        ),
    }
}
