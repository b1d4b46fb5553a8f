//! The real Claude Code, headless and in a terminal, plays what we wrote.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use portable_pty::CommandBuilder;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::Command;
use tokio::time::timeout;

use crate::support::claude;
use crate::support::model_server::{ModelServer, Scenario, gate, text, thinking, tool, turn};
use crate::support::terminal::Terminal;

#[tokio::test]
async fn headless_it_writes_edits_and_lists_as_the_script_says() {
    let Some(program) = claude::installed() else {
        return;
    };
    let scratch = TempDir::new().expect("a scratch directory");
    let work = folder(scratch.path(), "work");
    let model = ModelServer::start(Scenario::of([turn![
        [
            thinking("First a file."),
            text("Creating hello.txt."),
            tool(
                "Write",
                json!({ "file_path": "${cwd}/hello.txt", "content": "hello\nworld\n" })
            ),
        ],
        tool(
            "Edit",
            json!({ "file_path": "${cwd}/hello.txt", "old_string": "world", "new_string": "parlour" })
        ),
        tool("Bash", json!({ "command": "ls", "description": "List files" })),
        text("There is ${tool_result}."),
    ]]))
    .await;
    let home = claude::home(scratch.path());

    let output = Command::new(program)
        .args([
            "-p",
            "go",
            "--model",
            "claude-scripted",
            "--permission-mode",
            "acceptEdits",
            "--output-format",
            "stream-json",
            "--verbose",
        ])
        .env_clear()
        .envs(claude::environment(&home, &model.url()))
        .current_dir(&work)
        .stdin(Stdio::null())
        .output()
        .await
        .expect("Claude Code starts");

    let said = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<Value> = said
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    assert_eq!(
        lines.last().map(|line| &line["result"]),
        Some(&json!("There is hello.txt.")),
        "{output:?}"
    );
    assert_eq!(
        fs::read_to_string(work.join("hello.txt")).expect("the written file"),
        "hello\nparlour\n"
    );
    let asked = model.conversation();
    assert_eq!(asked.len(), 4);
    assert_eq!(asked[0].body["model"], "claude-scripted");
    assert!(asked[0].last_user.ends_with("go"), "{}", asked[0].last_user);
    assert!(
        ["Write", "Edit", "Bash"]
            .iter()
            .all(|name| asked[0].tools.iter().any(|tool| tool == name))
    );
    assert!(
        asked[1].tool_results[0].starts_with("File created successfully"),
        "{:?}",
        asked[1].tool_results
    );
    assert_eq!(asked[3].tool_results, ["hello.txt"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_terminal_it_takes_a_pasted_prompt_and_shows_the_reply() {
    let Some(program) = claude::installed() else {
        return;
    };
    let scratch = TempDir::new().expect("a scratch directory");
    let work = folder(scratch.path(), "work");
    let words = turn![[text("The first half.\n\n"), gate("half"), text("Then the second.")]].when("both halves");
    let model = ModelServer::start(Scenario::of([words])).await;
    let home = claude::home(scratch.path());
    claude::trust(&home, scratch.path());
    let session = uuid::Uuid::new_v4().to_string();

    let mut command = CommandBuilder::new(program);
    command.env_clear();
    claude::environment(&home, &model.url())
        .into_iter()
        .for_each(|(name, value)| command.env(name, value));
    command.args(["--session-id", &session]);
    command.cwd(&work);
    let mut terminal = Terminal::spawn(command);
    terminal.wait_for("the composer", |screen| {
        screen.bracketed_paste() && screen.contents().contains('❯')
    });
    terminal.paste("say both halves");
    terminal.wait_for_text("say both halves");
    // In its first second the composer may swallow the Return.
    let mut tries = 0..60;
    while timeout(Duration::from_secs(1), model.reached("half")).await.is_err() {
        assert!(tries.next().is_some(), "the prompt was never sent");
        terminal.press("\r");
    }
    terminal.wait_for_text("The first half.");
    model.release("half");
    terminal.wait_for_text("Then the second.");
    assert_eq!(model.conversation()[0].headers["x-claude-code-session-id"], session);

    terminal.press("/exit");
    terminal.wait_for_text("/exit");
    terminal.press("\r");
    assert_eq!(terminal.wait_for_end(), 0);
}

fn folder(scratch: &Path, name: &str) -> PathBuf {
    let folder = scratch.join(name);
    fs::create_dir(&folder).expect("a scratch directory");
    folder
}
