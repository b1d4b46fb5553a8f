//! A chat made of an earlier moment of another one, with real CLIs: its files, and what its model is asked.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::reviews::repository;
use super::talk::{GULLS, OWLS, SKUAS, TERNS, WRENS, asked, model, prompts, say};
use super::{claude as claude_chats, codex as codex_chats, gemini as gemini_chats, opencode as opencode_chats};
use crate::support::model_server::{ModelServer, tool};
use crate::support::parlour::Parlour;
use crate::support::{claude, codex, gemini, opencode};

#[tokio::test(flavor = "multi_thread")]
async fn claude_forks_from_an_earlier_prompt() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = model(tool("Bash", json!({ "command": "ls", "description": "Look" }))).await;
    forks(&claude_chats::parlour(&program, &model), "claude", &model);
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_forks_from_an_earlier_prompt() {
    let Some(program) = codex::installed() else {
        return;
    };
    let model = model(tool("exec_command", json!({ "cmd": "ls" }))).await;
    forks(&codex_chats::parlour(&program, &model), "codex", &model);
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_forks_from_an_earlier_prompt() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let model = model(tool("list_directory", json!({ "dir_path": "." }))).await;
    forks(&gemini_chats::parlour(&program, &model), "gemini", &model);
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_forks_from_an_earlier_prompt() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let model = model(tool("glob", json!({ "pattern": "*.md" }))).await;
    forks(&opencode_chats::parlour(&program, &model), "opencode", &model);
}

fn forks(parlour: &Parlour, llm: &str, model: &ModelServer) {
    let source = repository(&parlour.scratch().join("birds"));
    let made = parlour.json(&["new", "Talk", "--llm", llm, "--dir", &source]);
    parlour.wait("talk", "idle");
    let birds = |id: &str| parlour.home().join("chats").join(id).join("projects/birds/birds.txt");
    let talk = birds(made["id"].as_str().unwrap());
    for (number, prompt) in [GULLS, TERNS, SKUAS].iter().enumerate() {
        say(parlour, "talk", prompt);
        fs::write(&talk, format!("after turn {}\n", number + 1)).unwrap();
    }

    let fork = parlour.json(&["fork", "talk", "--turn", "2"]);
    let told = "its conversation came along until then";
    assert_eq!(fork["notes"].as_array().unwrap().last(), Some(&json!(told)), "{fork}");
    let (handle, forked) = (fork["handle"].as_str().unwrap(), birds(fork["id"].as_str().unwrap()));
    assert_eq!(handle, "fork-talk");
    let reads = |path: &Path| fs::read_to_string(path).unwrap();
    assert_eq!(reads(&forked), "after turn 1\n");
    assert_eq!(
        prompts(parlour, handle, &[]),
        [GULLS],
        "what was said until then is shown"
    );
    parlour.wait(handle, "idle");
    say(parlour, handle, OWLS);
    assert_eq!(
        asked(model),
        [GULLS, OWLS],
        "the fork goes on from before the second prompt"
    );
    assert_eq!(prompts(parlour, handle, &[]), [GULLS, OWLS], "nothing is told twice");

    say(parlour, "talk", WRENS);
    assert_eq!(
        asked(model),
        [GULLS, TERNS, SKUAS, WRENS],
        "the original goes on as before"
    );
    assert_eq!(prompts(parlour, "talk", &[]), [GULLS, TERNS, SKUAS, WRENS]);
    assert_eq!(reads(&talk), "after turn 3\n");

    // A restart takes up the fork's own session, and a fork can be forked again.
    parlour.json(&["restart", handle]);
    parlour.wait(handle, "idle");
    say(parlour, handle, SKUAS);
    assert_eq!(asked(model), [GULLS, OWLS, SKUAS]);
    let again = parlour.json(&["fork", handle, "--turn", "2", "--name", "Again"]);
    assert_eq!(again["notes"].as_array().unwrap().last(), Some(&json!(told)), "{again}");
    parlour.wait("again", "idle");
    say(parlour, "again", WRENS);
    assert_eq!(asked(model), [GULLS, OWLS, WRENS]);
    assert_eq!(prompts(parlour, "again", &[]), [GULLS, OWLS, WRENS]);
}
