//! One engine a home, however many want one.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::parlour::{PATIENCE, Parlour, until};

/// How long the last of them waited.
pub fn fifty_starts_at_once_make_one_engine_and_fifty_answers(parlour: &Parlour) -> Duration {
    let began = Instant::now();
    let started: Vec<_> = (0..50)
        .map(|_| {
            let mut command = parlour.command(&["list", "--json"]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for client in started {
        let output = client.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let took = began.elapsed();
    // Those that came too late are still about to end.
    until("one engine is left", PATIENCE, || {
        parlour.engines() == [parlour.engine_pid()]
    });
    took
}

#[test]
fn a_look_whether_an_engine_runs_starts_none() {
    let parlour = Parlour::new();
    let asked = |form: &[&str]| {
        let output = parlour.run(&[&["status"], form].concat());
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let said = asked(&[]);
    assert!(said.contains("none runs; `parlour` starts one"), "{said}");
    let told: Value = serde_json::from_str(&asked(&["--json"])).unwrap();
    assert_eq!([&told["engine"], &told["agents"]], [&Value::Null, &json!([])]);
    assert_eq!(parlour.engines(), Vec::<i32>::new());
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
