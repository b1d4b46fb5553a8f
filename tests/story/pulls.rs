//! What a forge tells of pull requests is seen without asking, and asked for by a key.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// Tells what lies in the person's home for a branch of a remote, and notes that it was asked.
const GH: &str = r##"#!/bin/sh
remote=$(basename "$(git remote get-url origin)" .git)
known="$HOME/$remote-$(git branch --show-current).json"
echo "$1 $2 $remote $3" >> "$HOME/gh.log"
[ -e "$HOME/silent" ] && exec sleep 600
[ -e "$known" ] || { echo "no pull requests found for branch" >&2; exit 1; }
cat "$known"
"##;

/// A checkout whose remote is a bare repository.
fn repository(parlour: &Parlour, name: &str) -> PathBuf {
    let checkout = parlour.scratch().join(name);
    fs::create_dir(&checkout).unwrap();
    fs::write(checkout.join("README.md"), "Read me.\n").unwrap();
    git(&checkout, &["init", "-q", "-b", "main"]);
    git(&checkout, &["add", "-A"]);
    git(&checkout, &["commit", "-q", "-m", "first"]);
    let remote = parlour.scratch().join(format!("{name}.git"));
    let remote = remote.to_str().unwrap();
    git(&checkout, &["clone", "-q", "--bare", ".", remote]);
    git(&checkout, &["remote", "add", "origin", remote]);
    git(&checkout, &["fetch", "-q", "origin"]);
    checkout
}

/// A chat with clones of `grove` and `brook`, both on the branch `fix`.
fn chat(parlour: &Parlour) -> PathBuf {
    let grove = repository(parlour, "grove");
    let brook = repository(parlour, "brook");
    let words = [
        "new",
        "work",
        "--llm",
        "demo",
        "--branch",
        "fix",
        "--dir",
        grove.to_str().unwrap(),
    ];
    parlour.json(&words);
    parlour.json(&["open-dir", "work", brook.to_str().unwrap(), "--branch", "fix"]);
    let known = parlour.wait("work", "idle");
    let path = Path::new(known["projects"][0]["path"].as_str().unwrap());
    path.parent().unwrap().to_path_buf()
}

fn person(parlour: &Parlour) -> PathBuf {
    parlour.scratch().join("home")
}

/// The forge knows a pull request from now on.
fn knows(parlour: &Parlour, place: &str, number: u64, state: &str, checks: &str) {
    let told = format!(
        r#"{{"number": {number}, "url": "https://forge.example/pull/{number}", "title": "Fix", "state": "{state}",
            "isDraft": false, "statusCheckRollup": [{checks}]}}"#
    );
    fs::write(person(parlour).join(format!("{place}.json")), told).unwrap();
}

#[test]
fn pull_requests_of_two_projects_are_shown_and_followed() {
    let parlour = Parlour::new().with_program("gh", GH);
    let projects = chat(&parlour);
    knows(&parlour, "brook-fix", 3, "MERGED", "");
    let mut terminal = parlour.attach(&["--", "work"]);
    terminal.wait_for_text("brook · fix · PR #3 merged");
    knows(
        &parlour,
        "grove-fix",
        7,
        "OPEN",
        r#"{"status": "IN_PROGRESS", "conclusion": ""}"#,
    );
    parlour.say(&["push", "work"]);
    terminal.wait_for_text("grove · fix · PR #7 open, checks running");
    terminal.wait_for_text("#7 ◌ ");

    let failing = r#"{"conclusion": "FAILURE"}, {"conclusion": "SUCCESS"}"#;
    knows(&parlour, "grove-fix", 7, "OPEN", failing);
    terminal.press("\x11d");
    terminal.wait_for_text("keep");
    terminal.press("p");
    terminal.wait_for_text("State of the pull request");
    terminal.press("s");
    terminal.wait_for_text("grove · fix · PR #7 open, checks failing");
    terminal.wait_for_text("#7 ✗ ");

    let listed = parlour.json(&["list"]);
    let shown = &listed["chats"][0]["projects"];
    assert_eq!(
        (
            shown[0]["pr"]["number"].as_u64(),
            shown[0]["pr"]["checks"]["failed"].as_u64()
        ),
        (Some(7), Some(1))
    );
    assert_eq!(shown[1]["pr"]["state"], "merged");

    knows(&parlour, "grove-next", 8, "CLOSED", "");
    git(&projects.join("grove"), &["checkout", "-q", "-b", "next"]);
    terminal.wait_for_text("grove · next · PR #8 closed");
}

#[test]
fn a_forge_that_does_not_answer_holds_up_nothing() {
    let parlour = Parlour::new().with_program("gh", GH);
    fs::write(person(&parlour).join("silent"), "").unwrap();
    chat(&parlour);
    let terminal = parlour.attach(&["--", "work"]);
    let log = person(&parlour).join("gh.log");
    until("the forge is asked", PATIENCE, || log.exists());
    parlour.say(&["checkpoint", "work"]);
    terminal.wait_for_text("○ idle");
    let asked = fs::read_to_string(&log).unwrap();
    assert_eq!(asked.lines().count(), 1, "one question at a time: {asked}");
}

#[test]
fn the_doctor_says_in_a_line_that_there_is_no_gh() {
    let says = |parlour: &Parlour| {
        parlour
            .say(&["doctor"])
            .lines()
            .filter(|line| line.contains("gh is not"))
            .count()
    };
    assert_eq!(says(&Parlour::new().with_program("gh", GH)), 0);
    let parlour = Parlour::new();
    let bin = parlour.scratch().join("bin");
    fs::create_dir(&bin).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let mut found = std::env::split_paths(&path).map(|dir| dir.join("git"));
    symlink(found.find(|git| git.exists()).unwrap(), bin.join("git")).unwrap();
    let parlour = parlour.with([("PATH".into(), bin.display().to_string())]);
    assert_eq!(says(&parlour), 1);
}
