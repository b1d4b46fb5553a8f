//! The conversation taken back with the code, with real CLIs: what the model is asked next.

use std::fs;

use serde_json::{Value, json};

use crate::support::model_server::{Block, ModelServer, Scenario, text, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, until};
use crate::support::{claude, codex, gemini, opencode};

use super::reviews::repository;
use super::{claude as claude_chats, codex as codex_chats, gemini as gemini_chats, opencode as opencode_chats};

pub const GULLS: &str = "count the gulls";
pub const TERNS: &str = "count the terns";
pub const SKUAS: &str = "count the skuas";
pub const OWLS: &str = "count the owls";
pub const WRENS: &str = "count the wrens";

/// Each turn looks around first, by a tool that nobody is asked about.
pub async fn model(look: Block) -> ModelServer {
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
        say(parlour, "talk", prompt);
        fs::write(&birds, format!("after turn {}\n", number + 1)).unwrap();
    }
    assert_eq!(asked(model), [GULLS, TERNS, SKUAS]);

    let reverted = parlour.json(&["revert", "talk", "--turn", "2", "--yes"]);
    assert_eq!(fs::read_to_string(&birds).unwrap(), "after turn 1\n");
    assert_eq!(reverted["talk"]["hidden"], json!([TERNS, SKUAS]), "{reverted}");
    assert_eq!(prompts(parlour, "talk", &[]), [GULLS]);
    assert_eq!(prompts(parlour, "talk", &["--all"]), [GULLS, TERNS, SKUAS]);
    parlour.wait("talk", "idle");
    say(parlour, "talk", OWLS);
    assert_eq!(asked(model), [GULLS, OWLS], "it goes on from before the second prompt");
    assert_eq!(prompts(parlour, "talk", &[]), [GULLS, OWLS], "nothing is told twice");

    parlour.json(&["undo-revert", "talk", "--yes"]);
    assert_eq!(fs::read_to_string(&birds).unwrap(), "after turn 3\n");
    assert_eq!(prompts(parlour, "talk", &[]), [GULLS, TERNS, SKUAS]);
    parlour.wait("talk", "idle");
    say(parlour, "talk", WRENS);
    assert_eq!(asked(model), [GULLS, TERNS, SKUAS, WRENS], "the old session goes on");
    assert_eq!(prompts(parlour, "talk", &[]), [GULLS, TERNS, SKUAS, WRENS]);

    // Once more, from the session that goes on.
    parlour.json(&["revert", "talk", "--turn", "3", "--talk", "--yes"]);
    assert_eq!(fs::read_to_string(&birds).unwrap(), "after turn 3\n", "the code stays");
    parlour.wait("talk", "idle");
    say(parlour, "talk", OWLS);
    assert_eq!(asked(model), [GULLS, TERNS, OWLS]);
    parlour.json(&["revert", "talk", "--turn", "2", "--talk", "--yes"]);
    parlour.wait("talk", "idle");
    say(parlour, "talk", SKUAS);
    assert_eq!(
        asked(model),
        [GULLS, SKUAS],
        "also from a session that began with a copy"
    );
    assert_eq!(prompts(parlour, "talk", &[]), [GULLS, SKUAS]);
}

/// A turn that was cut off leaves a branch in the session on which nothing follows.
#[tokio::test(flavor = "multi_thread")]
async fn claude_keeps_what_was_said_since_a_turn_that_was_cut_off() {
    let Some(program) = claude::installed() else {
        return;
    };
    let cut = turn![tool(
        "Bash",
        json!({ "command": "touch terns", "description": "Count" })
    )]
    .when(TERNS);
    let answers = [GULLS, SKUAS, OWLS, WRENS].map(|prompt| turn![text("Counted.")].when(prompt));
    let model = ModelServer::start(Scenario::of(answers.into_iter().chain([cut]))).await;
    let parlour = claude_chats::parlour(&program, &model);
    let source = repository(&parlour.scratch().join("birds"));
    parlour.json(&["new", "Talk", "--llm", "claude", "--dir", &source]);
    parlour.wait("talk", "idle");
    say(&parlour, "talk", GULLS);
    parlour.json(&["send", "talk", TERNS]);
    parlour.wait("talk", "needs-you");
    parlour.json(&["stop", "talk"]);
    parlour.json(&["resume", "talk"]);
    parlour.wait("talk", "idle");
    say(&parlour, "talk", SKUAS);
    say(&parlour, "talk", OWLS);
    assert_eq!(asked(&model), [GULLS, TERNS, SKUAS, OWLS]);
    let reverted = parlour.json(&["revert", "talk", "--turn", "4", "--talk", "--yes"]);
    assert_eq!(reverted["talk"]["hidden"], json!([OWLS]), "{reverted}");
    parlour.wait("talk", "idle");
    say(&parlour, "talk", WRENS);
    assert_eq!(asked(&model), [GULLS, TERNS, SKUAS, WRENS]);
}

pub fn say(parlour: &Parlour, chat: &str, prompt: &str) {
    let before = turns(parlour, chat);
    parlour.json(&["send", chat, prompt, "--wait"]);
    parlour.wait(chat, "idle");
    until("the turn has its checkpoint", PATIENCE, || {
        turns(parlour, chat) > before
    });
}

fn turns(parlour: &Parlour, chat: &str) -> usize {
    let listed = parlour.json(&["checkpoints", chat]);
    let all = listed["checkpoints"].as_array().unwrap().iter();
    all.filter(|one| !one["turn"].is_null()).count()
}

/// The prompts in what the model was asked last, in their order.
pub fn asked(model: &ModelServer) -> Vec<&'static str> {
    let last = model.conversation().pop().expect("it was asked").body.to_string();
    let mut found: Vec<(usize, &str)> = [GULLS, TERNS, SKUAS, OWLS, WRENS]
        .into_iter()
        .filter_map(|prompt| Some((last.find(prompt)?, prompt)))
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, prompt)| prompt).collect()
}

pub fn prompts(parlour: &Parlour, chat: &str, more: &[&str]) -> Vec<String> {
    let told = parlour.say(&[&["events", chat], more].concat());
    let entries = told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let prompts = entries.filter(|entry| entry["kind"] == "prompt");
    prompts.map(|entry| entry["text"].as_str().unwrap().into()).collect()
}
