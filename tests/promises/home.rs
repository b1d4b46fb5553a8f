//! P7, P16, P17, P20: one engine a home, its settings, its versions, and what comes due.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};

use super::{in_time, scaled};
use crate::support::parlour::{PATIENCE, Parlour, until};
use crate::{client, story};

#[test]
fn p07_fifty_starts_at_once_make_one_engine() {
    for _ in 0..scaled(1, 20) {
        let parlour = Parlour::new();
        let took = story::starts::fifty_starts_at_once_make_one_engine_and_fifty_answers(&parlour);
        in_time("fifty clients are answered", took, Duration::from_secs(3));
        // What a crash leaves behind is in nobody's way.
        parlour.kill_engine();
        let took = story::starts::fifty_starts_at_once_make_one_engine_and_fifty_answers(&parlour);
        in_time("fifty clients after a crash are answered", took, Duration::from_secs(3));
    }
}

/// A number that another program has by now says nothing.
#[test]
fn p07_whether_an_engine_lives_is_not_told_by_its_pid() {
    let parlour = Parlour::new();
    let first = parlour.engine_pid();
    parlour.kill_engine();
    let run = parlour.home().join("run");
    for entry in fs::read_dir(&run).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap_or_default();
        if text.contains(&first.to_string()) && !path.ends_with("engine.log") {
            fs::write(&path, text.replace(&first.to_string(), &std::process::id().to_string())).unwrap();
        }
    }
    assert_ne!(parlour.engine_pid(), first);
}

#[test]
fn p16_a_slip_in_the_settings_is_named_and_the_last_good_ones_stay() {
    story::homes::a_slip_in_the_settings_is_named_and_the_last_good_ones_stay();
}

#[test]
fn p16_unknown_keys_and_edits_from_outside_are_kept() {
    let parlour = Parlour::new();
    let mine = "{\n  // Mine.\n  \"tomorrow\": {\"a\" : [1,2]},\n  \"limits\": {\"liveAgents\": 3}\n}\n";
    parlour.configure(mine);
    parlour.status();
    // Somebody edits the file while the engine runs, and it is written into before anybody has read it again.
    let edited = mine
        .replace("// Mine.", "// Mine, and more.")
        .replace("[1,2]", "[1, 2, 3]");
    parlour.configure(&edited);
    parlour.say(&["config", "set", "limits.liveAgents", "5"]);
    let file = parlour.home().join("config.json");
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        edited.replace("\"liveAgents\": 3", "\"liveAgents\": 5")
    );
    until("it is in force", PATIENCE, || {
        parlour.status()["limits"]["liveAgents"] == 5
    });
    assert_eq!(parlour.status()["settings_problem"], Value::Null);
}

#[test]
fn p17_a_home_of_a_newer_parlour_is_read_and_not_written() {
    story::damaged::a_home_of_a_newer_parlour_is_shown_and_not_changed();
}

#[tokio::test]
async fn p17_a_client_and_an_engine_of_two_versions_part_in_plain_words() {
    client::attaches::an_engine_of_another_version_is_named_and_the_screen_left_alone().await;
}

/// What a newer parlour wrote into a chat is read as far as it is understood, and stays.
#[test]
fn p17_newer_entries_and_records_are_kept_by_an_older_parlour() {
    let parlour = Parlour::new();
    let made = parlour.json(&["new", "Talk", "--llm", "demo", "-p", "noask hello"]);
    parlour.wait("talk", "idle");
    parlour.say(&["kill-engine"]);
    let record = parlour.home().join("records").join(made["id"].as_str().unwrap());
    let events = record.join("events.jsonl");
    let mut text = fs::read_to_string(&events).unwrap();
    let next = text.lines().count() + 1;
    let newer = json!({"v": 2, "seq": next, "ts": "2026-02-15T09:00:00Z", "chat": made["id"], "kind": "hologram", "of": "a cat"});
    text.push_str(&format!("{newer}\n"));
    fs::write(&events, &text).unwrap();
    let chat = record.join("chat.json");
    let mut kept: Value = serde_json::from_slice(&fs::read(&chat).unwrap()).unwrap();
    kept["hologram"] = json!({"size": 3});
    fs::write(&chat, kept.to_string()).unwrap();

    parlour.json(&["rename", "talk", "Speech"]);
    parlour.json(&["resume", "speech"]);
    parlour.json(&["send", "speech", "noask again"]);
    parlour.wait("speech", "idle");
    assert!(fs::read_to_string(&events).unwrap().starts_with(&text));
    let now: Value = serde_json::from_slice(&fs::read(&chat).unwrap()).unwrap();
    assert_eq!(
        (&now["hologram"], &now["name"]),
        (&json!({"size": 3}), &json!("Speech"))
    );
    let told = parlour.events("speech");
    assert!(
        told.iter()
            .any(|event| event["seq"] == next && event.to_string().contains("a cat"))
    );
}

#[test]
fn p20_what_came_due_while_the_engine_was_killed_runs_once() {
    story::schedules::what_came_due_while_the_engine_was_killed_runs_once();
}
