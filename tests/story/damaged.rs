//! A home with a part that cannot be read: it is said where a person looks, and all else works.

use std::fs;

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
        bad.as_object().unwrap().keys().collect::<Vec<_>>()
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
