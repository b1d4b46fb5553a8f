//! One engine a home, however many want one.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::parlour::{PATIENCE, Parlour, until};

/// How long the last of them waited.
pub fn fifty_starts_at_once_make_one_engine_and_fifty_answers(parlour: &Parlour) -> Duration {
    let began = Instant::now();
    let started: Vec<_> = (0..50)
        .map(|_| {
            let mut command = parlour.command(&["status", "--json"]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let pids: Vec<i64> = started
        .into_iter()
        .map(|client| {
            let output = client.wait_with_output().unwrap();
            assert!(output.status.success(), "{output:?}");
            let status: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            status["engine"]["pid"].as_i64().unwrap()
        })
        .collect();
    let took = began.elapsed();
    assert_eq!(pids, vec![pids[0]; 50]);
    // Those that came too late are still about to end.
    until("one engine is left", PATIENCE, || {
        let alive = parlour.engines().into_iter().map(i64::from);
        alive.eq([pids[0]])
    });
    took
}

#[test]
fn a_second_engine_is_refused_and_the_first_goes_on() {
    let parlour = Parlour::new();
    let pid = parlour.status()["engine"]["pid"].clone();
    let said = parlour.refusal(&["engine"]);
    assert!(
        said.contains("runs already") && said.contains("parlour kill-engine"),
        "{said}"
    );
    assert_eq!(parlour.status()["engine"]["pid"], pid);
}

#[test]
fn an_agent_cli_tells_its_version_once_for_all_chats_that_are_made_with_the_usual_one() {
    let parlour = Parlour::new();
    let told = parlour.scratch().join("told");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] || exec sleep 600\necho once >> {}\necho '9.9.9 (Claude Code)'\n",
        told.display()
    );
    let parlour = parlour.with_program("claude", &script);
    let made = |name: &str| parlour.json(&["new", name, "--no-project"])["llm"].clone();
    assert_eq!([made("One"), made("Two")], ["claude", "claude"]);
    parlour.kill_engine();
    assert_eq!(made("Three"), "claude");
    assert_eq!(std::fs::read_to_string(&told).unwrap(), "once\n");
}

#[test]
fn an_engine_that_was_killed_leaves_nothing_in_the_way_of_the_next() {
    let parlour = Parlour::new();
    let before = parlour.status()["engine"]["pid"].clone();
    parlour.kill_engine();
    assert_ne!(parlour.status()["engine"]["pid"], before);
}
