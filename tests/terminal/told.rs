//! What an agent works on, and what was told of it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::parlour::git;

/// A repository whose `deploy` is a commit behind `main`; where it is, and that commit.
pub fn repository(scratch: &Path) -> (PathBuf, String) {
    let path = scratch.join("greeter");
    fs::create_dir(&path).unwrap();
    git(&path, &["init", "-q", "-b", "main"]);
    fs::write(path.join("README.md"), "# greeter\n").unwrap();
    fs::write(path.join("AGENTS.md"), "Greet in plain English.\n").unwrap();
    git(&path, &["add", "."]);
    git(&path, &["commit", "-q", "-m", "Greet"]);
    git(&path, &["branch", "deploy"]);
    git(&path, &["commit", "-q", "--allow-empty", "-m", "Go on"]);
    let deployed = git(&path, &["rev-parse", "deploy"]);
    (path, deployed)
}

pub fn of_kind<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["kind"] == kind).collect()
}

/// The statuses one after the other, without what changes within one.
pub fn statuses(events: &[Value]) -> Vec<&str> {
    let mut words: Vec<&str> = of_kind(events, "status")
        .iter()
        .map(|e| e["status"].as_str().unwrap())
        .collect();
    words.dedup();
    // A CLI may take longer to start on a machine that is busy than parlour calls a start.
    if words.first() == Some(&"unknown") {
        words.remove(0);
    }
    words
}

/// How each tool ended, by name.
pub fn endings(events: &[Value]) -> Vec<(&str, &str)> {
    let started = of_kind(events, "tool.start");
    let ended = of_kind(events, "tool.end");
    let of = |start: &Value| {
        ended
            .iter()
            .find(|end| end["id"] == start["id"])
            .map_or("open", |end| end["status"].as_str().unwrap())
    };
    started
        .iter()
        .map(|start| (start["name"].as_str().unwrap(), of(start)))
        .collect()
}

/// Each status on the way was told, in this order. Between two signals of the same moment one may be told twice.
pub fn passes_through(seen: &[&str], expected: &[&str]) -> bool {
    let mut seen = seen.iter();
    expected.iter().all(|status| seen.any(|told| told == status))
}
