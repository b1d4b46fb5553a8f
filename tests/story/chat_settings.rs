//! What is set for a chat: changed from a shell, and on the screen where it is shown.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

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
    assert!(told.contains("\nits model is now opus\n"), "{told}");
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
fn a_shell_says_what_it_did_with_a_chat() {
    let parlour = Parlour::new();
    chat(&parlour);
    let told = |words: &[&str]| {
        let said = parlour.say(words);
        said.lines().skip(1).map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(told(&["pin", "look"]), "pinned: it stands above all others in the list");
    assert_eq!(told(&["pin", "look", "--undo"]), "pinned no more");
    assert_eq!(told(&["archive", "look"]), "archived: `parlour list --all` shows it");
    assert_eq!(told(&["archive", "look", "--undo"]), "in the list again");
    assert_eq!(
        told(&["set", "look", "--unasked", "clones", "--mode", "grove=ro"]),
        "what it does unasked is now clones\ngrove is now ro"
    );
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
}
