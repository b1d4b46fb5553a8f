//! A home with a part that cannot be read, or that a newer parlour made: it is said where a person looks, and all else
//! works.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::parlour::{PATIENCE, Parlour, until};

#[test]
fn a_chat_whose_record_is_damaged_is_listed_and_drawn_and_comes_back_when_it_is_repaired() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"customLlms": {"falls": {"command": "/bin/false"}}}"#);
    parlour.json(&["new", "Good", "--llm", "falls"]);
    let bad = parlour.json(&["new", "Bad", "--llm", "falls"]);
    let id = bad["id"].as_str().unwrap();
    parlour.say(&["kill-engine"]);
    let record = parlour.home().join("records").join(id).join("chat.json");
    let whole = fs::read(&record).unwrap();
    fs::write(&record, &whole[..40]).unwrap();

    let listed = |handle: &str| {
        let chats = parlour.json(&["list"])["chats"].as_array().unwrap().clone();
        chats.into_iter().find(|chat| chat["handle"] == handle)
    };
    let shown = listed(id).unwrap();
    assert_eq!((&shown["status"], &shown["id"]), (&json!("error"), &json!(id)));
    assert!(shown["detail"].as_str().unwrap().contains("chat.json is damaged"));
    assert_eq!(
        shown.as_object().unwrap().keys().collect::<Vec<_>>(),
        bad.as_object()
            .unwrap()
            .keys()
            .filter(|key| *key != "notes")
            .collect::<Vec<_>>()
    );
    assert!(parlour.say(&["list"]).contains("✗ error"));
    assert!(listed("good").is_some());
    let screen = parlour.attach(&[]);
    screen.wait_for_text("its record cannot be read");
    assert!(parlour.refusal(&["resume", id]).contains("chat.json is damaged"));
    assert_eq!(fs::read(&record).unwrap(), whole[..40]);

    fs::write(&record, &whole).unwrap();
    until("the repaired chat is back", PATIENCE, || listed("bad").is_some());
    assert!(listed(id).is_none());
}

#[test]
fn a_chat_whose_record_is_damaged_can_be_deleted() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"customLlms": {"falls": {"command": "/bin/false"}}}"#);
    let bad = parlour.json(&["new", "Bad", "--llm", "falls"]);
    let id = bad["id"].as_str().unwrap();
    parlour.say(&["kill-engine"]);
    fs::write(parlour.home().join("records").join(id).join("chat.json"), "").unwrap();
    assert!(parlour.refusal(&["rm", id]).contains("damaged"));
    parlour.say(&["rm", id, "--yes"]);
    assert_eq!(parlour.json(&["list"])["chats"], json!([]));
}

pub fn a_home_of_a_newer_parlour_is_shown_and_not_changed() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"customLlms": {"falls": {"command": "/bin/false"}}}"#);
    parlour.json(&["new", "Seed", "--llm", "falls"]);
    parlour.wait("seed", "exited");
    parlour.say(&["kill-engine"]);
    fs::write(parlour.home().join("home.json"), r#"{"v": 2}"#).unwrap();
    fs::write(parlour.home().join("staging/begun"), "by the newer one").unwrap();
    let before = files(&parlour.home());

    assert_eq!(parlour.json(&["list"])["chats"][0]["handle"], "seed");
    assert!(parlour.events("seed").iter().any(|event| event["kind"] == "status"));
    assert!(parlour.say(&["status"]).contains("made by a newer parlour"));
    let screen = parlour.attach(&[]);
    screen.wait_for_text("made by a newer parlour");
    let refused = [
        vec!["new", "Other", "--llm", "falls"],
        vec!["rename", "seed", "Other"],
        vec!["resume", "seed"],
        vec!["send", "seed", "hello"],
        vec!["rm", "seed", "--yes"],
        vec!["demo"],
    ];
    for words in refused {
        let said = parlour.refusal(&words);
        assert!(said.contains("newer parlour"), "{words:?}: {said}");
    }
    parlour.say(&["kill-engine"]);
    assert_eq!(files(&parlour.home()), before);
}

/// All that lies in a home and what it holds, but for what is no state.
fn files(home: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![home.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && path != home.join("run") {
                folders.push(path.clone());
            }
            found.insert(path.clone(), path.is_file().then(|| fs::read(&path).unwrap()));
        }
    }
    found
}
