//! Reads the sources and holds them against the map of rooms: who may know whom, how long a file may be, and that
//! each file says what it is.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A room and the rooms of ours that it may import. What is not listed may be imported by nobody but `main`.
const MAY_IMPORT: [(&str, &[&str]); 19] = [
    ("model", &[]),
    ("term", &[]),
    ("wire", &[]),
    ("sys", &[]),
    ("fs", &["sys"]),
    ("git", &["model", "fs", "sys"]),
    ("pty", &["model", "fs", "sys", "term"]),
    ("store", &["model", "fs", "sys"]),
    ("mcp", &["model", "fs", "sys"]),
    ("agents", &["model", "permission", "fs", "sys", "term"]),
    ("config", &["model", "permission", "fs", "sys", "term"]),
    ("permission", &["model"]),
    ("domain", &["model", "permission", "term"]),
    ("screen", &["domain", "model", "permission", "term"]),
    ("app", &["domain", "screen", "model"]),
    ("ui", &["config", "domain", "model", "permission", "screen", "term"]),
    (
        "engine",
        &[
            "agents",
            "app",
            "config",
            "domain",
            "fs",
            "git",
            "mcp",
            "model",
            "permission",
            "pty",
            "screen",
            "store",
            "sys",
            "term",
            "ui",
            "wire",
        ],
    ),
    ("client", &["wire", "sys"]),
    (
        "cli",
        &[
            "agents",
            "client",
            "config",
            "domain",
            "engine",
            "fs",
            "git",
            "model",
            "permission",
            "screen",
            "store",
            "sys",
            "wire",
        ],
    ),
];

/// Rooms without IO, async or a clock.
const PURE: [&str; 7] = ["model", "permission", "domain", "screen", "app", "ui", "term"];
const IMPURE: [&str; 8] = [
    "std::fs",
    "std::net",
    "std::process",
    "tokio",
    "Instant::now",
    "SystemTime::now",
    "Utc::now",
    "std::thread",
];

const WALL: usize = 500;

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("the sources can be read").flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|e| e == "rs") => found.push(path),
            false => {}
        }
    }
}

/// Each source file of the program: its path under `src`, its room, its text.
fn files() -> Vec<(String, String, String)> {
    files_in("src")
}

fn files_in(folder: &str) -> Vec<(String, String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found = Vec::new();
    sources(&root, &mut found);
    found.sort();
    let read = |path: PathBuf| {
        let name = path
            .strip_prefix(&root)
            .expect("it lies under its root")
            .to_string_lossy()
            .into_owned();
        let room = name.split(['/', '.']).next().unwrap_or_default().to_string();
        (name, room, fs::read_to_string(&path).expect("a source file is text"))
    };
    found.into_iter().map(read).collect()
}

fn is_test(name: &str) -> bool {
    name.ends_with("tests.rs") || name.contains("/tests/")
}

fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

/// The rooms that a text names by `crate::room` or `parlour::room`.
fn imports(text: &str) -> BTreeSet<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut rooms = BTreeSet::new();
    for line in code {
        for (at, _) in line.match_indices("crate::") {
            let rest = &line[at + "crate::".len()..];
            let end = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(rest.len());
            rooms.insert(&rest[..end]);
        }
    }
    rooms
}

#[test]
fn rooms_know_only_whom_they_may() {
    let mut broken = Vec::new();
    for (name, room, text) in files() {
        if is_test(&name) || room == "lib" || room == "main" {
            continue;
        }
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(known, _)| *known == room) else {
            broken.push(format!("{name}: the room {room} is not on the map"));
            continue;
        };
        for import in imports(without_tests(&text)) {
            let is_room = MAY_IMPORT.iter().any(|(known, _)| *known == import);
            if is_room && import != room && !allowed.contains(&import) {
                broken.push(format!("{name}: {room} may not know {import}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_pure_rooms_touch_nothing() {
    let mut broken = Vec::new();
    for (name, room, text) in files() {
        if is_test(&name) || !PURE.contains(&room.as_str()) {
            continue;
        }
        let code = without_tests(&text);
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in lines {
            if let Some(what) = IMPURE.iter().find(|what| line.contains(*what)) {
                broken.push(format!("{name}: {what} in {}", line.trim()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_file_has_a_head_and_ends_before_the_wall() {
    let mut broken = Vec::new();
    for (name, _, text) in ["src", "tests", "benches"].into_iter().flat_map(files_in) {
        let lines = text.lines().count();
        if lines > WALL {
            broken.push(format!("{name}: {lines} lines"));
        }
        if !text.starts_with("//!") {
            broken.push(format!("{name}: no //! head"));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
