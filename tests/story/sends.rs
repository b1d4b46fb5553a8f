//! A prompt that was sent, and an engine that is killed meanwhile.

use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::support::parlour::{PATIENCE, Parlour, kill, until};

const LATER: &str = "noask and later this";

/// A chat whose agent asks something, so that prompts for it are queued.
fn asking() -> Parlour {
    let parlour = Parlour::new();
    parlour.json(&["demo"]);
    parlour.wait("demo", "needs-you");
    parlour
}

fn begin(parlour: &Parlour, words: &[&str]) -> Child {
    let mut command = parlour.command(words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn times(parlour: &Parlour, text: &str) -> usize {
    let events = parlour.events("demo");
    let prompts = events
        .iter()
        .filter(|event| event["kind"] == "prompt" && event["text"] == text);
    prompts.count()
}

#[test]
fn a_sender_whose_engine_was_killed_hears_what_the_record_says_and_sending_again_is_the_same_send() {
    let parlour = asking();
    let sending = begin(
        &parlour,
        &["send", "demo", LATER, "--wait", "--id", "once", "--follow-up"],
    );
    until("the prompt is queued", PATIENCE, || {
        parlour.json(&["explain", "demo"])["prompts"]["waiting"] == 1
    });
    kill(parlour.engine_pid());
    let said = sending.wait_with_output().unwrap();
    assert!(said.status.success(), "{said:?}");
    assert_eq!(
        String::from_utf8_lossy(&said.stdout),
        "queued: the engine ended; sent when the agent runs again: `parlour resume demo`\n"
    );
    parlour.json(&["send", "demo", LATER, "--id", "once"]);
    parlour.wait("demo", "idle");
    assert_eq!(parlour.say(&["send", "demo", LATER, "--id", "once"]), "sent to demo\n");
    assert_eq!(times(&parlour, LATER), 1);
}

#[test]
fn a_sender_hears_at_once_that_its_prompt_is_queued_and_an_equal_one_after_a_kill_is_the_same() {
    let parlour = asking();
    let answer = parlour.json(&["send", "demo", LATER, "--follow-up"]);
    let why = "the agent is waiting for your answer";
    assert_eq!(
        (&answer["sent"], &answer["why"]),
        (&Value::Bool(false), &Value::from(why))
    );
    parlour.kill_engine();
    let again = parlour.json(&["send", "demo", LATER]);
    assert_eq!((&again["already"], &again["id"]), (&Value::Bool(true), &answer["id"]));
    parlour.wait("demo", "idle");
    assert_eq!(times(&parlour, LATER), 1);
}

#[test]
fn p3_of_sends_that_are_cut_short_at_any_moment_each_reaches_the_agent_once() {
    let parlour = Parlour::new();
    parlour.json(&["new", "Demo", "--llm", "demo"]);
    parlour.wait("demo", "idle");
    for (number, wait) in [0, 5, 15, 30, 60, 120].into_iter().enumerate() {
        let text = format!("noask number {number}");
        let engine = parlour.engine_pid();
        let sending = begin(&parlour, &["send", "demo", &text]);
        // Wherever this finds it, the same holds.
        thread::sleep(Duration::from_millis(wait));
        kill(engine);
        let said = sending.wait_with_output().unwrap();
        if !said.status.success() {
            parlour.say(&["send", "demo", &text]);
        }
        parlour.json(&["resume", "demo"]);
        parlour.wait("demo", "idle");
        assert_eq!(times(&parlour, &text), 1, "{text}: {said:?}");
    }
}
