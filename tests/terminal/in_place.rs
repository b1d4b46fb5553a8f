//! Real agent CLIs in a repository of a person's that is opened in place: a link leads there, and each of them has a view of
//! its own on what lies behind links.

use std::fs;

use serde_json::json;

use super::told::{endings, of_kind, repository};
use super::{claude as claudes, codex as codexes, gemini as geminis, opencode as opencodes};
use crate::support::model_server::{Block, ModelServer, Scenario, text, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, until};
use crate::support::{claude, codex, gemini, opencode};

const FILE: &str = "${cwd}/projects/greeter/README.md";
const COMMAND: &str = "echo more >> projects/greeter/notes.txt";

/// A file is read and edited, and a command writes beside it, all by the way of the link.
async fn works_in_place(llm: &str, [read, edit, shell]: [Block; 3], open: impl Fn(&ModelServer) -> Parlour) {
    // The machine's temporary directory is one that some CLIs let agents write to.
    let sources = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (repository, _) = repository(sources.path());
    let work = turn![read, edit, shell, text("That was all.")];
    let model = ModelServer::start(Scenario::of([work.when("mend it")])).await;
    let parlour = open(&model);
    parlour.configure(&json!({ "trust": { "claude": true } }).to_string());
    let opened = repository.display().to_string();
    let made = [
        "new",
        "Here",
        "--llm",
        llm,
        "--in-place",
        "--dir",
        &opened,
        "-p",
        "mend it",
    ];
    parlour.json(&made);
    until("it has done all", 3 * PATIENCE, || {
        for asked in parlour.json(&["approvals"])["approvals"].as_array().unwrap() {
            // It may be answered by now.
            let _ = parlour.run(&["approve", asked["id"].as_str().unwrap_or_default()]);
        }
        let events = parlour.events("here");
        of_kind(&events, "text")
            .iter()
            .any(|event| event["text"] == "That was all.")
    });
    let events = parlour.events("here");
    let ended = endings(&events);
    assert!(
        ended.iter().all(|(_, status)| *status == "ok") && ended.len() == 3,
        "{ended:?}"
    );
    let readme = fs::read_to_string(repository.join("README.md")).unwrap();
    assert!(readme.contains("Greets"), "{readme}");
    assert_eq!(fs::read_to_string(repository.join("notes.txt")).unwrap(), "more\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_works_in_place() {
    let Some(program) = claude::installed() else {
        return;
    };
    let edited = json!({ "file_path": FILE, "old_string": "# greeter", "new_string": "# Greets" });
    let calls = [
        tool("Read", json!({ "file_path": FILE })),
        tool("Edit", edited),
        tool("Bash", json!({ "command": COMMAND, "description": "So" })),
    ];
    works_in_place("claude", calls, |model| claudes::parlour(&program, model)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_works_in_place() {
    let Some(program) = codex::installed() else {
        return;
    };
    let patch =
        "*** Begin Patch\n*** Update File: projects/greeter/README.md\n@@\n-# greeter\n+# Greets\n*** End Patch";
    let command = |command: &str| tool("exec_command", json!({ "cmd": command }));
    let calls = [
        command("cat projects/greeter/README.md"),
        command(&format!("apply_patch <<'EOF'\n{patch}\nEOF")),
        command(COMMAND),
    ];
    works_in_place("codex", calls, |model| codexes::parlour(&program, model)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_works_in_place() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let edited =
        json!({ "file_path": FILE, "old_string": "# greeter", "new_string": "# Greets", "instruction": "So." });
    let calls = [
        tool("read_file", json!({ "file_path": FILE })),
        tool("replace", edited),
        tool("run_shell_command", json!({ "command": COMMAND, "description": "So" })),
    ];
    works_in_place("gemini", calls, |model| geminis::parlour(&program, model)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_works_in_place() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let calls = [
        tool("read", json!({ "filePath": FILE })),
        tool(
            "edit",
            json!({ "filePath": FILE, "oldString": "# greeter", "newString": "# Greets" }),
        ),
        tool("bash", json!({ "command": COMMAND, "description": "So" })),
    ];
    works_in_place("opencode", calls, |model| opencodes::parlour(&program, model)).await;
}
