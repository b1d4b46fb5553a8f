//! What a person does to the conversation in the CLI itself, with real CLIs: a new session begun, turns taken back. The way
//! back by parlour is still there.

use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::support::model_server::tool;
use crate::support::parlour::{PATIENCE, Parlour, until};
use crate::support::terminal::Terminal;
use crate::support::{claude, codex, gemini, model_server::ModelServer, opencode};

use super::reviews::repository;
use super::talk::{GULLS, OWLS, SKUAS, TERNS, WRENS, asked, model, prompts, say};
use super::{claude as claude_chats, codex as codex_chats, gemini as gemini_chats, opencode as opencode_chats};

#[tokio::test(flavor = "multi_thread")]
async fn claude_goes_back_to_before_a_clear() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = model(tool("Bash", json!({ "command": "ls", "description": "Look" }))).await;
    goes_back(&claude_chats::parlour(&program, &model), ("claude", "/clear"), &model);
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_goes_back_to_before_a_clear() {
    let Some(program) = codex::installed() else {
        return;
    };
    let model = model(tool("exec_command", json!({ "cmd": "ls" }))).await;
    goes_back(&codex_chats::parlour(&program, &model), ("codex", "/clear"), &model);
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_goes_back_to_before_a_clear() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let model = model(tool("list_directory", json!({ "dir_path": "." }))).await;
    goes_back(&gemini_chats::parlour(&program, &model), ("gemini", "/clear"), &model);
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_goes_back_to_before_a_new_session() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let model = model(tool("glob", json!({ "pattern": "*.md" }))).await;
    goes_back(&opencode_chats::parlour(&program, &model), ("opencode", "/new"), &model);
}

fn began(parlour: &Parlour, llm: &str) -> Terminal {
    let source = repository(&parlour.scratch().join("birds"));
    parlour.json(&["new", "Talk", "--llm", llm, "--dir", &source]);
    parlour.wait("talk", "idle");
    parlour.attach(&["talk"])
}

/// One after the other, as a person types.
fn type_keys(screen: &mut Terminal, keys: &[&str]) {
    for key in keys {
        screen.press(key);
        thread::sleep(Duration::from_millis(700));
    }
}

fn goes_back(parlour: &Parlour, (llm, clear): (&str, &str), model: &ModelServer) {
    let mut screen = began(parlour, llm);
    say(parlour, "talk", GULLS);
    say(parlour, "talk", TERNS);
    type_keys(&mut screen, &[clear, "\r"]);
    say(parlour, "talk", SKUAS);
    assert_eq!(asked(model), [SKUAS]);
    let preview = parlour.refusal(&["revert", "talk", "--turn", "2"]);
    assert!(
        preview.contains(&format!("hidden: {TERNS}\nhidden: {SKUAS}")),
        "{preview}"
    );
    assert!(!preview.contains("begins again"), "{preview}");
    parlour.json(&["revert", "talk", "--turn", "2", "--yes"]);
    parlour.wait("talk", "idle");
    say(parlour, "talk", OWLS);
    assert_eq!(
        asked(model),
        [GULLS, OWLS],
        "it goes on in a copy of the session that was left"
    );
    assert_eq!(prompts(parlour, "talk", &[]), [GULLS, OWLS]);
    parlour.json(&["undo-revert", "talk", "--yes"]);
    parlour.wait("talk", "idle");
    say(parlour, "talk", WRENS);
    assert_eq!(asked(model), [SKUAS, WRENS], "the newer session is back");
}

/// `Esc` `Esc`, an earlier prompt, `Enter`: the CLI goes on in another file of the same session.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_taken_back_in_codex_is_hidden_and_what_follows_is_the_agents_own() {
    let Some(program) = codex::installed() else {
        return;
    };
    let model = model(tool("exec_command", json!({ "cmd": "ls" }))).await;
    let parlour = codex_chats::parlour(&program, &model);
    let mut screen = began(&parlour, "codex");
    for prompt in [GULLS, TERNS, SKUAS] {
        say(&parlour, "talk", prompt);
    }
    type_keys(&mut screen, &["\x1b", "\x1b", "\x1b[D", "\r"]);
    screen.wait_for_text("reverted to this point");
    type_keys(&mut screen, &[" and the owls", "\r"]);
    let edited = format!("{TERNS} and the owls");
    until("what was taken back is hidden", PATIENCE, || {
        prompts(&parlour, "talk", &[]) == [GULLS, edited.as_str()]
    });
    parlour.wait("talk", "idle");
    say(&parlour, "talk", SKUAS);
    parlour.json(&["restart", "talk"]);
    parlour.wait("talk", "idle");
    say(&parlour, "talk", WRENS);
    assert_eq!(asked(&model), [GULLS, TERNS, SKUAS, WRENS]);
    let events = parlour.events("talk");
    let told = |kind: &str| events.iter().filter(|event| event["kind"] == kind).count();
    assert_eq!(
        (told("subagent.text"), told("text")),
        (0, 4),
        "of the turns that are left"
    );
    let note = format!("Went back in Codex CLI to before: {TERNS}");
    assert!(events.iter().any(|event| event["text"] == note.as_str()), "{note}");

    parlour.json(&["revert", "talk", "--turn", "5", "--talk", "--yes"]);
    parlour.wait("talk", "idle");
    say(&parlour, "talk", OWLS);
    assert_eq!(asked(&model), [GULLS, TERNS, OWLS]);
}

