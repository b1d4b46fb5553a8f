//! Homes as they get: settings with a slip in them, and very many chats.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::parlour::{PATIENCE, Parlour, until};

pub fn a_slip_in_the_settings_is_named_and_the_last_good_ones_stay() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"limits": {"liveAgents": 7}}"#);
    assert_eq!(parlour.status()["limits"]["liveAgents"], 7);
    let broken = "{\"theme\": \"dark\",\n  \"limits\": {\"liveAgents\": \"many\"}}";
    parlour.configure(broken);
    until("the engine has read it", PATIENCE, || {
        !parlour.status()["settings_problem"].is_null()
    });
    let status = parlour.status();
    assert_eq!(status["limits"]["liveAgents"], 7);
    let said = parlour.say(&["status"]);
    assert!(said.contains("config.json:2:"), "{said}");
    assert!(said.contains("limits.liveAgents"), "{said}");
    assert_eq!(fs::read_to_string(parlour.home().join("config.json")).unwrap(), broken);

    parlour.configure(r#"{"limits": {"liveAgents": 8}}"#);
    until("the engine has read it", PATIENCE, || {
        parlour.status()["limits"]["liveAgents"] == 8
    });
    assert_eq!(parlour.status()["settings_problem"], Value::Null);
}

#[test]
fn a_thousand_chats_are_listed_without_a_wait() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"customLlms": {"falls": {"command": "/bin/false"}}}"#);
    let made = parlour.json(&["new", "Seed", "--llm", "falls"]);
    parlour.wait("seed", "exited");
    parlour.say(&["kill-engine"]);
    let seed = made["id"].as_str().unwrap();
    for number in 0..1000 {
        copy(&parlour.home(), seed, number);
    }
    // The first asks an engine that has them all to read, and is refused where that takes too long.
    until("the engine has read them all", PATIENCE, || {
        parlour.run(&["list"]).status.success()
    });
    let began = Instant::now();
    let chats = parlour.json(&["list"]);
    let took = began.elapsed();
    assert_eq!(chats["chats"].as_array().unwrap().len(), 1001);
    assert!(took < Duration::from_secs(30), "listing took {took:?}");
    // Chats of one name are told apart by their handles.
    let screen = parlour.attach(&[]);
    screen.wait_for_text("seed-");
}

#[test]
fn what_others_change_while_the_engine_is_starting_is_seen() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"customLlms": {"falls": {"command": "/bin/false"}}}"#);
    let made = parlour.json(&["new", "Seed", "--llm", "falls"]);
    let git = Path::new(made["dir"].as_str().unwrap()).join("projects/grove/.git");
    fs::create_dir_all(&git).unwrap();
    fs::write(git.join("HEAD"), "ref: refs/heads/zero\n").unwrap();
    let branch = || parlour.json(&["list"])["chats"][0]["projects"][0]["branch"].clone();
    for name in ["one", "two", "three"] {
        parlour.say(&["kill-engine"]);
        // Its answer comes before the chats are watched.
        branch();
        fs::write(git.join("HEAD"), format!("ref: refs/heads/{name}\n")).unwrap();
        until("the new branch is listed", PATIENCE, || branch() == name);
    }
}

/// The same chat under another id, which it returns.
pub fn copy(home: &Path, seed: &str, number: usize) -> String {
    let letter = |place: u32| char::from(b"abcdefghij"[number / 10_usize.pow(place) % 10]);
    let id = format!("copied{}{}{}{}", letter(3), letter(2), letter(1), letter(0));
    for room in ["chats", "records"] {
        fs::create_dir(home.join(room).join(&id)).unwrap();
    }
    let record = fs::read_to_string(home.join("records").join(seed).join("chat.json")).unwrap();
    let mut record: Value = serde_json::from_str(&record).unwrap();
    record["id"] = json!(id);
    record["handle"] = json!(format!("seed-{number}"));
    fs::write(home.join("records").join(&id).join("chat.json"), record.to_string()).unwrap();
    let said = home.join("records").join(seed).join("events.jsonl");
    fs::copy(said, home.join("records").join(&id).join("events.jsonl")).unwrap();
    id
}
