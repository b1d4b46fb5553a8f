//! The conversation taken back with the code, with real CLIs: what the model is asked next.

use std::fs;

use serde_json::{Value, json};

use crate::support::model_server::{Block, ModelServer, Scenario, text, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, until};
use crate::support::{claude, codex, gemini, opencode};

use super::reviews::repository;
use super::{claude as claude_chats, codex as codex_chats, gemini as gemini_chats, opencode as opencode_chats};

const GULLS: &str = "count the gulls";
const TERNS: &str = "count the terns";
const SKUAS: &str = "count the skuas";
const OWLS: &str = "count the owls";
const WRENS: &str = "count the wrens";

/// Each turn looks around first, by a tool that nobody is asked about.
async fn model(look: Block) -> ModelServer {
    let answers = [GULLS, TERNS, SKUAS, OWLS, WRENS];
    let answers = answers.map(|prompt| turn![look.clone(), text("Counted.")].when(prompt));
    ModelServer::start(Scenario::of(answers)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_goes_on_from_an_earlier_prompt() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = model(tool("Bash", json!({ "command": "ls", "description": "Look" }))).await;
    goes_back(&claude_chats::parlour(&program, &model), "claude", &model);
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_goes_on_from_an_earlier_prompt() {
    let Some(program) = codex::installed() else {
        return;
    };
    let model = model(tool("exec_command", json!({ "cmd": "ls" }))).await;
    goes_back(&codex_chats::parlour(&program, &model), "codex", &model);
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_goes_on_from_an_earlier_prompt() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let model = model(tool("list_directory", json!({ "dir_path": "." }))).await;
    goes_back(&gemini_chats::parlour(&program, &model), "gemini", &model);
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_goes_on_from_an_earlier_prompt() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let model = model(tool("glob", json!({ "pattern": "*.md" }))).await;
    goes_back(&opencode_chats::parlour(&program, &model), "opencode", &model);
}

fn goes_back(parlour: &Parlour, llm: &str, model: &ModelServer) {
    let source = repository(&parlour.scratch().join("birds"));
    let made = parlour.json(&["new", "Talk", "--llm", llm, "--dir", &source]);
    parlour.wait("talk", "idle");
    let chat = parlour.home().join("chats").join(made["id"].as_str().unwrap());
    let birds = chat.join("projects/birds/birds.txt");
    for (number, prompt) in [GULLS, TERNS, SKUAS].iter().enumerate() {
        say(parlour, prompt);
        fs::write(&birds, format!("after turn {}\n", number + 1)).unwrap();
    }
    assert_eq!(asked(model), [GULLS, TERNS, SKUAS]);

    let reverted = parlour.json(&["revert", "talk", "--turn", "2", "--yes"]);
    assert_eq!(fs::read_to_string(&birds).unwrap(), "after turn 1\n");
    assert_eq!(reverted["talk"]["hidden"], json!([TERNS, SKUAS]), "{reverted}");
    assert_eq!(prompts(parlour, &[]), [GULLS]);
    assert_eq!(prompts(parlour, &["--all"]), [GULLS, TERNS, SKUAS]);
    parlour.wait("talk", "idle");
    say(parlour, OWLS);
    assert_eq!(asked(model), [GULLS, OWLS], "it goes on from before the second prompt");
    assert_eq!(prompts(parlour, &[]), [GULLS, OWLS], "nothing is told twice");

    parlour.json(&["undo-revert", "talk", "--yes"]);
    assert_eq!(fs::read_to_string(&birds).unwrap(), "after turn 3\n");
    assert_eq!(prompts(parlour, &[]), [GULLS, TERNS, SKUAS]);
    parlour.wait("talk", "idle");
    say(parlour, WRENS);
    assert_eq!(asked(model), [GULLS, TERNS, SKUAS, WRENS], "the old session goes on");
    assert_eq!(prompts(parlour, &[]), [GULLS, TERNS, SKUAS, WRENS]);

    // Once more, from the session that goes on.
    parlour.json(&["revert", "talk", "--turn", "3", "--talk", "--yes"]);
    assert_eq!(fs::read_to_string(&birds).unwrap(), "after turn 3\n", "the code stays");
    parlour.wait("talk", "idle");
    say(parlour, OWLS);
    assert_eq!(asked(model), [GULLS, TERNS, OWLS]);
    parlour.json(&["revert", "talk", "--turn", "2", "--talk", "--yes"]);
    parlour.wait("talk", "idle");
    say(parlour, SKUAS);
    assert_eq!(
        asked(model),
        [GULLS, SKUAS],
        "also from a session that began with a copy"
    );
    assert_eq!(prompts(parlour, &[]), [GULLS, SKUAS]);
}

fn say(parlour: &Parlour, prompt: &str) {
    let before = turns(parlour);
    parlour.json(&["send", "talk", prompt, "--wait"]);
    parlour.wait("talk", "idle");
    until("the turn has its checkpoint", PATIENCE, || turns(parlour) > before);
}

fn turns(parlour: &Parlour) -> usize {
    let listed = parlour.json(&["checkpoints", "talk"]);
    let all = listed["checkpoints"].as_array().unwrap().iter();
    all.filter(|one| !one["turn"].is_null()).count()
}

/// The prompts in what the model was asked last, in their order.
fn asked(model: &ModelServer) -> Vec<&'static str> {
    let last = model.conversation().pop().expect("it was asked").body.to_string();
    let mut found: Vec<(usize, &str)> = [GULLS, TERNS, SKUAS, OWLS, WRENS]
        .into_iter()
        .filter_map(|prompt| Some((last.find(prompt)?, prompt)))
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, prompt)| prompt).collect()
}

fn prompts(parlour: &Parlour, more: &[&str]) -> Vec<String> {
    let told = parlour.say(&[&["events", "talk"], more].concat());
    let entries = told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let prompts = entries.filter(|entry| entry["kind"] == "prompt");
    prompts.map(|entry| entry["text"].as_str().unwrap().into()).collect()
}
