//! What the real CLIs say they used, against what the scripted model gave them: 20 tokens with each answer.

use serde_json::{Value, json};

use super::told::of_kind;
use super::{claude, codex, gemini, opencode};
use crate::support;
use crate::support::model_server::{ModelServer, Scenario, text, thinking, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, until};

/// An answer of several parts, of which some CLIs write a line each, and another behind its tool.
fn work(tool_name: &str, input: Value) -> Scenario {
    let first = [thinking("Let me see."), text("I look."), tool(tool_name, input)];
    Scenario::of([turn![first, text("That is all.")].when("look around")])
}

/// Two answers are counted, each once, also by an engine that sums them up again.
fn counts_each_answer_once(parlour: &Parlour, llm: &str) {
    parlour.json(&["new", "Count", "--llm", llm, "-p", "look around"]);
    until("it has answered", PATIENCE, || {
        let said = parlour.events("count");
        of_kind(&said, "text").iter().any(|said| said["text"] == "That is all.")
    });
    parlour.wait("count", "idle");
    let output = || {
        let told = parlour.json(&["usage", "count", "--by", "model"]);
        told["total"]["tokens"]["output"].as_u64().unwrap_or_default()
    };
    until("both answers are counted", PATIENCE, || output() >= 40);
    assert_eq!(output(), 40, "{:#?}", of_kind(&parlour.events("count"), "usage"));
    let before = parlour.json(&["usage", "--by", "day"])["total"].clone();
    parlour.kill_engine();
    std::fs::remove_dir_all(parlour.home().join("cache/usage")).unwrap();
    until("the transcript is summed up again", PATIENCE, || output() == 40);
    assert_eq!(parlour.json(&["usage", "--by", "day"])["total"], before);
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_code_is_counted_once() {
    let Some(program) = support::claude::installed() else {
        return;
    };
    let model = ModelServer::start(work("Bash", json!({"command": "true", "description": "Look"}))).await;
    counts_each_answer_once(&claude::parlour(&program, &model), "claude");
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_is_counted_once() {
    let Some(program) = support::codex::installed() else {
        return;
    };
    let model = ModelServer::start(work("exec_command", json!({"cmd": "true"}))).await;
    counts_each_answer_once(&codex::parlour(&program, &model), "codex");
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_cli_is_counted_once() {
    let Some(program) = support::gemini::installed() else {
        return;
    };
    let model = ModelServer::start(work("list_directory", json!({"dir_path": "."}))).await;
    counts_each_answer_once(&gemini::parlour(&program, &model), "gemini");
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_is_counted_once() {
    let Some(program) = support::opencode::installed() else {
        return;
    };
    let model = ModelServer::start(work("glob", json!({"pattern": "*"}))).await;
    counts_each_answer_once(&opencode::parlour(&program, &model), "opencode");
}
