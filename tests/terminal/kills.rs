//! What `send` calls sent or queued reaches the conversation exactly once, whatever is killed: with each real CLI.
//!
//! The engine and its agent are killed right after a prompt was called sent, when the model is asked, and in the middle of a
//! send. What counts is
//! the conversation as the model is asked to go on with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use super::{claude as claude_chats, codex as codex_chats, gemini as gemini_chats, opencode as opencode_chats};
use crate::support::model_server::{ModelServer, Scenario, gate, text, turn};
use crate::support::parlour::{Parlour, kill};
use crate::support::{claude, codex, gemini, opencode};

const SENT: &str = "mark the chalk line";
const ASKED: &str = "mark the brick wall";
const CUT_SHORT: &str = "mark the slate roof";

/// A model that would take long over each prompt.
async fn model() -> ModelServer {
    ModelServer::start(Scenario::of([
        turn![text("Ready.")].when("begin here"),
        turn![[gate("chalk"), text("The line is marked.")]].when(SENT),
        turn![[gate("brick"), text("The wall is marked.")]].when(ASKED),
        turn![[gate("slate"), text("The roof is marked.")]].when(CUT_SHORT),
        turn![text("All of them.")].when("what did I ask"),
    ]))
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn p3_what_send_took_reaches_claude_exactly_once() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = model().await;
    survives(&claude_chats::parlour(&program, &model), &model, "claude");
}

#[tokio::test(flavor = "multi_thread")]
async fn p3_what_send_took_reaches_codex_exactly_once() {
    let Some(program) = codex::installed() else {
        return;
    };
    let model = model().await;
    survives(&codex_chats::parlour(&program, &model), &model, "codex");
}

#[tokio::test(flavor = "multi_thread")]
async fn p3_what_send_took_reaches_gemini_exactly_once() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let model = model().await;
    survives(&gemini_chats::parlour(&program, &model), &model, "gemini");
}

#[tokio::test(flavor = "multi_thread")]
async fn p3_what_send_took_reaches_opencode_exactly_once() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let model = model().await;
    survives(&opencode_chats::parlour(&program, &model), &model, "opencode");
}

/// A start in the same minute as the last one goes on in its transcript: it takes the conversation out, and puts it in
/// again a moment later. Here that moment did not come.
#[tokio::test(flavor = "multi_thread")]
async fn p3_a_conversation_that_a_kill_cut_out_is_gone_on_with_by_gemini() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let model = model().await;
    let parlour = gemini_chats::parlour(&program, &model);
    parlour.json(&["new", "Talk", "--llm", "gemini", "-p", "begin here"]);
    parlour.wait("talk", "idle");
    kill(parlour.engine_pid());

    let transcript = only_transcript(&parlour.scratch().join("home/.gemini/tmp"));
    let written = fs::read_to_string(&transcript).unwrap();
    let header = written.lines().next().unwrap();
    let emptied = r#"{"$set":{"messages":[]}}"#;
    fs::write(&transcript, format!("{written}{header}\n{emptied}\n")).unwrap();

    parlour.json(&["resume", "talk"]);
    parlour.wait("talk", "idle");
    parlour.say(&["send", "talk", "what did I ask"]);
    parlour.wait("talk", "idle");
    let asked = model.conversation();
    let last = &asked.last().unwrap().body;
    for prompt in ["begin here", "what did I ask"] {
        assert_eq!(times(last, prompt), 1, "{prompt} in {last:#}");
    }
}

fn only_transcript(sessions: &Path) -> PathBuf {
    let entries = |dir: &Path| {
        fs::read_dir(dir)
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path())
    };
    let chats = entries(sessions).flat_map(|project| entries(&project.join("chats")).collect::<Vec<_>>());
    let found: Vec<_> = chats
        .filter(|path| path.extension().is_some_and(|kind| kind == "jsonl"))
        .collect();
    let [transcript] = found.try_into().unwrap();
    transcript
}

fn survives(parlour: &Parlour, model: &ModelServer, llm: &str) {
    parlour.json(&["new", "Talk", "--llm", llm, "-p", "begin here"]);
    parlour.wait("talk", "idle");

    let engine = parlour.engine_pid();
    assert_eq!(parlour.say(&["send", "talk", SENT, "--wait"]), "sent to talk\n");
    kill(engine);
    model.release("chalk");
    parlour.json(&["resume", "talk"]);
    parlour.wait("talk", "idle");

    // The CLI has written this one down when it asks the model.
    let engine = parlour.engine_pid();
    assert_eq!(parlour.say(&["send", "talk", ASKED, "--wait"]), "sent to talk\n");
    block_in_place(|| Handle::current().block_on(model.reached("brick")));
    kill(engine);
    model.release("brick");
    if llm == "gemini" {
        // A start in another minute than the last one makes a transcript of its own.
        thread::sleep(until_the_next_minute());
    }
    parlour.json(&["resume", "talk"]);
    parlour.wait("talk", "idle");

    let engine = parlour.engine_pid();
    let mut command = parlour.command(&["send", "talk", CUT_SHORT]);
    let sending = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // How far it is by then makes no difference to what holds.
    thread::sleep(Duration::from_millis(200));
    kill(engine);
    let said = sending.wait_with_output().unwrap();
    if !said.status.success() {
        assert!(
            String::from_utf8_lossy(&said.stderr).contains("it was not sent"),
            "{said:?}"
        );
        parlour.say(&["send", "talk", CUT_SHORT]);
    }
    model.release("slate");
    parlour.json(&["resume", "talk"]);
    parlour.wait("talk", "idle");

    parlour.say(&["send", "talk", "what did I ask"]);
    parlour.wait("talk", "idle");
    let asked = model.conversation();
    let last = &asked.last().unwrap().body;
    for prompt in [SENT, ASKED, CUT_SHORT] {
        assert_eq!(times(last, prompt), 1, "{prompt} in {last:#}");
    }
}

fn until_the_next_minute() -> Duration {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Duration::from_secs(60 - since.as_secs() % 60)
}

/// How often this is said in a request.
fn times(body: &Value, what: &str) -> usize {
    match body {
        Value::String(text) => text.matches(what).count(),
        Value::Array(items) => items.iter().map(|item| times(item, what)).sum(),
        Value::Object(fields) => fields.values().map(|field| times(field, what)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}
