//! The first minutes of a person, in a real terminal: without any agent CLI, and with one inside a repository.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::json;

use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// Stands in for an agent CLI: it answers each line.
const AGENT: &str = "#!/bin/sh\nwhile printf '> ' && read -r line; do echo \"I work on $line\"; done\n";

const DETACH: &str = "\x11q";

/// A person who has git, and no agent CLI.
fn bare_machine() -> Parlour {
    let parlour = Parlour::new();
    let bin = parlour.scratch().join("only");
    fs::create_dir(&bin).unwrap();
    for name in ["git", "sh", "cat", "sed"] {
        let found = std::env::split_paths(&std::env::var_os("PATH").unwrap())
            .map(|dir| dir.join(name))
            .find(|path| path.is_file());
        symlink(found.unwrap(), bin.join(name)).unwrap();
    }
    let path = bin.to_string_lossy().into_owned();
    parlour.with([("PATH".into(), path)])
}

fn repository(dir: &Path) {
    fs::create_dir(dir).unwrap();
    git(dir, &["init", "-q", "-b", "main"]);
    fs::write(dir.join("README.md"), "# orchard\n").unwrap();
    git(dir, &["add", "."]);
    git(dir, &["commit", "-q", "-m", "Begin"]);
}

#[test]
fn without_a_cli_the_demo_stands_in_and_the_tour_is_offered_once() {
    let parlour = bare_machine();
    let mut terminal = parlour.attach(&[]);
    terminal.wait_for_text("No agent CLI was found on your PATH.");
    terminal.wait_for_text("npm install -g @anthropic-ai/claude-code");
    terminal.wait_for_text("take the tour");
    terminal.press("t");
    for step in 1..=6 {
        terminal.wait_for_text(&format!("Tour · {step} of 6"));
        terminal.press("\r");
    }
    terminal.wait_for("the tour is over", |screen| !screen.contents().contains("Tour ·"));
    assert!(
        !terminal.contents().contains("take the tour"),
        "{}",
        terminal.contents()
    );
    until("that it was seen is kept", PATIENCE, || {
        let kept = fs::read_to_string(parlour.home().join("preferences.json"));
        kept.is_ok_and(|kept| kept.contains("\"tour_seen\": true"))
    });
    terminal.press(DETACH);
    terminal.wait_for_end();
    parlour.kill_engine();
    let mut terminal = parlour.attach(&[]);
    terminal.wait_for_text("No agent CLI was found on your PATH.");
    assert!(
        !terminal.contents().contains("take the tour"),
        "{}",
        terminal.contents()
    );
    terminal.press("D");
    terminal.wait_for_text("❯ 1. Yes");
    terminal.press(DETACH);
    terminal.wait_for_end();
}

#[test]
fn in_a_repository_the_first_agent_is_at_work_after_two_keys_and_its_prompt() {
    let parlour = bare_machine().with_program("my-agent", AGENT);
    let custom = json!({"customLlms": {"mine": {"command": "my-agent", "ready": "^> $"}}});
    parlour.configure(&custom.to_string());
    let orchard = parlour.scratch().join("orchard");
    repository(&orchard);
    let mut terminal = parlour.attach_in(&orchard, &[], (120, 40));
    terminal.wait_for_text("on orchard, in a clone");
    terminal.wait_for_text("•  mine");
    // The first key: an agent starts on a clone, and the keyboard is in it.
    terminal.press("\r");
    terminal.wait_for("one is in the agent", |screen| screen.contents().contains(" AGENT "));
    terminal.wait_for_text("│>");
    // The second is behind the prompt.
    terminal.press("the hedge\r");
    terminal.wait_for_text("I work on the hedge");
    let chats = parlour.json(&["list"])["chats"].clone();
    assert_eq!(
        (chats[0]["llm"].as_str(), chats.as_array().unwrap().len()),
        (Some("mine"), 1)
    );
    let clone = chats[0]["projects"][0]["path"].as_str().unwrap();
    assert!(Path::new(clone).starts_with(parlour.home()), "{clone}");
    terminal.press(DETACH);
    terminal.wait_for_end();
}

#[test]
fn in_place_the_agent_works_in_the_checkout_itself() {
    let parlour = bare_machine().with_program("my-agent", AGENT);
    let custom = json!({"customLlms": {"mine": {"command": "my-agent", "ready": "^> $"}}});
    parlour.configure(&custom.to_string());
    let orchard = parlour.scratch().join("orchard");
    repository(&orchard);
    let mut terminal = parlour.attach_in(&orchard, &[], (80, 24));
    terminal.wait_for_text("or in your checkout itself");
    terminal.press("i");
    terminal.wait_for("one is in the agent", |screen| screen.contents().contains(" AGENT "));
    let events = parlour.json(&["list"])["chats"].clone();
    let project = &events[0]["projects"][0];
    assert_eq!(
        (project["name"].as_str(), project["mode"].as_str()),
        (Some("orchard"), Some("rw"))
    );
    terminal.press(DETACH);
    terminal.wait_for_end();
}

#[test]
fn a_new_chat_can_have_more_allowed_and_says_so_in_its_header() {
    let parlour = Parlour::new();
    let made = parlour.json(&["new", "Tidy", "--llm", "demo", "--permissions", "clones"]);
    let refused = parlour.refusal(&["new", "Wild", "--llm", "demo", "--permissions", "all"]);
    assert!(refused.contains("\"sandbox\": \"strict\""), "{refused}");
    let id = made["id"].as_str().unwrap();
    let record = fs::read_to_string(parlour.home().join("records").join(id).join("chat.json")).unwrap();
    assert!(record.contains("\"permissions\": \"clones\""), "{record}");
    let mut terminal = parlour.attach(&["--", "tidy"]);
    terminal.wait_for_text("permissions: clones");
    terminal.press(DETACH);
    terminal.wait_for_end();
}
