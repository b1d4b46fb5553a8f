//! Old checkpoints are forgotten, and what all of them cost is told.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::parlour::{PATIENCE, Parlour, git, until};

fn numbers(parlour: &Parlour) -> Vec<u64> {
    let listed = parlour.json(&["checkpoints", "work"]);
    let all = listed["checkpoints"].as_array().unwrap().iter();
    all.map(|one| one["number"].as_u64().unwrap()).collect()
}

/// As if all of it had happened so many days earlier.
fn age(list: &Path, days: i64) {
    let lines = fs::read_to_string(list).unwrap();
    let older = |line: &str| {
        let mut one: Value = serde_json::from_str(line).unwrap();
        let at = chrono::DateTime::parse_from_rfc3339(one["at"].as_str().unwrap()).unwrap();
        one["at"] = json!((at - chrono::Duration::days(days)).to_rfc3339());
        format!("{one}\n")
    };
    fs::write(list, lines.lines().map(older).collect::<String>()).unwrap();
}

fn chat(parlour: &Parlour) -> (PathBuf, PathBuf) {
    let grove = parlour.scratch().join("grove");
    fs::create_dir_all(&grove).unwrap();
    fs::write(grove.join("README.md"), "hello\n").unwrap();
    git(&grove, &["init", "-q", "-b", "main"]);
    git(&grove, &["add", "-A"]);
    git(&grove, &["commit", "-q", "-m", "first"]);
    let made = parlour.json(&["new", "work", "--llm", "demo", "--dir", grove.to_str().unwrap()]);
    let id = made["id"].as_str().unwrap();
    (
        parlour.home().join("chats").join(id).join("projects/grove"),
        parlour.home().join("records").join(id).join("checkpoints"),
    )
}

#[test]
fn old_checkpoints_are_forgotten_with_what_only_they_held() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"checkpoints":{"keep":{"days":3,"number":2}}}"#);
    let (clone, store) = chat(&parlour);
    for number in 1..=6 {
        fs::write(clone.join("README.md"), format!("{number}\n").repeat(2000)).unwrap();
        parlour.json(&["checkpoint", "work"]);
    }
    assert_eq!(numbers(&parlour), [1, 2, 3, 4, 5, 6]);
    let cost = |parlour: &Parlour| parlour.json(&["checkpoints", "work"])["bytes"].as_u64().unwrap();
    let before = cost(&parlour);
    let status = parlour.status();
    assert_eq!(status["checkpoints"]["bytes"], before, "{status}");
    assert_eq!(status["checkpoints"]["chats"][0]["handle"], "work");
    assert!(parlour.say(&["checkpoints", "work"]).contains("kB on disk"));
    assert!(parlour.say(&["status"]).contains("on disk: work "));

    parlour.kill_engine();
    age(&store.join("list.jsonl"), 60);
    // The first one, the newest of that day, and the newest two.
    until("what is old is forgotten", PATIENCE, || numbers(&parlour) == [1, 5, 6]);
    until("its room is given back", PATIENCE, || {
        !store.join("grove.git/thinning").exists()
    });
    until("there are no loose objects", PATIENCE, || cost(&parlour) < before);
    git(
        &store.join("grove.git"),
        &["fsck", "--full", "--strict", "--no-dangling"],
    );
    assert!(
        parlour
            .refusal(&["revert", "work", "3"])
            .contains("there is no checkpoint 3")
    );
    parlour.json(&["revert", "work", "5", "--yes"]);
    assert_eq!(fs::read_to_string(clone.join("README.md")).unwrap(), "5\n".repeat(2000));
    parlour.json(&["undo-revert", "work", "--yes"]);
    assert_eq!(fs::read_to_string(clone.join("README.md")).unwrap(), "6\n".repeat(2000));
}
