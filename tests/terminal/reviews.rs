//! Checkpoints as turns of real CLIs begin, and the way back.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::model_server::{Block, ModelServer, Scenario, text, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, git, until};
use crate::support::{claude, codex, gemini, opencode};

use super::{claude as claude_chats, codex as codex_chats, gemini as gemini_chats, opencode as opencode_chats};

const PROMPTS: [&str; 2] = ["count the gulls", "count the terns"];

async fn model() -> ModelServer {
    let answers = PROMPTS.map(|prompt| turn![text("Counted.")].when(prompt));
    ModelServer::start(Scenario::of(answers)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn each_turn_of_claude_has_a_checkpoint_to_go_back_to() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = model().await;
    goes_back(&claude_chats::parlour(&program, &model), "claude");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_turn_of_codex_has_a_checkpoint_to_go_back_to() {
    let Some(program) = codex::installed() else {
        return;
    };
    let model = model().await;
    goes_back(&codex_chats::parlour(&program, &model), "codex");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_turn_of_gemini_has_a_checkpoint_to_go_back_to() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let model = model().await;
    goes_back(&gemini_chats::parlour(&program, &model), "gemini");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_turn_of_opencode_has_a_checkpoint_to_go_back_to() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let model = model().await;
    goes_back(&opencode_chats::parlour(&program, &model), "opencode");
}

pub fn repository(dir: &Path) -> String {
    fs::create_dir_all(dir).unwrap();
    fs::write(dir.join("birds.txt"), "gulls\n").unwrap();
    git(dir, &["init", "-q", "-b", "main"]);
    git(dir, &["add", "-A"]);
    git(dir, &["commit", "-q", "-m", "first"]);
    dir.to_str().unwrap().to_owned()
}

fn turns(parlour: &Parlour) -> Vec<(Value, Value)> {
    let listed = parlour.json(&["checkpoints", "talk"]);
    let all = listed["checkpoints"].as_array().unwrap().iter();
    all.filter(|one| !one["turn"].is_null())
        .map(|one| (one["turn"].clone(), one["prompt"].clone()))
        .collect()
}

fn goes_back(parlour: &Parlour, llm: &str) {
    let source = repository(&parlour.scratch().join("birds"));
    let made = parlour.json(&["new", "Talk", "--llm", llm, "--dir", &source]);
    parlour.wait("talk", "idle");
    let chat = parlour.home().join("chats").join(made["id"].as_str().unwrap());
    let birds = chat.join("projects/birds/birds.txt");
    for (number, prompt) in PROMPTS.iter().enumerate() {
        parlour.json(&["send", "talk", prompt, "--wait"]);
        parlour.wait("talk", "idle");
        let begun: Vec<(Value, Value)> = (0..=number).map(|n| (json!(n + 1), json!(PROMPTS[n]))).collect();
        until("the turn has its checkpoint", PATIENCE, || turns(parlour) == begun);
        fs::write(&birds, format!("after turn {}\n", number + 1)).unwrap();
    }
    parlour.json(&["revert", "talk", "--turn", "2", "--yes"]);
    assert_eq!(fs::read_to_string(&birds).unwrap(), "after turn 1\n");
    parlour.wait("talk", "idle");
    parlour.json(&["undo-revert", "talk", "--yes"]);
    assert_eq!(fs::read_to_string(&birds).unwrap(), "after turn 2\n");
    parlour.wait("talk", "idle");
    assert_eq!(
        turns(parlour).len(),
        2,
        "a turn is told once, also after its agent was started again"
    );
}

const WRITES: &str = "sed -i s/gulls/terns/ projects/birds/birds.txt";

/// The tool runs as soon as the model has answered, without a question.
async fn writer(call: Block) -> ModelServer {
    ModelServer::start(Scenario::of([turn![call, text("Written.")].when("write the terns")])).await
}

fn holds_what_was_before(parlour: &Parlour, llm: &str) {
    let rules = json!({ "allow": ["Edit", "Bash"] });
    parlour.configure(&json!({ "trust": { "claude": true }, "permissions": rules }).to_string());
    let source = repository(&parlour.scratch().join("birds"));
    let made = parlour.json(&["new", "Talk", "--llm", llm, "--dir", &source]);
    let chat = parlour.home().join("chats").join(made["id"].as_str().unwrap());
    let birds = chat.join("projects/birds/birds.txt");
    parlour.wait("talk", "idle");
    parlour.json(&["send", "talk", "write the terns", "--wait"]);
    parlour.wait("talk", "idle");
    assert_eq!(fs::read_to_string(&birds).unwrap(), "terns\n");
    until("the turn has its checkpoint", PATIENCE, || turns(parlour).len() == 1);
    parlour.json(&["revert", "talk", "--turn", "1", "--code", "--yes"]);
    assert_eq!(fs::read_to_string(&birds).unwrap(), "gulls\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_claude_begins_with_what_was_there_before_its_first_tool() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = writer(tool("Bash", json!({ "command": WRITES, "description": "Write" }))).await;
    holds_what_was_before(&claude_chats::parlour(&program, &model), "claude");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_codex_begins_with_what_was_there_before_its_first_tool() {
    let Some(program) = codex::installed() else {
        return;
    };
    let model = writer(tool("exec_command", json!({ "cmd": WRITES }))).await;
    holds_what_was_before(&codex_chats::parlour(&program, &model), "codex");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_gemini_begins_with_what_was_there_before_its_first_tool() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let model = writer(tool("run_shell_command", json!({ "command": WRITES }))).await;
    holds_what_was_before(&gemini_chats::parlour(&program, &model), "gemini");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_opencode_begins_with_what_was_there_before_its_first_tool() {
    let Some(program) = opencode::installed() else {
        return;
    };
    // It asks about every command.
    let write = json!({ "filePath": "projects/birds/birds.txt", "content": "terns\n" });
    let model = writer(tool("write", write)).await;
    holds_what_was_before(&opencode_chats::parlour(&program, &model), "opencode");
}
