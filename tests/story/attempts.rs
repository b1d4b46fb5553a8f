//! Chats that try the same are compared, and what is good in one is taken into the other.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::{Value, json};

use super::reviews::repository;
use crate::support::parlour::{Parlour, git};

fn lines(changed: &[(usize, &str)]) -> String {
    let line = |number: usize| match changed.iter().find(|(at, _)| *at == number) {
        Some((_, text)) => format!("{text}\n"),
        None => format!("line {number}\n"),
    };
    (1..=40).map(line).collect()
}

/// Two chats in clones of one repository, and a third in a clone of another.
struct Attempts {
    parlour: Parlour,
    own: PathBuf,
    other: PathBuf,
}

impl Attempts {
    fn new() -> Attempts {
        let parlour = Parlour::new();
        let source = parlour.scratch().join("grove");
        repository(&source);
        fs::write(source.join("lines.txt"), lines(&[])).unwrap();
        fs::write(source.join("old.txt"), lines(&[(1, "of its own")])).unwrap();
        fs::write(source.join("gone.txt"), "gone\n").unwrap();
        git(&source, &["add", "-A"]);
        git(&source, &["commit", "-q", "-m", "lines"]);
        let elsewhere = repository(&parlour.scratch().join("brook"));
        let clone = |name: &str, dir: &str| {
            let made = parlour.json(&["new", name, "--llm", "demo", "--dir", dir]);
            parlour.wait(name, "idle");
            let chat = parlour.home().join("chats").join(made["id"].as_str().unwrap());
            chat.join("projects").join(Path::new(dir).file_name().unwrap())
        };
        let source = source.to_str().unwrap();
        let (own, other) = (clone("own", source), clone("other", source));
        clone("elsewhere", &elsewhere);
        fs::write(own.join("lines.txt"), lines(&[(3, "three")])).unwrap();
        fs::write(other.join("lines.txt"), lines(&[(20, "twenty"), (38, "thirty-eight")])).unwrap();
        fs::write(other.join("new.txt"), "new\n").unwrap();
        git(&other, &["mv", "old.txt", "renamed.txt"]);
        git(&other, &["rm", "-q", "gone.txt"]);
        git(&other, &["commit", "-qam", "another way"]);
        Attempts { parlour, own, other }
    }

    fn take(&self, words: &[&str]) -> Value {
        let take = ["take", "own", "--from", "other", "--project", "grove"];
        self.parlour.json(&[&take[..], words].concat())
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.own.join(path)).unwrap()
    }
}

#[test]
fn attempts_are_listed_with_how_far_they_have_come_and_compared() {
    let attempts = Attempts::new();
    let parlour = &attempts.parlour;
    // On the same repository, and at nothing that could be compared.
    let source = parlour.scratch().join("grove");
    parlour.json(&["new", "untouched", "--llm", "shell", "--dir", source.to_str().unwrap()]);
    parlour.wait("untouched", "idle");
    let listed = parlour.json(&["compare", "own"]);
    let told = |one: &Value| json!([one["handle"], one["amount"]["files"], one["amount"]["added"]]);
    let told: Vec<Value> = listed["attempts"].as_array().unwrap().iter().map(told).collect();
    assert_eq!(told, [json!(["own", 1, 1]), json!(["other", 4, 3])], "{listed}");

    let compared = parlour.json(&["diff", "own", "--with", "other"]);
    let files = compared["changes"][0]["files"].as_array().unwrap();
    let paths: Vec<&str> = files.iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["gone.txt", "lines.txt", "new.txt", "renamed.txt"]);
    let patch = parlour.say(&["diff", "own", "--with", "other"]);
    assert!(patch.contains("-three\n") && patch.contains("+twenty\n"), "{patch}");

    let none = parlour.refusal(&["diff", "own", "--with", "elsewhere"]);
    assert!(none.contains("no project in common"), "{none}");
    let missing = parlour.refusal(&["diff", "own", "--with", "nobody"]);
    assert!(missing.contains("nobody"), "{missing}");

    // Each with the other at once: neither waits for the other for ever.
    thread::scope(|scope| {
        for (one, two) in [("own", "other"), ("other", "own")].repeat(3) {
            scope.spawn(move || parlour.json(&["diff", one, "--with", two, "--stat"]));
        }
    });
}