/// `Esc` `Esc`, an earlier prompt, `Restore conversation`: the next prompt follows an earlier line of the same transcript.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_taken_back_in_claude_is_hidden_at_the_next_prompt() {
    let Some(program) = claude::installed() else {
        return;
    };
    let model = model(tool("Bash", json!({ "command": "ls", "description": "Look" }))).await;
    let parlour = claude_chats::parlour(&program, &model);
    let mut screen = began(&parlour, "claude");
    takes_back(&parlour, &mut screen, "claude", |screen| {
        type_keys(screen, &["\x1b", "\x1b"]);
        screen.wait_for_text("(current)");
        type_keys(screen, &["\x1b[A", "\x1b[A", "\r"]);
        screen.wait_for_text("Restore conversation");
        type_keys(screen, &["\r"]);
    });
    goes_on(&parlour, &model, "Claude Code");
}

/// `/rewind`, an earlier prompt, `Rewind conversation`: it is hidden before anything else is said.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_taken_back_in_gemini_is_hidden_at_once() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let model = model(tool("list_directory", json!({ "dir_path": "." }))).await;
    let parlour = gemini_chats::parlour(&program, &model);
    let mut screen = began(&parlour, "gemini");
    takes_back(&parlour, &mut screen, "gemini", |screen| {
        type_keys(screen, &["/rewind", "\r"]);
        screen.wait_for_text("Stay at current position");
        let chosen = format!("● {TERNS}");
        until("its prompt is chosen", PATIENCE, || {
            type_keys(screen, &["\x1b[A"]);
            screen.contents().contains(&chosen)
        });
        type_keys(screen, &["\r"]);
        screen.wait_for_text("Confirm Rewind");
        type_keys(screen, &["\r"]);
        until("it is hidden", PATIENCE, || prompts(&parlour, "talk", &[]) == [GULLS]);
    });
    goes_on(&parlour, &model, "Gemini CLI");
}

/// `/undo` twice: it is hidden at once, and shown again by `/redo`.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_taken_back_in_opencode_is_hidden_at_once_and_comes_again() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let model = model(tool("glob", json!({ "pattern": "*.md" }))).await;
    let parlour = opencode_chats::parlour(&program, &model);
    let mut screen = began(&parlour, "opencode");
    takes_back(&parlour, &mut screen, "opencode", |screen| {
        let is_shown = |all: &[&str]| until("it is as shown", PATIENCE, || prompts(&parlour, "talk", &[]) == all);
        let step = |screen: &mut Terminal, command| type_keys(screen, &["\x15", command, "\r"]);
        step(screen, "/undo");
        is_shown(&[GULLS, TERNS]);
        step(screen, "/undo");
        is_shown(&[GULLS]);
        step(screen, "/redo");
        is_shown(&[GULLS, TERNS]);
        step(screen, "/redo");
        is_shown(&[GULLS, TERNS, SKUAS]);
        step(screen, "/undo");
        step(screen, "/undo");
        is_shown(&[GULLS]);
    });
    goes_on(&parlour, &model, "OpenCode");
}

/// Three turns, of which the last two are taken back, and the second is sent again with more words.
fn takes_back(parlour: &Parlour, screen: &mut Terminal, llm: &str, back: impl FnOnce(&mut Terminal)) {
    for prompt in [GULLS, TERNS, SKUAS] {
        say(parlour, "talk", prompt);
    }
    back(screen);
    type_keys(screen, &[" and the owls", "\r"]);
    let edited = format!("{TERNS} and the owls");
    until(&format!("{llm}: what was taken back is hidden"), PATIENCE, || {
        prompts(parlour, "talk", &[]) == [GULLS, edited.as_str()]
    });
    parlour.wait("talk", "idle");
}

/// The agent is asked what is left, after a restart too, and turns can be gone back to by their numbers.
fn goes_on(parlour: &Parlour, model: &ModelServer, title: &str) {
    say(parlour, "talk", SKUAS);
    parlour.json(&["restart", "talk"]);
    parlour.wait("talk", "idle");
    say(parlour, "talk", WRENS);
    assert_eq!(asked(model), [GULLS, TERNS, SKUAS, WRENS]);
    let edited = format!("{TERNS} and the owls");
    let left = [GULLS, edited.as_str(), SKUAS, WRENS];
    assert_eq!(prompts(parlour, "talk", &[]), left);
    let events = parlour.events("talk");
    let note = format!("Went back in {title} to before: {TERNS}");
    assert!(events.iter().any(|event| event["text"] == note.as_str()), "{note}");

    parlour.json(&["revert", "talk", "--turn", "5", "--talk", "--yes"]);
    parlour.wait("talk", "idle");
    say(parlour, "talk", OWLS);
    assert_eq!(asked(model), [GULLS, TERNS, OWLS]);
    parlour.json(&["revert", "talk", "--turn", "4", "--talk", "--yes"]);
    parlour.wait("talk", "idle");
    say(parlour, "talk", WRENS);
    assert_eq!(
        asked(model),
        [GULLS, WRENS],
        "before the prompt that the branch begins with"
    );
}
