//! Verbs that take their time: `wait` and `events`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::engine::{Engine, Reply, parlour, stderr, stdout};

#[test]
fn a_wait_that_is_met_prints_the_chat() {
    let engine = Engine::answering(json!({"handle": "fix-auth", "name": "Fix", "status": "idle", "detail": ""}));
    let output = engine.parlour(&["wait", "fix-auth", "--for", "idle", "--timeout", "60"]);
    assert_eq!(
        (output.status.code(), stdout(&output)),
        (Some(0), "fix-auth (Fix): idle\n")
    );
    assert_eq!(
        engine.asked(),
        json!({"noun": "chat", "verb": "wait", "chat": "fix-auth", "for": "idle"})
    );
}

#[test]
fn a_wait_that_runs_out_exits_with_124() {
    let engine = Engine::new(|_| Reply::silence());
    let output = engine.parlour(&["wait", "fix-auth", "--for", "done", "--timeout", "0.3"]);
    assert_eq!(output.status.code(), Some(124));
    assert_eq!(
        stderr(&output),
        "parlour: waiting for fix-auth: timed out after 0.3 s; `parlour explain fix-auth` tells what it does\n"
    );
}

#[test]
fn a_wait_for_a_chat_that_is_not_there_is_a_failure() {
    let engine = Engine::new(|_| Reply::problem("finding x", "no chat is called x", ""));
    let output = engine.parlour(&["wait", "x", "--for", "idle", "--timeout", "60"]);
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (Some(1), "parlour: finding x: no chat is called x\n")
    );
}

#[test]
fn events_are_a_line_each() {
    let engine = Engine::new(|_| Reply {
        lines: vec![json!({"seq": 1}), json!({"seq": 2, "text": "a\nb"})],
        answer: Some(Ok(json!({"last": 2}))),
    });
    let output = engine.parlour(&["events", "fix-auth", "--after", "0"]);
    assert_eq!(stdout(&output), "{\"seq\":1}\n{\"seq\":2,\"text\":\"a\\nb\"}\n");
    assert!(output.status.success());
}

#[test]
fn following_ends_quietly_when_its_reader_has_gone_though_nothing_more_comes() {
    let engine = Engine::new(|_| Reply {
        lines: vec![json!({"seq": 1})],
        answer: None,
    });
    let mut following = parlour(&engine.home(), &["events", "fix-auth", "--follow"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut reader = BufReader::new(following.stdout.take().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    assert_eq!(line, "{\"seq\":1}\n");
    drop(reader);
    ends(&mut following);
    let output = following.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
}

fn ends(child: &mut Child) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("it goes on although nobody reads");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// It is told after five seconds, by the name that was typed: that of the request is another one.
#[test]
fn what_takes_long_is_called_as_it_was_typed() {
    let engine = Engine::new(|_| Reply::silence());
    for (words, called) in [
        (&["revert", "fix-auth", "--turn", "2", "--yes"][..], "revert"),
        (&["schedule", "run", "nightly"], "schedule run"),
    ] {
        let mut verb = parlour(&engine.home(), words).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(verb.stderr.take().unwrap())
            .read_line(&mut said)
            .unwrap();
        verb.kill().unwrap();
        verb.wait().unwrap();
        let told = format!("parlour: `{called}` is still at work after 5 s");
        assert!(said.starts_with(&told), "{said}");
    }
}