#[test]
fn a_fork_counts_the_turns_that_it_has_of_its_original() {
    let parlour = Parlour::new();
    let grove = repository(&parlour.scratch().join("grove"));
    parlour.json(&["new", "own", "--llm", "demo", "--dir", &grove, "-p", "noask one"]);
    parlour.wait("own", "idle");
    parlour.json(&["send", "own", "noask two", "--wait"]);
    parlour.wait("own", "idle");
    parlour.json(&["fork", "own", "--turn", "2", "--name", "other"]);
    parlour.wait("other", "idle");
    let turns = || {
        let listed = parlour.json(&["compare", "own"]);
        let told = |one: &Value| json!([one["handle"], one["turns"]]);
        listed["attempts"]
            .as_array()
            .unwrap()
            .iter()
            .map(told)
            .collect::<Vec<_>>()
    };
    assert_eq!(turns(), [json!(["own", 2]), json!(["other", 1])]);
    parlour.json(&["send", "other", "noask three", "--wait"]);
    parlour.wait("other", "idle");
    assert_eq!(turns(), [json!(["own", 2]), json!(["other", 2])]);
}

#[test]
fn hunks_and_files_are_taken_and_a_revert_brings_back_what_was_there() {
    let attempts = Attempts::new();
    let before = git(&attempts.other, &["status", "--porcelain"]);
    // Its own change is the first of the three.
    let taken = attempts.take(&["lines.txt", "--hunk", "2"]);
    assert_eq!(attempts.text("lines.txt"), lines(&[(3, "three"), (20, "twenty")]));
    attempts.take(&["new.txt"]);
    attempts.take(&["renamed.txt"]);
    attempts.take(&["gone.txt"]);
    assert_eq!(attempts.text("new.txt"), "new\n");
    assert_eq!(attempts.text("renamed.txt"), lines(&[(1, "of its own")]));
    assert!(!attempts.own.join("old.txt").exists() && !attempts.own.join("gone.txt").exists());
    attempts.take(&["lines.txt", "--hunk", "1"]);
    attempts.take(&["lines.txt"]);
    assert_eq!(
        attempts.text("lines.txt"),
        lines(&[(20, "twenty"), (38, "thirty-eight")])
    );
    assert_eq!(
        git(&attempts.other, &["status", "--porcelain"]),
        before,
        "the other one is only read"
    );

    let parlour = &attempts.parlour;
    let take = ["take", "own", "--from", "other", "--project", "grove", "lines.txt"];
    let same = parlour.refusal(&take);
    assert!(same.contains("it is the same in both chats"), "{same}");
    let none = parlour.refusal(&[&take[..6], &["nope.txt"]].concat());
    assert!(none.contains("there is no file nope.txt"), "{none}");
    let itself = parlour.refusal(&["take", "own", "--from", "own", "--project", "grove", "lines.txt"]);
    assert!(itself.contains("own is the chat itself"), "{itself}");
    let first = taken["saved"].to_string();
    parlour.json(&["revert", "own", &first, "--code", "--yes"]);
    assert_eq!(attempts.text("lines.txt"), lines(&[(3, "three")]));
    assert!(attempts.own.join("old.txt").exists() && !attempts.own.join("new.txt").exists());
    git(&attempts.own, &["fsck", "--strict"]);
}

#[test]
fn an_attempt_is_chosen_and_a_hunk_taken_by_keys() {
    let attempts = Attempts::new();
    let source = attempts.parlour.scratch().join("grove");
    attempts
        .parlour
        .json(&["new", "untouched", "--llm", "shell", "--dir", source.to_str().unwrap()]);
    attempts.parlour.wait("untouched", "idle");
    let mut terminal = attempts.parlour.attach(&["--", "own"]);
    terminal.wait_for_text("○ idle");
    terminal.press("\x11d");
    terminal.wait_for_text("lines.txt");
    terminal.press("=");
    terminal.wait_for_text("4 files");
    assert!(
        !terminal.contents().contains("no changes"),
        "as in `parlour compare`: {}",
        terminal.contents()
    );
    terminal.press("\r");
    terminal.wait_for_text("with other: + is there, − is here");
    terminal.wait_for_text("Space take");
    terminal.press("f");
    terminal.wait_for_text("Files that differ");
    terminal.press("lines\r");
    terminal.wait_for_text("thirty-eight");
    thread::sleep(std::time::Duration::from_secs(1));
    terminal.press("\rgn ");
    terminal.wait_for_text("Taken into grove/lines.txt");
    assert_eq!(attempts.text("lines.txt"), lines(&[(3, "three"), (20, "twenty")]));
}

#[test]
fn chats_without_a_project_have_nothing_to_compare_and_the_verb_says_so() {
    let parlour = Parlour::new();
    parlour.json(&["new", "Work", "--llm", "shell"]);
    let said = parlour.say(&["compare", "work"]);
    assert!(
        said.starts_with("it has opened no project, so there is nothing to compare"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}
