//! `parlour hook`, as an agent CLI runs it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use super::engine::{Engine, Reply, parlour, stdout};

/// A hook of this event with a payload on its standard input.
fn call(mut command: Command) -> Output {
    let mut hook = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // One that has nothing to say does not read either.
    let _ = hook.stdin.take().unwrap().write_all(b"{\"tool_name\":\"Bash\"}");
    hook.wait_with_output().unwrap()
}

fn in_a_chat(home: &Path, agent: &str, event: &str) -> Command {
    let token = home.join("hook-token");
    std::fs::create_dir_all(home).unwrap();
    std::fs::write(&token, "s3cret\n").unwrap();
    let mut command = parlour(home, &["hook", agent, event, "--token-file"]);
    command.arg(token).env("PARLOUR_CHAT", "aaaaaaaaaa");
    command
}

#[test]
fn a_hook_hands_over_its_payload_and_the_answer() {
    let engine = Engine::answering(json!({"hookSpecificOutput": {"permissionDecision": "deny"}}));
    let output = call(in_a_chat(&engine.home(), "claude", "PreToolUse"));
    assert_eq!(
        stdout(&output),
        "{\"hookSpecificOutput\":{\"permissionDecision\":\"deny\"}}\n"
    );
    let expected = json!({
        "noun": "engine", "verb": "hook", "chat": "aaaaaaaaaa", "token": "s3cret", "agent": "claude", "event": "PreToolUse",
        "payload": {"tool_name": "Bash"},
    });
    assert_eq!(engine.asked(), expected);
}

#[test]
fn a_hook_without_an_engine_asks_before_a_tool_and_starts_none() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().join("home");
    let output = call(in_a_chat(&home, "claude", "PreToolUse"));
    assert!(output.status.success());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "ask");
    assert!(!home.join("run").exists());
}

/// Codex's hooks cannot ask: what they leave open it asks about itself.
#[test]
fn a_hook_whose_engine_never_answers_lets_nothing_run() {
    let engine = Engine::new(|_| Reply::silence());
    let ask = |agent, event| {
        let command = in_a_chat(&engine.home(), agent, event);
        serde_json::from_slice::<Value>(&call(command).stdout).unwrap()
    };
    assert_eq!(
        ask("claude", "PreToolUse")["hookSpecificOutput"]["permissionDecision"],
        "ask"
    );
    assert_eq!(ask("gemini", "BeforeTool")["decision"], "ask");
    assert_eq!(ask("codex", "PreToolUse"), json!({}));
}

/// Where an agent is ended with its engine, its hooks are told to end too. Gemini CLI keeps in its session that one has failed.
#[test]
fn a_hook_that_is_told_to_end_while_no_engine_answers_does_not_fail() {
    use rustix::process::{Pid, Signal, kill_process};
    let engine = Engine::new(|_| Reply::silence());
    for signal in [Signal::TERM, Signal::HUP] {
        for (agent, event) in [("gemini", "SessionEnd"), ("claude", "PreToolUse")] {
            let mut hook = in_a_chat(&engine.home(), agent, event);
            let mut hook = hook.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
            hook.stdin.take().unwrap().write_all(b"{}").unwrap();
            assert_eq!(engine.asked()["event"], event);
            kill_process(Pid::from_child(&hook), signal).unwrap();
            let output = hook.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{agent} {event}: {signal:?}");
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            match event {
                "SessionEnd" => assert_eq!(answer, json!({})),
                _ => assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "ask"),
            }
        }
    }
}

#[test]
fn a_hook_whose_chat_was_taken_from_its_environment_asks_all_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = in_a_chat(&dir.path().join("home"), "claude", "PreToolUse");
    command.env_remove("PARLOUR_CHAT");
    assert!(stdout(&call(command)).contains("\"ask\""));
}

#[test]
fn a_hook_outside_of_parlour_says_nothing_and_never_fails() {
    let home = tempfile::tempdir().unwrap();
    for words in [
        &["hook", "claude", "PreToolUse"][..],
        &["hook"],
        &["hook", "--new", "claude"],
    ] {
        let output = call(parlour(home.path(), words));
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), ""), "{words:?}");
    }
}
