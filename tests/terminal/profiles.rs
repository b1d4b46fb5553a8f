//! Real agent CLIs under each permission profile: what a person is asked about, and what runs without a word.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::told::{of_kind, repository};
use super::{claude as claudes, codex as codexes, gemini as geminis, opencode as opencodes};
use crate::support::model_server::{Block, ModelServer, Scenario, text, tool, turn};
use crate::support::npm::skipped;
use crate::support::parlour::{PATIENCE, Parlour, until};
use crate::support::{claude, codex, gemini, opencode};

/// How a CLI calls its tools, and which of the calls a person is asked about under each profile.
struct Kind {
    llm: &'static str,
    read: fn() -> Block,
    edit: fn() -> Block,
    shell: fn() -> Block,
    asked: [(&'static str, &'static [&'static str]); 3],
}

const FILE: &str = "${cwd}/projects/greeter/README.md";

async fn asks_as_its_profile_says(kind: Kind, open: impl Fn(&ModelServer) -> Parlour) {
    for (profile, expected) in kind.asked {
        let sources = tempfile::tempdir().unwrap();
        let (repository, _) = repository(sources.path());
        let work = turn![(kind.read)(), (kind.edit)(), (kind.shell)(), text("That was all.")];
        let model = ModelServer::start(Scenario::of([work.when("mend it")])).await;
        let parlour = open(&model);
        let strict = profile == "all";
        let sandbox = if strict { "strict" } else { "off" };
        let config = json!({ "sandbox": sandbox, "trust": { "claude": true } });
        parlour.configure(&config.to_string());
        // The machine's temporary directory holds all of the test, so the person has one of their own.
        let temporary = parlour.scratch().join("temporary");
        fs::create_dir(&temporary).unwrap();
        let parlour = parlour.with([("TMPDIR".to_string(), temporary.display().to_string())]);
        let opened = repository.display().to_string();
        let made = parlour.json(&[
            "new",
            "Hotfix",
            "--llm",
            kind.llm,
            "--permissions",
            profile,
            "--dir",
            &opened,
            "-p",
            "mend it",
        ]);
        let asked = answered(&parlour, expected);
        let is_held = parlour.json(&["explain", "hotfix"])["sandbox"]["in_force"] == true;
        if strict && !is_held {
            skipped(&format!("SKIPPED: the profile all of {} needs Landlock\n", kind.llm));
            continue;
        }
        let dir = Path::new(made["dir"].as_str().unwrap());
        let readme = fs::read_to_string(dir.join("projects/greeter/README.md")).unwrap();
        assert!(readme.contains("Greets"), "{profile}: {readme}");
        assert!(dir.join("by-a-command.txt").exists(), "{profile}");
        assert_eq!(asked, expected, "{} under {profile}", kind.llm);
    }
}

/// Says yes to what a person is to be asked until the turn is over; by which tools. What nobody should be asked about
/// nobody answers.
fn answered(parlour: &Parlour, expected: &[&str]) -> Vec<String> {
    until("it has done all", 3 * PATIENCE, || {
        for asked in parlour.json(&["approvals"])["approvals"].as_array().unwrap() {
            if expected.contains(&asked["tool"].as_str().unwrap_or_default()) {
                // It may be answered by now.
                let _ = parlour.run(&["approve", asked["id"].as_str().unwrap_or_default()]);
            }
        }
        let events = parlour.events("hotfix");
        of_kind(&events, "text")
            .iter()
            .any(|event| event["text"] == "That was all.")
    });
    let events = parlour.events("hotfix");
    for event in of_kind(&events, "permission") {
        eprintln!("{event}");
    }
    // Its session file may tell of a question a moment before its hook says which.
    let mut statuses = of_kind(&events, "status");
    statuses.dedup_by(|next, before| next["status"] == before["status"]);
    let needs = statuses.iter().filter(|event| event["status"] == "needs-you");
    assert_eq!(
        needs.count(),
        expected.len(),
        "a person is told of each question, and of nothing else: {events:#?}"
    );
    let by_person = |event: &&&Value| event["answer"] == "allowed" && event["by"] == "person";
    let permissions = of_kind(&events, "permission");
    let tools = permissions.iter().filter(by_person);
    tools.map(|event| event["tool"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_asks_as_its_profile_says() {
    let Some(program) = claude::installed() else {
        return;
    };
    let kind = Kind {
        llm: "claude",
        read: || tool("Read", json!({ "file_path": FILE })),
        edit: || {
            tool(
                "Edit",
                json!({ "file_path": FILE, "old_string": "# greeter", "new_string": "# Greets" }),
            )
        },
        shell: || {
            tool(
                "Bash",
                json!({ "command": "touch by-a-command.txt", "description": "So" }),
            )
        },
        asked: [("ask", &["Edit", "Bash"]), ("clones", &["Bash"]), ("all", &[])],
    };
    asks_as_its_profile_says(kind, |model| claudes::parlour(&program, model)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_asks_as_its_profile_says() {
    let Some(program) = codex::installed() else {
        return;
    };
    let kind = Kind {
        llm: "codex",
        read: || tool("exec_command", json!({ "cmd": "cat projects/greeter/README.md" })),
        edit: || {
            let patch = "*** Begin Patch\n*** Update File: projects/greeter/README.md\n@@\n-# greeter\n+# Greets\n*** End Patch";
            tool(
                "exec_command",
                json!({ "cmd": format!("apply_patch <<'EOF'\n{patch}\nEOF") }),
            )
        },
        shell: || {
            let asking = json!({
                "cmd": "touch by-a-command.txt",
                "sandbox_permissions": "require_escalated",
                "justification": "It is needed.",
            });
            tool("exec_command", asking)
        },
        asked: [("ask", &["Bash"]), ("clones", &["Bash"]), ("all", &[])],
    };
    asks_as_its_profile_says(kind, |model| codexes::parlour(&program, model)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_asks_as_its_profile_says() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let kind = Kind {
        llm: "gemini",
        read: || tool("read_file", json!({ "file_path": FILE })),
        edit: || {
            tool(
                "replace",
                json!({ "file_path": FILE, "old_string": "# greeter", "new_string": "# Greets", "instruction": "Say what it does." }),
            )
        },
        shell: || {
            tool(
                "run_shell_command",
                json!({ "command": "touch by-a-command.txt", "description": "So" }),
            )
        },
        asked: [
            ("ask", &["replace", "run_shell_command"]),
            ("clones", &["run_shell_command"]),
            ("all", &[]),
        ],
    };
    asks_as_its_profile_says(kind, |model| geminis::parlour(&program, model)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_asks_as_its_profile_says() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let kind = Kind {
        llm: "opencode",
        read: || tool("read", json!({ "filePath": FILE })),
        edit: || {
            tool(
                "edit",
                json!({ "filePath": FILE, "oldString": "# greeter", "newString": "# Greets" }),
            )
        },
        shell: || {
            tool(
                "bash",
                json!({ "command": "touch by-a-command.txt", "description": "So" }),
            )
        },
        asked: [("ask", &["edit", "bash"]), ("clones", &["bash"]), ("all", &[])],
    };
    asks_as_its_profile_says(kind, |model| opencodes::parlour(&program, model)).await;
}
