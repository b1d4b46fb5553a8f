//! Several prompts at once, with nobody at a screen: each reaches the conversation, in order. With each real CLI.

use crate::support::model_server::{ModelServer, Scenario, text, turn};
use crate::support::parlour::{PATIENCE, Parlour, until};
use crate::support::{claude, codex, gemini, opencode};

use super::{claude as claude_chats, codex as codex_chats, gemini as gemini_chats, opencode as opencode_chats};

const PROMPTS: [&str; 4] = [
    "count the gulls",
    "count the terns",
    "count the crows",
    "count the wrens",
];
/// A burst that meets the screen at another moment may do well by luck.
const BURSTS: usize = 3;

async fn model() -> ModelServer {
    let answers = PROMPTS.map(|prompt| turn![text("Counted.")].when(prompt));
    ModelServer::start(Scenario::of(answers)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_sent_at_once_all_reach_claude() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = model().await;
    all_arrive(&claude_chats::parlour(&program, &model), "claude");
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_sent_at_once_all_reach_codex() {
    let Some(program) = codex::installed() else {
        return;
    };
    let model = model().await;
    all_arrive(&codex_chats::parlour(&program, &model), "codex");
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_sent_at_once_all_reach_gemini() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let model = model().await;
    all_arrive(&gemini_chats::parlour(&program, &model), "gemini");
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_sent_at_once_all_reach_opencode() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let model = model().await;
    all_arrive(&opencode_chats::parlour(&program, &model), "opencode");
}

fn all_arrive(parlour: &Parlour, llm: &str) {
    parlour.json(&["new", "Talk", "--llm", llm]);
    parlour.wait("talk", "idle");
    for burst in 1..=BURSTS {
        for prompt in PROMPTS {
            parlour.say(&["send", "talk", prompt]);
        }
        let mut told = Vec::new();
        until("all prompts are told", 2 * PATIENCE, || {
            let prompts = parlour
                .events("talk")
                .into_iter()
                .filter(|event| event["kind"] == "prompt");
            told = prompts
                .map(|event| event["text"].as_str().unwrap().to_owned())
                .collect();
            told.len() >= burst * PROMPTS.len()
        });
        assert_eq!(told, PROMPTS.repeat(burst));
        parlour.wait("talk", "idle");
    }
}
