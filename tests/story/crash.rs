//! The engine is killed at a bad moment, and nothing is lost.

use rustix::process::{Pid, Signal, kill_process};

use crate::support::parlour::{PATIENCE, Parlour, until};

#[test]
fn a_chat_whose_engine_was_killed_is_there_and_enter_resumes_it() {
    let parlour = Parlour::new();
    parlour.json(&["new", "Talk", "--llm", "demo", "-p", "noask say something"]);
    let before = parlour.wait("talk", "idle");
    let mut screen = parlour.attach(&[]);
    screen.wait_for_text("Name a repository");
    parlour.kill_engine();
    until("no agent is left", PATIENCE, || parlour.agents().is_empty());

    // The window has started the next engine.
    screen.wait_for_text("engine stopped");
    screen.wait_for_text("Name a repository");
    assert!(parlour.say(&["screen", "talk"]).contains("Name a repository"));
    assert_eq!(parlour.json(&["list"])["chats"][0]["status"], "exited");
    screen.press("\r");
    screen.wait_for_text("(what was said before)");
    let after = parlour.wait("talk", "idle");
    assert_eq!((&after["id"], &after["name"]), (&before["id"], &before["name"]));
    let events = parlour.events("talk");
    let mut sessions = events.iter().filter(|e| e["kind"] == "session").map(|e| &e["session"]);
    let first = sessions.next().unwrap();
    assert_eq!(sessions.collect::<Vec<_>>(), [first], "it is the same session");
    let numbers: Vec<u64> = events.iter().map(|e| e["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
}

#[test]
fn a_prompt_that_the_engine_took_before_it_was_killed_is_delivered_once() {
    let parlour = Parlour::new();
    parlour.json(&["new", "Late", "--llm", "demo", "-p", "noask the very first words"]);
    parlour.kill_engine();
    assert_eq!(parlour.json(&["list"])["chats"].as_array().unwrap().len(), 1);
    parlour.json(&["resume", "late"]);
    parlour.wait("late", "idle");
    let prompts = || -> Vec<_> {
        let events = parlour.events("late").into_iter();
        events
            .filter(|e| e["kind"] == "prompt")
            .map(|e| e["text"].clone())
            .collect()
    };
    assert_eq!(prompts(), ["noask the very first words"]);

    parlour.kill_engine();
    parlour.json(&["resume", "late"]);
    parlour.wait("late", "idle");
    parlour.say(&["send", "late", "noask and then these"]);
    parlour.wait("late", "idle");
    assert_eq!(prompts(), ["noask the very first words", "noask and then these"]);
}

#[test]
fn an_agent_that_was_starting_as_its_engine_was_killed_is_resumed_with_all() {
    let slow = "#!/bin/sh\nexec sleep 600\n";
    let parlour = Parlour::new().with_program("slow", slow);
    parlour.configure(r#"{"customLlms": {"slow": {"command": "slow", "ready": "^> $"}}}"#);
    let resumed = || {
        parlour.kill_engine();
        let all = parlour.json(&["resume", "--all"])["chats"].clone();
        let handles = all.as_array().unwrap().iter().map(|chat| chat["handle"].clone());
        handles.collect::<Vec<_>>()
    };
    for name in ["Slow", "Stopped"] {
        parlour.json(&["new", name, "--llm", "slow"]);
    }
    parlour.say(&["stop", "stopped"]);
    parlour.wait("stopped", "exited");
    assert_eq!(resumed(), ["slow"]);
    assert_eq!(resumed(), ["slow"], "it had been resumed, and was starting");
}

#[test]
fn an_engine_that_is_told_to_end_leaves_nothing_to_knock_at() {
    let parlour = Parlour::new();
    parlour.status();
    let socket = parlour.home().join("run/engine.sock");
    assert!(socket.exists());
    parlour.say(&["kill-engine"]);
    assert!(!socket.exists());
}

#[test]
fn a_verb_that_meets_an_engine_which_is_ending_is_answered_by_the_next_one() {
    let deaf = "#!/bin/sh\ntrap '' TERM HUP\nwhile :; do sleep 1; done\n";
    let parlour = Parlour::new().with_program("deaf", deaf);
    parlour.configure(r#"{"customLlms": {"deaf": {"command": "deaf"}}}"#);
    parlour.json(&["new", "Deaf", "--llm", "deaf"]);
    until("its agent runs", PATIENCE, || !parlour.agents().is_empty());
    let engine = parlour.engine_pid();
    kill_process(Pid::from_raw(engine).unwrap(), Signal::TERM).unwrap();
    assert_eq!(parlour.json(&["list"])["chats"][0]["handle"], "deaf");
    assert_ne!(parlour.engine_pid(), engine);
}
