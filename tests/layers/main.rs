//! Reads the sources and holds them against the map of rooms: who may know whom, how long a file may be, that each file
//! says what it is, that files of a room form no circle, that the domain stands on floors, that no type grows without
//! end, that few type names are defined twice, and that questions change nothing.

use cycles::Imports;
use source::{files, files_in, is_test, without_tests};

mod cycles;
mod documents;
mod floors;
mod names;
mod pokes;
mod queries;
mod sizes;
mod source;

/// A room and the rooms of ours that it may import. What is not listed may be imported by nobody but `main`.
const MAY_IMPORT: [(&str, &[&str]); 20] = [
    ("model", &[]),
    ("term", &[]),
    ("wire", &[]),
    ("sys", &[]),
    ("fs", &["model", "sys"]),
    ("git", &["model", "fs", "sys"]),
    ("pty", &["model", "fs", "sys", "term"]),
    ("store", &["model", "fs", "sys"]),
    ("history", &["model", "permission", "fs", "sys", "store"]),
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
            "history",
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
            "history",
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
        for import in Imports::of(&name, &text).rooms() {
            let is_room = MAY_IMPORT.iter().any(|(known, _)| *known == import);
            if is_room && import != room && !allowed.contains(&import.as_str()) {
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
