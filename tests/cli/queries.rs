//! A question from a shell, while its answer comes.

use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;
use serde_json::{Value, json};

use super::engine::{Engine, Reply};
use crate::support::terminal::Terminal;

/// An agent that has said this much of its answer, and goes on for ever whatever it is told.
fn at_work(said: &'static [&str]) -> Engine {
    let entry = |seq: u64, what: Value| {
        let mut entry = json!({"v": 1, "seq": seq, "ts": "2026-02-15T09:00:00.000Z"});
        entry.as_object_mut().unwrap().extend(what.as_object().unwrap().clone());
        entry
    };
    Engine::new(move |request| match request["verb"].as_str() {
        Some("turn") => {
            let prompt =
                json!({"kind": "prompt", "id": "p1", "text": "hello", "from": "person", "key": request["prompt"]});
            let texts = said
                .iter()
                .map(|text| json!({"kind": "text", "id": "t1", "text": text}));
            let all = std::iter::once(prompt).chain(texts);
            Reply {
                lines: all.zip(1..).map(|(what, seq)| entry(seq, what)).collect(),
                answer: None,
            }
        }
        _ => Reply::with(json!({"id": "aaaaaaaaaa", "handle": "fix-auth", "llm": "claude", "seq": 0})),
    })
}

fn asking(engine: &Engine) -> Terminal {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_parlour"));
    command.args(["chat", "continue", "fix-auth", "hello"]);
    command.env("PARLOUR_HOME", engine.home());
    command.env_remove("PARLOUR_CHAT");
    Terminal::spawn(command)
}

/// What was asked of the engine up to this verb.
fn asked_until(engine: &Engine, verb: &str) -> Vec<Value> {
    let mut all = Vec::new();
    while all.last().is_none_or(|asked: &Value| asked["verb"] != verb) {
        all.push(engine.asked());
    }
    all
}

fn interrupted(mut terminal: Terminal) -> String {
    terminal.wait_for_text("thinking");
    terminal.press("\u{3}");
    let pressed = Instant::now();
    assert_eq!(terminal.wait_for_end(), 130);
    assert!(pressed.elapsed() < Duration::from_secs(2), "{:?}", pressed.elapsed());
    terminal.wait_for_text("opens it");
    terminal.contents().trim().to_owned()
}

#[test]
fn ctrl_c_gives_the_prompt_back_at_once_with_what_had_come() {
    let engine = at_work(&["The first half."]);
    let shown = interrupted(asking(&engine));
    assert_eq!(
        shown, "The first half.\nparlour: interrupted; the chat is fix-auth, and `parlour fix-auth` opens it",
        "without the spinner"
    );
    asked_until(&engine, "interrupt");

    let engine = at_work(&[]);
    let shown = interrupted(asking(&engine));
    assert!(
        shown.starts_with("parlour: interrupted before the agent had told any of its answer; the chat is fix-auth"),
        "{shown}"
    );
}

#[test]
fn a_question_goes_into_no_turn_that_runs() {
    let engine = at_work(&[]);
    let terminal = asking(&engine);
    let asked = asked_until(&engine, "send");
    assert_eq!(asked.last().unwrap()["follow_up"], true);
    drop(terminal);
}
