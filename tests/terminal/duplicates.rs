//! A conversation taken up in another chat, by the real Claude Code, Codex CLI and OpenCode.

use serde_json::json;

use super::told::of_kind;
use super::{claude as claude_chats, codex as codex_chats, opencode as opencode_chats};
use crate::support::model_server::{ModelServer, Scenario, text, turn};
use crate::support::parlour::Parlour;
use crate::support::{claude, codex, opencode};

fn work() -> Scenario {
    Scenario::of([
        turn![text("The first answer.")].when("what is it called"),
        turn![text("The second answer.")].when("and in the copy"),
        turn![text("The third answer.")].when("once more"),
        turn![text("The fourth answer.")].when("in the original"),
    ])
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_takes_a_conversation_up_in_a_duplicate() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = ModelServer::start(work()).await;
    let parlour = claude_chats::parlour(&program, &model);
    goes_on_in_both(&parlour, &model, "claude");
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_takes_a_conversation_up_in_a_duplicate() {
    let Some(program) = codex::installed() else {
        return;
    };
    let model = ModelServer::start(work()).await;
    let parlour = codex_chats::parlour(&program, &model);
    goes_on_in_both(&parlour, &model, "codex");
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_takes_a_conversation_up_in_a_duplicate() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let model = ModelServer::start(work()).await;
    let parlour = opencode_chats::parlour(&program, &model);
    goes_on_in_both(&parlour, &model, "opencode");
}

fn goes_on_in_both(parlour: &Parlour, model: &ModelServer, llm: &str) {
    parlour.json(&["new", "Talk", "--llm", llm, "-p", "what is it called"]);
    parlour.wait("talk", "idle");
    let made = parlour.json(&["duplicate", "talk", "Copy"]);
    let said = made["notes"].as_array().unwrap();
    assert_eq!(said.last(), Some(&json!("its conversation came along")));

    parlour.say(&["send", "copy", "and in the copy"]);
    parlour.wait("copy", "idle");
    parlour.json(&["stop", "copy"]);
    parlour.say(&["send", "copy", "once more"]);
    parlour.wait("copy", "idle");
    parlour.say(&["send", "talk", "in the original"]);
    parlour.wait("talk", "idle");

    let prompts = |chat| {
        let events = parlour.events(chat);
        let texts = of_kind(&events, "prompt").into_iter().map(|e| e["text"].clone());
        texts.collect::<Vec<_>>()
    };
    assert_eq!(prompts("talk"), ["what is it called", "in the original"]);
    assert_eq!(prompts("copy"), ["and in the copy", "once more"]);
    let copy = parlour.events("copy");
    assert_eq!(copy[0]["kind"], "note");
    let answers: Vec<_> = of_kind(&copy, "text").iter().map(|e| e["text"].clone()).collect();
    assert_eq!(answers, ["The second answer.", "The third answer."]);

    let session = |chat| of_kind(&parlour.events(chat), "session")[0]["session"].clone();
    assert_ne!(session("talk"), session("copy"));
    let sessions: Vec<_> = of_kind(&copy, "session").iter().map(|e| e["session"].clone()).collect();
    assert!(sessions.iter().all(|one| *one == sessions[0]), "{sessions:?}");

    let asked = model.conversation();
    let heard = |prompt: &str| {
        let words = |asked: &str| asked.contains(prompt);
        let bodies = asked.iter().map(|asked| asked.body.to_string());
        bodies.filter(|body| words(body)).collect::<Vec<_>>()
    };
    let first = &heard("and in the copy")[0];
    assert!(first.contains("what is it called") && first.contains("The first answer."));
    let last = heard("in the original").pop().unwrap();
    assert!(last.contains("The first answer.") && !last.contains("The second answer."));

    parlour.json(&["stop", "talk"]);
    parlour.json(&["stop", "copy"]);
    assert!(parlour.agents().is_empty());
}
