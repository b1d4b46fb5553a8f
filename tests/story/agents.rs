//! Agents that cannot start, or do not last.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::parlour::{PATIENCE, Parlour, until};

const AGENTS: &str = r#"{"customLlms": {"falls": {"command": "/bin/false"}, "ghost": {"command": "no-such-program"}}}"#;

#[test]
fn an_agent_that_ends_at_once_says_so() {
    let parlour = Parlour::new();
    parlour.configure(AGENTS);
    parlour.json(&["new", "Short", "--llm", "falls"]);
    let ended = parlour.wait("short", "exited");
    let detail = ended["detail"].as_str().unwrap();
    assert_eq!(detail, "exited with code 1 right after start (see its screen)");
    until("its end is in the transcript", PATIENCE, || {
        let mut told = parlour.events("short").into_iter().filter(|e| e["kind"] == "status");
        told.next_back().is_some_and(|last| last["detail"] == detail)
    });
}

#[test]
fn an_agent_that_is_not_installed_is_named_with_what_to_do() {
    let parlour = Parlour::new();
    parlour.configure(AGENTS);
    let said = parlour.refusal(&["new", "None", "--llm", "ghost"]);
    assert_eq!(
        said,
        "parlour: starting ghost: there is no program `no-such-program`; correct customLlms.ghost.command in config.json\n"
    );
    let said = parlour.refusal(&["new", "Nobody", "--llm", "nobody"]);
    assert!(said.contains("there is no agent called nobody"), "{said}");
    let mut command = parlour.command(&["new", "Missing", "--llm", "claude"]);
    let output = command.env("PATH", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("there is no `claude` on your PATH; install it"), "{said}");
    let left = parlour.json(&["list"])["chats"].clone();
    assert_eq!(left, json!([]), "a chat is left that never was");
}

#[test]
fn where_nobody_names_an_agent_the_first_that_is_installed_runs() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"customLlms": {"mine": {"command": "/bin/sleep", "args": ["600"]}}}"#);
    parlour.json(&["list"]);
    let mut command = parlour.command(&["new", "First", "--alone", "--json"]);
    let output = command.env("PATH", "/nowhere").output().unwrap();
    let made: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(made["llm"], "mine");
}

#[test]
fn an_agent_cannot_write_to_another_tree_nor_hide_who_it_is() {
    let parlour = Parlour::new();
    let send = format!("{} send", env!("CARGO_BIN_EXE_parlour"));
    // As it is, then without the name that its environment has, and at last to itself.
    let script = format!(
        "until [ -e go ]; do sleep 0.02; done; {send} talk one 2>one; env -u PARLOUR_CHAT {send} talk two 2>two; \
         {send} scribe three >three; touch done; sleep 600"
    );
    let scribe = json!({"customLlms": {"scribe": {"command": "/bin/sh", "args": ["-c", script]}}});
    parlour.configure(&scribe.to_string());
    parlour.json(&["new", "Talk", "--llm", "demo"]);
    parlour.wait("talk", "idle");
    let chat = parlour.json(&["new", "Scribe", "--llm", "scribe"]);
    until("the agent runs", PATIENCE, || {
        let status = parlour.status();
        let mut agents = status["agents"].as_array().unwrap().iter();
        agents.any(|agent| agent["llm"] == "scribe" && agent["pid"].is_u64())
    });
    let dir = PathBuf::from(chat["dir"].as_str().unwrap());
    fs::write(dir.join("go"), "").unwrap();
    until("the agent has sent everything", PATIENCE, || dir.join("done").exists());
    for refused in ["one", "two"] {
        let said = fs::read_to_string(dir.join(refused)).unwrap();
        assert!(
            said.contains("the agent of scribe sends it, and that is another tree"),
            "{said}"
        );
    }
    assert!(!parlour.events("talk").iter().any(|e| e["kind"] == "prompt"));
    let said = fs::read_to_string(dir.join("three")).unwrap();
    assert!(said.starts_with("queued for scribe: "), "{said}");
    let id = chat["id"].as_str().unwrap();
    let inbox = fs::read_to_string(parlour.home().join("records").join(id).join("inbox.jsonl")).unwrap();
    let first: Value = serde_json::from_str(inbox.lines().next().unwrap()).unwrap();
    assert_eq!(first["message"]["sender"], id);
    let shown: Value = serde_json::from_slice(&fs::read(dir.join("inbox.json")).unwrap()).unwrap();
    assert_eq!(
        (&shown["messages"][0]["from"], &shown["messages"][0]["read"]),
        (&json!("scribe"), &json!(false))
    );
}

#[test]
fn an_agents_terminal_without_its_agent_sends_nothing() {
    let parlour = Parlour::new();
    parlour.json(&["new", "Talk", "--llm", "demo"]);
    let mut command = parlour.command(&["send", "talk", "hello"]);
    let output = command.env("PARLOUR_CHAT", "aaaaaaaaaa").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("from no process of that agent"), "{said}");
}
