//! What is set for a chat: changed from a shell, and on the screen where it is shown. And the login that its CLI lacks.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// The leader, then the key of the cards.
const CARDS: &str = "\x11c";

/// A chat with a clone of a repository with one file in it; that file.
fn chat(parlour: &Parlour) -> PathBuf {
    let grove = parlour.scratch().join("grove");
    fs::create_dir_all(&grove).unwrap();
    fs::write(grove.join("a.txt"), "a\n").unwrap();
    git(&grove, &["init", "-q", "-b", "main"]);
    git(&grove, &["add", "-A"]);
    git(&grove, &["commit", "-q", "-m", "first"]);
    let made = parlour.json(&["new", "look", "--llm", "demo", "--dir", grove.to_str().unwrap()]);
    parlour.wait("look", "idle");
    PathBuf::from(made["dir"].as_str().unwrap()).join("projects/grove/a.txt")
}

fn may_be_written(file: &Path) -> bool {
    fs::metadata(file).unwrap().permissions().mode() & 0o200 != 0
}

fn listed(parlour: &Parlour) -> serde_json::Value {
    parlour.json(&["list"])["chats"][0].clone()
}

#[test]
fn a_shell_sets_the_model_what_is_unasked_and_where_it_may_write() {
    let parlour = Parlour::new();
    let file = chat(&parlour);
    let told = parlour.say(&["set", "look", "--model", "opus"]);
    assert!(told.contains("`parlour restart look` changes that"), "{told}");
    let set = parlour.json(&["set", "look", "--unasked", "clones", "--mode", "grove=ro"]);
    assert_eq!((&set["model"], &set["unasked"]), (&"opus".into(), &"clones".into()));
    assert!(!may_be_written(&file));
    let set = parlour.json(&["set", "look", "--model", "", "--mode", "grove=rw"]);
    assert_eq!(
        (&set["model"], &set["unasked"]),
        (&serde_json::Value::Null, &"clones".into())
    );
    assert!(may_be_written(&file));

    let refused = parlour.refusal(&["set", "look", "--mode", "nowhere=ro", "--model", "haiku"]);
    assert!(refused.contains("the chat has no directory nowhere"), "{refused}");
    assert_eq!(listed(&parlour)["model"], serde_json::Value::Null, "all or nothing");
    let refused = parlour.refusal(&["set", "look", "--unasked", "all"]);
    assert!(refused.contains("without a sandbox"), "{refused}");
    parlour.say(&["kill-engine"]);
    assert_eq!(listed(&parlour)["unasked"], "clones", "it is kept");
}

#[test]
fn a_person_sets_the_same_where_it_is_shown() {
    let parlour = Parlour::new();
    let file = chat(&parlour);
    let mut terminal = parlour.attach(&["--", "look"]);
    terminal.wait_for_text("○ idle");
    terminal.press(CARDS);
    terminal.wait_for_text("1 Cards");
    terminal.press("5");
    terminal.wait_for_text("as its CLI chooses");
    terminal.press("\r");
    terminal.wait_for_text("Model of this chat");
    terminal.press("opus\r");
    terminal.wait_for_text("set for this chat");
    assert_eq!(listed(&parlour)["model"], "opus");

    // Down to the directory, past what is unasked and the rules.
    terminal.press("jjj\r");
    until("the clone is read only", PATIENCE, || !may_be_written(&file));
    terminal.wait_for_text("read only");
    terminal.press("\r");
    until("it may be written to again", PATIENCE, || may_be_written(&file));
}

/// In place of Claude Code: its login takes a code, and is wrong about any other.
const CLAUDE: &str = "#!/bin/sh
case $1 in
--version) echo '2.1.197 (Claude Code)' ;;
auth) printf 'Paste code here: '; read -r code; [ \"$code\" = right ] ;;
*) exec sleep 600 ;;
esac
";

#[test]
fn an_error_leads_to_the_clis_own_login_in_a_tab() {
    let parlour = Parlour::new().with_program("claude", CLAUDE);
    let made = parlour.json(&["new", "look", "--llm", "claude"]);
    parlour.say(&["stop", "look"]);
    parlour.say(&["kill-engine"]);
    let told = parlour
        .events("look")
        .last()
        .map_or(0, |last| last["seq"].as_u64().unwrap());
    parlour.say(&["kill-engine"]);
    let record = parlour.home().join("records").join(made["id"].as_str().unwrap());
    let line = json!({"v": 1, "seq": told + 1, "ts": "2026-02-15T09:00:00.000Z", "kind": "error", "where": "Claude Code",
        "message": "API error: 401, the token has expired", "hint": "log in", "trouble": {"kind": "login"}});
    let mut events = OpenOptions::new()
        .append(true)
        .open(record.join("events.jsonl"))
        .unwrap();
    writeln!(events, "{line}").unwrap();

    let mut terminal = parlour.attach(&["--", "look"]);
    terminal.wait_for_text("look at its screen");
    terminal.press("\x11t");
    terminal.wait_for_text("the token has expired");
    terminal.press("{\r");
    terminal.wait_for_text("claude auth login");
    terminal.press("l");
    terminal.wait_for_text("Paste code here");
    terminal.wait_for_text(" LOGIN ");
    terminal.press("wrong\r");
    terminal.wait_for_text("✗ Login");
    // What went wrong can be read first; then Enter has it done again.
    terminal.wait_for_text("Enter runs it again");
    terminal.press("\r");
    terminal.wait_for_text("Paste code here");
    terminal.wait_for_text(" LOGIN ");
    terminal.press("right\r");
    terminal.wait_for("the tab is gone", |screen| !screen.contents().contains("Login"));
}
