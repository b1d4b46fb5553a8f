//! What real agents do between turns and within them beside work: they wait to be let in again by their provider, leave
//! commands running, and are cut off.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::told::{of_kind, statuses};
use super::{claude, codex, opencode};
use crate::support;
use crate::support::model_server::{Fault, ModelServer, Scenario, Step, Turn, gate, text, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, until};

fn refused(status: u16, retry_after: Option<u32>, times: u32) -> Fault {
    Fault::Error {
        status,
        kind: "rate_limit_error".into(),
        message: "slow down".into(),
        retry_after,
        times,
    }
}

fn answered_after(fault: Fault) -> Turn {
    let answer: Step = text("At last.").into();
    turn![answer.fault(fault)].when("be quick")
}

fn chat(parlour: &Parlour) -> Value {
    parlour.json(&["list"])["chats"][0].clone()
}

/// It retries, says so in these words, and is idle with its answer at last.
fn retries(parlour: &Parlour, llm: &str, says: &[&str]) {
    parlour.json(&["new", "Quick", "--llm", llm, "-p", "be quick"]);
    until("it has its answer", 3 * PATIENCE, || {
        let events = parlour.events("quick");
        of_kind(&events, "text").iter().any(|said| said["text"] == "At last.")
    });
    parlour.wait("quick", "idle");
    assert_eq!(chat(parlour)["detail"], "");
    let events = parlour.events("quick");
    let told = of_kind(&events, "status");
    let detail = told
        .iter()
        .find(|told| told["status"] == "retrying")
        .map(|told| told["detail"].to_string());
    let detail = detail.unwrap_or_else(|| panic!("it never said that it retries: {events:#?}"));
    assert!(says.iter().all(|word| detail.contains(word)), "{detail}");
    let seen = statuses(&events);
    let at = seen.iter().position(|status| *status == "retrying").unwrap();
    assert_eq!((seen[at - 1], *seen.last().unwrap()), ("running", "idle"), "{seen:?}");
    let attempts: Vec<_> = of_kind(&events, "retry")
        .iter()
        .map(|retry| retry["attempt"].as_u64())
        .collect();
    assert!(attempts.is_sorted() && !attempts.is_empty(), "{events:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_that_reconnects_says_which_try_it_is() {
    let Some(program) = support::codex::installed() else {
        return;
    };
    // It asks five times before it says anything.
    let model = ModelServer::start(Scenario::of([answered_after(refused(503, None, 18))])).await;
    let parlour = codex::parlour(&program, &model);
    retries(&parlour, "codex", &["econnecting", "attempt ", " of 5"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_that_waits_for_its_provider_says_until_when() {
    let Some(program) = support::opencode::installed() else {
        return;
    };
    for fault in [refused(429, Some(6), 1), refused(503, None, 2)] {
        let model = ModelServer::start(Scenario::of([answered_after(fault)])).await;
        let parlour = opencode::parlour(&program, &model);
        retries(&parlour, "opencode", &[" · next try at ", " · attempt "]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_codex_leaves_running_is_told_until_it_ends() {
    let Some(program) = support::codex::installed() else {
        return;
    };
    let command = "while ! [ -e go ]; do sleep 0.2; done";
    let leaves = tool("exec_command", json!({ "cmd": command, "yield_time_ms": 500 }));
    let model = ModelServer::start(Scenario::of([turn![leaves, text("It runs.")].when("serve")])).await;
    let parlour = codex::parlour(&program, &model);
    let made = parlour.json(&["new", "Serve", "--llm", "codex", "-p", "serve"]);
    let says = |detail: &str| chat(&parlour)["status"] == "idle" && chat(&parlour)["detail"] == detail;
    until("its command is told", PATIENCE, || says("1 command in the background"));
    let waited = parlour.wait("serve", "idle");
    assert_eq!(waited["detail"], "1 command in the background", "its turn is over");
    fs::write(PathBuf::from(made["dir"].as_str().unwrap()).join("go"), "").unwrap();
    until("it has ended", PATIENCE, || says(""));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_claude_code_leaves_running_holds_up_no_follow_up() {
    let Some(program) = support::claude::installed() else {
        return;
    };
    let command = "while ! [ -e go ]; do sleep 0.2; done";
    let leaves = tool(
        "Bash",
        json!({ "command": command, "description": "Serve", "run_in_background": true }),
    );
    let model = ModelServer::start(Scenario::of([
        turn![leaves, text("It runs.")].when("serve"),
        turn![text("The second answer.")].when("a second prompt"),
        turn![text("It has ended.")].when("task-notification"),
    ]))
    .await;
    let parlour = claude::parlour(&program, &model);
    parlour.configure(&json!({ "trust": { "claude": true }, "permissions": { "allow": ["Bash"] } }).to_string());
    let made = parlour.json(&["new", "Serve", "--llm", "claude", "-p", "serve"]);
    let says = |detail: &str| chat(&parlour)["status"] == "idle" && chat(&parlour)["detail"] == detail;
    until("its command is told", PATIENCE, || says("1 command in the background"));
    let waited = parlour.wait("serve", "idle");
    assert_eq!(waited["detail"], "1 command in the background", "its turn is over");
    parlour.say(&["send", "--follow-up", "serve", "a second prompt"]);
    let answers = |words: &str| {
        let events = parlour.events("serve");
        of_kind(&events, "text").iter().any(|said| said["text"] == words)
    };
    until("it has answered", PATIENCE, || answers("The second answer."));
    until("it goes on", PATIENCE, || says("1 command in the background"));
    fs::write(PathBuf::from(made["dir"].as_str().unwrap()).join("go"), "").unwrap();
    until("its end began a turn", PATIENCE, || answers("It has ended."));
    until("nothing goes on", PATIENCE, || says(""));
}

/// The engine is killed in the middle of a turn: that is said until the next one, and told once.
fn is_cut(parlour: &Parlour) {
    parlour.kill_engine();
    until("no agent is left", PATIENCE, || parlour.agents().is_empty());
    let ended = chat(parlour);
    assert_eq!(
        (&ended["status"], &ended["detail"]),
        (&json!("exited"), &json!("engine stopped · interrupted"))
    );
    parlour.json(&["resume", "talk"]);
    parlour.wait("talk", "idle");
    let shown = || parlour.say(&["screen", "talk"]);
    assert_eq!(chat(parlour)["detail"], "interrupted", "{}", shown());
    let cuts = || of_kind(&parlour.events("talk"), "interrupt").len();
    until("it is told", PATIENCE, || cuts() == 1);
    let mut screen = parlour.attach(&[]);
    screen.wait_for_text("interrupted");
    screen.press("q");
    parlour.say(&["send", "talk", "a second prompt"]);
    until("it has answered", PATIENCE, || {
        let events = parlour.events("talk");
        of_kind(&events, "text")
            .iter()
            .any(|said| said["text"] == "The second answer.")
    });
    parlour.wait("talk", "idle");
    assert_eq!((chat(parlour)["detail"].clone(), cuts()), (json!(""), 1));
    let prompts = of_kind(&parlour.events("talk"), "prompt").len();
    assert_eq!(prompts, 2, "{:#?}", parlour.events("talk"));
}

/// All transcripts below a directory, with their lines.
fn transcripts(dir: &Path) -> Vec<(PathBuf, Vec<String>)> {
    let entries = fs::read_dir(dir).into_iter().flatten().filter_map(Result::ok);
    let each = |entry: fs::DirEntry| match (entry.path(), entry.file_type()) {
        (path, Ok(kind)) if kind.is_dir() => transcripts(&path),
        (path, Ok(kind)) if kind.is_file() && path.extension().is_some_and(|ext| ext == "jsonl") => {
            let text = fs::read_to_string(&path).unwrap_or_default();
            vec![(path, text.lines().map(String::from).collect())]
        }
        _ => Vec::new(),
    };
    entries.flat_map(each).collect()
}

fn cut_off() -> Scenario {
    Scenario::of([
        turn![[text("It begins."), gate("never"), text("It ends.")]].when("begin"),
        turn![text("The second answer.")].when("a second prompt"),
    ])
}

async fn is_cut_in(llm: &str, program: &Path, parlour: fn(&Path, &ModelServer) -> Parlour) {
    let model = ModelServer::start(cut_off()).await;
    let parlour = parlour(program, &model);
    if llm == "claude" {
        parlour.configure(&json!({ "trust": { "claude": true } }).to_string());
    }
    parlour.json(&["new", "Talk", "--llm", llm, "-p", "begin"]);
    model.reached("never").await;
    until("it is at work", PATIENCE, || chat(&parlour)["status"] == "running");
    // A prompt that the CLI had not written down would be sent again, and its turn begin again.
    let home = parlour.scratch().join("home");
    until("its prompt is written down", PATIENCE, || {
        let mut lines = transcripts(&home).into_iter().flat_map(|(_, lines)| lines);
        lines.any(|line| line.contains("\"role\":\"user\"") && line.contains("\"begin\""))
    });
    is_cut(&parlour);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_claude_that_was_cut_is_said_until_the_next() {
    if let Some(program) = support::claude::installed() {
        is_cut_in("claude", &program, claude::parlour).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_codex_that_was_cut_is_said_until_the_next() {
    if let Some(program) = support::codex::installed() {
        is_cut_in("codex", &program, codex::parlour).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_of_claude_that_was_killed_before_it_wrote_a_word_down_goes_on() {
    let Some(program) = support::claude::installed() else {
        return;
    };
    let turns = [
        turn![text("It begins.")].when("begin"),
        turn![text("The second answer.")].when("a second prompt"),
    ];
    let model = ModelServer::start(Scenario::of(turns)).await;
    let parlour = claude::parlour(&program, &model);
    parlour.configure(&json!({ "trust": { "claude": true } }).to_string());
    parlour.json(&["new", "Talk", "--llm", "claude", "-p", "begin"]);
    parlour.wait("talk", "idle");
    parlour.kill_engine();
    until("no agent is left", PATIENCE, || parlour.agents().is_empty());
    // What it writes at first is of no conversation.
    for (path, _) in transcripts(&parlour.scratch().join("home/.claude/projects")) {
        fs::write(path, "{\"type\":\"mode\",\"mode\":\"normal\"}\n").unwrap();
    }
    parlour.json(&["resume", "talk"]);
    let rested = parlour.wait("talk", "idle");
    assert_eq!(rested["status"], "idle", "{}", parlour.say(&["screen", "talk"]));
    parlour.say(&["send", "talk", "a second prompt"]);
    until("it has answered", PATIENCE, || {
        let events = parlour.events("talk");
        of_kind(&events, "text")
            .iter()
            .any(|said| said["text"] == "The second answer.")
    });
    let events = parlour.events("talk");
    let sessions: Vec<_> = of_kind(&events, "session")
        .iter()
        .map(|began| &began["session"])
        .collect();
    assert!(sessions.len() == 2 && sessions[0] != sessions[1], "{sessions:?}");
}
