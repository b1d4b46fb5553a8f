//! The conversation of a directory: which chat it is bound to, and what happens where that is gone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// An agent that says nothing and stays.
const RESTS: &str =
    r#"{"customLlms": {"rests": {"command": "/bin/sh", "args": ["-c", "sleep 600"]}}, "defaultLlm": "rests"}"#;

fn place(parlour: &Parlour, name: &str) -> PathBuf {
    let dir = parlour.scratch().join(name);
    fs::create_dir_all(&dir).unwrap();
    dir
}

fn run(parlour: &Parlour, dir: &Path, words: &[&str]) -> Output {
    parlour.command(words).current_dir(dir).output().unwrap()
}

fn json_of(parlour: &Parlour, dir: &Path, words: &[&str]) -> Value {
    let output = run(parlour, dir, words);
    assert!(output.status.success(), "{words:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refused(parlour: &Parlour, dir: &Path, words: &[&str]) -> String {
    let output = run(parlour, dir, words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{words:?}: {said}");
    said
}

#[test]
fn a_directory_has_the_chat_that_was_last_made_continued_or_bound_there() {
    let parlour = Parlour::new();
    parlour.configure(RESTS);
    let (bar, baz) = (place(&parlour, "foo/bar"), place(&parlour, "foo/bar/baz"));
    let link = parlour.scratch().join("link");
    std::os::unix::fs::symlink(&bar, &link).unwrap();
    assert_eq!(json_of(&parlour, &bar, &["chat", "dir"]), json!({}));
    assert!(parlour.engines().is_empty(), "no engine is started to look");

    let first = json_of(&parlour, &bar, &["new", "First", "--json"]);
    let told = json_of(&parlour, &link, &["chat", "dir"]);
    assert_eq!((&told["chat_id"], &told["handle"]), (&first["id"], &json!("first")));
    assert_eq!(
        (&told["llm"], &told["profile"], &told["messages"]),
        (&json!("rests"), &Value::Null, &json!(0))
    );
    assert_eq!(told["conversation_created"], first["created"]);
    assert!(told["updated"].is_string(), "{told}");
    assert_eq!(
        json_of(&parlour, &baz, &["chat", "dir"]),
        json!({}),
        "what lies within is another directory"
    );

    let second = json_of(&parlour, &baz, &["chat", "new", "Second", "-r", "reviewer", "--json"]);
    let told = json_of(&parlour, &baz, &["chat", "dir", "--json"]);
    assert_eq!(
        (&told["chat_id"], &told["profile"]),
        (&second["id"], &json!("reviewer"))
    );
    let bound = |dir: &Path| json_of(&parlour, dir, &["chat", "dir"])["handle"].clone();
    assert_eq!((bound(&bar), bound(&baz)), (json!("first"), json!("second")));

    let continued = json_of(&parlour, &baz, &["chat", "continue", "first", "--json"]);
    assert_eq!((bound(&baz), &continued["id"]), (json!("first"), &first["id"]));
    json_of(&parlour, &bar, &["chat", "bind", "second", "--json"]);
    assert_eq!((bound(&bar), bound(&baz)), (json!("second"), json!("first")));

    let list = json_of(&parlour, &bar, &["chat", "list", "--json"]);
    let chats = list["chats"].as_array().unwrap().iter();
    let marked: Vec<&Value> = chats.filter(|chat| chat["bound"] == true).collect();
    assert_eq!(marked.len(), 1);
    assert_eq!(marked[0]["handle"], "second");

    json_of(&parlour, &bar, &["chat", "unbind", "--json"]);
    assert_eq!(json_of(&parlour, &bar, &["chat", "dir"]), json!({}));
    assert!(refused(&parlour, &bar, &["chat", "bind", "none-such"]).contains("no such chat"));
}

#[test]
fn plain_parlour_opens_the_chat_of_the_directory_and_says_that_it_is_gone() {
    let parlour = Parlour::new();
    parlour.configure(RESTS);
    parlour.json(&["new", "Mine"]);
    let screen = parlour.attach_in(parlour.scratch(), &[], (120, 40));
    screen.wait_for_text("Mine");
    drop(screen);
    parlour.json(&["rm", "mine", "--yes"]);
    let here = parlour.scratch();
    let said = refused(&parlour, here, &["chat", "dir"]);
    assert!(
        said.contains("it was deleted") && said.contains("parlour undo-rm"),
        "{said}"
    );
    let screen = parlour.attach_in(here, &[], (120, 40));
    screen.wait_for_text("The chat of this directory was deleted.");
    drop(screen);
    parlour.json(&["trash", "purge", "--yes"]);
    until("it is gone", PATIENCE, || {
        refused(&parlour, here, &["chat", "dir"]).contains("the chat that it is bound to is gone")
    });
    assert!(refused(&parlour, here, &["chat", "dir"]).contains("parlour chat unbind"));
    json_of(&parlour, here, &["chat", "unbind", "--json"]);
    assert_eq!(json_of(&parlour, here, &["chat", "dir"]), json!({}));
}

#[test]
fn the_orchestrator_stays_when_another_conversation_begins_in_its_repository() {
    let parlour = Parlour::new();
    parlour.configure(RESTS);
    let root = place(&parlour, "grove");
    git(&root, &["init", "-q"]);
    git(&root, &["commit", "-q", "--allow-empty", "-m", "Begin"]);
    let main = json_of(&parlour, &root, &["init", "--json"]);
    json_of(&parlour, &root, &["new", "worker", "--json"]);
    let bound = || json_of(&parlour, &root, &["chat", "dir"])["chat_id"].clone();
    assert_eq!(bound(), main["id"], "a worker takes no directory");
    let other = json_of(&parlour, &root, &["new", "Aside", "--alone", "--json"]);
    assert_eq!(bound(), main["id"]);
    json_of(&parlour, &root, &["chat", "bind", "aside", "--json"]);
    assert_eq!(bound(), other["id"]);
    let told = json_of(&parlour, &root, &["explain", "@main", "--json"]);
    assert_eq!(
        told["chat"],
        json_of(&parlour, &root, &["explain", "grove-main", "--json"])["chat"]
    );
}
