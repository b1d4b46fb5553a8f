//! Prompts from a shell, long and odd ones too, to agents that run and to those that have ended.

use std::io::Write;
use std::process::{Output, Stdio};

use crate::support::parlour::Parlour;

fn prompts(parlour: &Parlour) -> Vec<String> {
    let events = parlour.events("talk").into_iter().filter(|e| e["kind"] == "prompt");
    events.map(|e| e["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_prompt_brings_an_agent_that_has_ended_back() {
    let parlour = Parlour::new();
    parlour.json(&["new", "Talk", "--llm", "demo"]);
    parlour.wait("talk", "idle");
    parlour.json(&["stop", "talk"]);
    parlour.say(&["send", "talk", "noask are you there"]);
    parlour.wait("talk", "idle");
    assert_eq!(prompts(&parlour), ["noask are you there"]);
}

#[test]
fn what_looks_like_an_option_is_a_prompt() {
    let parlour = Parlour::new();
    parlour.json(&["new", "Talk", "--llm", "demo", "-p", "--help noask"]);
    parlour.wait("talk", "idle");
    parlour.say(&["send", "talk", "-x noask"]);
    parlour.wait("talk", "idle");
    parlour.say(&["send", "talk", "--", "--version noask"]);
    parlour.wait("talk", "idle");
    assert_eq!(prompts(&parlour), ["--help noask", "-x noask", "--version noask"]);
}

#[test]
fn a_prompt_of_200_kb_arrives_whole_and_one_beyond_measure_is_refused() {
    let parlour = Parlour::new();
    parlour.json(&["new", "Talk", "--llm", "demo"]);
    parlour.wait("talk", "idle");
    // Half of it in one line, which is harder to show than many.
    let many: String = (0..10_000).map(|line| format!("line{line:05}\n")).collect();
    let long = format!("{many}{}", "x".repeat(100_000));
    let sent = send(&parlour, &long);
    assert!(sent.status.success(), "{sent:?}");
    parlour.wait("talk", "idle");
    let arrived = prompts(&parlour);
    assert_eq!(arrived.len(), 1);
    assert!(
        arrived[0].trim() == long.trim(),
        "{} of {} bytes",
        arrived[0].len(),
        long.len()
    );

    let refused = send(&parlour, &"x".repeat(600 << 10));
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("it has 600 KB, and a prompt may have 512"), "{said}");
    assert_eq!(prompts(&parlour).len(), 1);
}

/// By standard input: a word of a command line has at most 128 KB.
fn send(parlour: &Parlour, text: &str) -> Output {
    let mut command = parlour.command(&["send", "talk", "-"]);
    let mut sending = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    sending.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    sending.wait_with_output().unwrap()
}
