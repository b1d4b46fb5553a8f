//! Asking from the shell with the real CLIs: the scenario of directory-scoped conversations, line by line.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::model_server::{Block, ModelServer, Scenario, text, tool, turn};
use crate::support::parlour::Parlour;
use crate::support::{claude, codex, gemini, opencode};

use super::{claude as claude_chats, codex as codex_chats, gemini as gemini_chats, opencode as opencode_chats};

const GULLS: &str = "count the gulls";
const TERNS: &str = "count the terns";
const SKUAS: &str = "count the skuas";
const OWLS: &str = "count the owls";
const WRENS: &str = "count the wrens";
const RAVENS: &str = "count the ravens";
const LARKS: &str = "count the larks";

/// Each turn looks around first, by a tool that nobody is asked about.
async fn model(look: Block) -> ModelServer {
    let answers = [GULLS, TERNS, SKUAS, OWLS, WRENS, RAVENS, LARKS];
    let answers = answers.map(|prompt| turn![look.clone(), text(&format!("I **did** {prompt}."))].when(prompt));
    ModelServer::start(Scenario::of(answers)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_answers_queries_line_by_line() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = model(tool("Bash", json!({ "command": "ls", "description": "Look" }))).await;
    scenario(&claude_chats::parlour(&program, &model), "claude", &model);
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_answers_queries_line_by_line() {
    let Some(program) = codex::installed() else {
        return;
    };
    let model = model(tool("exec_command", json!({ "cmd": "ls" }))).await;
    scenario(&codex_chats::parlour(&program, &model), "codex", &model);
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_answers_queries_line_by_line() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let model = model(tool("list_directory", json!({ "dir_path": "." }))).await;
    scenario(&gemini_chats::parlour(&program, &model), "gemini", &model);
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_answers_queries_line_by_line() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let model = model(tool("glob", json!({ "pattern": "*.md" }))).await;
    scenario(&opencode_chats::parlour(&program, &model), "opencode", &model);
}

/// What is printed, into a pipe: the plain words of the answer and nothing else.
fn said(prompt: &str) -> String {
    format!("I **did** {prompt}.\n")
}

fn ask(parlour: &Parlour, dir: &Path, words: &[&str]) -> String {
    let output = parlour.command(words).current_dir(dir).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {told}");
    String::from_utf8(output.stdout).unwrap()
}

fn bound(parlour: &Parlour, dir: &Path) -> Value {
    serde_json::from_str(&ask(parlour, dir, &["chat", "dir"])).unwrap()
}

/// The prompts that the model was shown with its last request, by which the context of an answer is known.
fn shown(model: &ModelServer) -> Vec<&'static str> {
    let asked = model.conversation();
    let last = asked.last().unwrap().body.to_string();
    let all = [GULLS, TERNS, SKUAS, OWLS, WRENS, RAVENS, LARKS];
    all.into_iter().filter(|prompt| last.contains(prompt)).collect()
}

fn scenario(parlour: &Parlour, llm: &str, model: &ModelServer) {
    let place = |name: &str| -> PathBuf {
        let dir = parlour.scratch().join(name);
        fs::create_dir_all(&dir).unwrap();
        dir
    };
    let (bar, deep) = (place("foo/bar"), place("foo/bar/baz"));

    // [/foo/bar/]$ query → c0, and dir(/foo/bar)=c0.
    assert_eq!(ask(parlour, &bar, &["query", "--llm", llm, GULLS]), said(GULLS));
    let c0 = bound(parlour, &bar);
    assert_eq!((&c0["llm"], &c0["profile"]), (&json!(llm), &Value::Null));
    assert_eq!(shown(model), [GULLS]);

    // [/foo/bar/]$ query --raw → another one, and dir(/foo/bar) is that.
    assert_eq!(
        ask(parlour, &bar, &["query", "--raw", "--llm", llm, TERNS]),
        said(TERNS)
    );
    let raw = bound(parlour, &bar);
    assert_ne!(raw["chat_id"], c0["chat_id"]);
    assert_eq!(shown(model), [TERNS]);

    // [/foo/bar/]$ query --dre → in that context; the binding stays.
    assert_eq!(ask(parlour, &bar, &["query", "--dre", SKUAS]), said(SKUAS));
    assert_eq!(shown(model), [TERNS, SKUAS]);
    let after = bound(parlour, &bar);
    assert_eq!(
        (&after["chat_id"], &after["updated"]),
        (&raw["chat_id"], &raw["updated"])
    );
    assert_eq!(after["messages"], 4, "{after}");

    // [/foo/bar/baz/]$ query --dre → an error, and no fall-back.
    let refused = parlour
        .command(&["query", "--dre", OWLS])
        .current_dir(&deep)
        .output()
        .unwrap();
    let why = String::from_utf8_lossy(&refused.stderr);
    assert!(
        refused.status.code() == Some(1) && why.contains("bound to no chat"),
        "{why}"
    );

    // [/foo/bar/baz/]$ query → c1, and dir(/foo/bar/baz)=c1.
    ask(parlour, &deep, &["query", "--llm", llm, OWLS]);
    let c1 = bound(parlour, &deep);
    assert_eq!(shown(model), [OWLS]);

    // [/foo/bar/baz/]$ query --dre → in the context of c1.
    ask(parlour, &deep, &["query", "--dre", WRENS]);
    assert_eq!(shown(model), [OWLS, WRENS]);

    // [/foo/bar/]$ query --re → in the context of the last query that was no reply, whatever this directory is bound to.
    assert_eq!(ask(parlour, &bar, &["query", "--re", RAVENS]), said(RAVENS));
    assert_eq!(shown(model), [OWLS, WRENS, RAVENS]);
    assert_eq!(bound(parlour, &bar)["chat_id"], raw["chat_id"]);
    assert_eq!(bound(parlour, &deep)["messages"], 6);

    // [/foo/bar/]$ dre → the last answer there. No model is asked.
    let before = model.conversation().len();
    assert_eq!(ask(parlour, &bar, &["dre"]), said(SKUAS));
    assert_eq!(model.conversation().len(), before);

    // The same chat is opened on the screen, and goes on there and back.
    let screen = parlour.attach_in(&deep, &[], (120, 40));
    screen.wait_for_text(RAVENS);
    let handle = c1["handle"].as_str().unwrap();
    parlour.json(&["send", handle, LARKS, "--wait"]);
    parlour.wait(handle, "idle");
    screen.wait_for_text(&format!("did {LARKS}"));
    drop(screen);
    assert_eq!(ask(parlour, &deep, &["dre"]), said(LARKS));
}
