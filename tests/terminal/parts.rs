//! Real agent CLIs at work in a part of a repository, `--dir repo/src`: what they are told of it, where they start, and
//! that nothing of the repository's own settings is taken for the chat's.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::{claude as claudes, codex as codexes, gemini as geminis, opencode as opencodes};
use crate::support::model_server::{Block, ModelServer, Scenario, text, tool, turn};
use crate::support::parlour::{PATIENCE, Parlour, git, until};
use crate::support::{claude, codex, gemini, opencode};

/// How a CLI calls a shell, and whether a hook tells it what is said where it goes.
struct Kind {
    llm: &'static str,
    shell: fn(&str) -> Block,
    hears_where_it_goes: bool,
}

/// A repository with instructions at three depths, which would have each CLI start a program.
fn repository(scratch: &Path) -> (PathBuf, PathBuf) {
    let (path, started) = (scratch.join("greeter"), scratch.join("started"));
    let write = |file: &str, text: String| {
        fs::create_dir_all(path.join(file).parent().unwrap()).unwrap();
        fs::write(path.join(file), text).unwrap();
    };
    for (dir, says) in [
        ("", "Greet in plain English.\n"),
        ("src/", "Greet without a name.\n"),
        ("src/deep/", "Greet deep down.\n"),
    ] {
        write(&format!("{dir}AGENTS.md"), says.into());
    }
    let trap = format!("touch {}", started.display());
    let server = json!({ "command": "sh", "args": ["-c", trap] });
    for dir in ["", "src/"] {
        let hook = json!({ "hooks": { "SessionStart": [{ "hooks": [{ "type": "command", "command": trap }] }] } });
        write(&format!("{dir}.claude/settings.json"), hook.to_string());
        write(&format!("{dir}.codex/hooks.json"), hook.to_string());
        write(
            &format!("{dir}.mcp.json"),
            json!({ "mcpServers": { "trap": server } }).to_string(),
        );
        write(
            &format!("{dir}.gemini/settings.json"),
            json!({ "mcpServers": { "trap": server } }).to_string(),
        );
        let command = json!({ "type": "local", "command": ["sh", "-c", trap], "enabled": true });
        write(
            &format!("{dir}opencode.json"),
            json!({ "mcp": { "trap": command } }).to_string(),
        );
    }
    git(&path, &["init", "-q", "-b", "main"]);
    git(&path, &["add", "."]);
    git(&path, &["commit", "-q", "-m", "Greet"]);
    (path, started)
}

async fn works_in_a_part(kind: Kind, open: impl FnOnce(&ModelServer) -> Parlour) {
    let sources = tempfile::tempdir().unwrap();
    let (repository, started) = repository(sources.path());
    let work = turn![
        (kind.shell)("pwd"),
        (kind.shell)("cd projects/greeter/src/deep"),
        (kind.shell)("ls projects"),
        text("I was there.")
    ];
    let model = ModelServer::start(Scenario::of([work.when("look around")])).await;
    let parlour = open(&model);
    let config = json!({ "trust": { "claude": true }, "permissions": { "allow": ["Bash"] } });
    parlour.configure(&config.to_string());
    let part = repository.join("src").display().to_string();
    let made = parlour.json(&["new", "Hotfix", "--llm", kind.llm, "--dir", &part, "-p", "look around"]);
    until("it has answered", 3 * PATIENCE, || {
        for asked in parlour.json(&["approvals"])["approvals"].as_array().unwrap() {
            // It may be answered by now.
            let _ = parlour.run(&["approve", asked["id"].as_str().unwrap_or_default()]);
        }
        let events = parlour.events("hotfix");
        events.iter().any(|event| event["text"] == "I was there.")
    });

    let asked = model.conversation();
    let said = |at: usize| asked[at].body.to_string();
    let first = said(0);
    for told in [
        "- projects/greeter/src on branch main, a part of projects/greeter",
        r#"mode=\"rw\">projects/greeter/src</dir>"#,
        "Greet in plain English.",
        "Greet without a name.",
    ] {
        assert!(first.contains(told), "{told} in {first}");
    }
    assert!(!first.contains("Greet deep down."), "{first}");
    let told: Vec<String> = asked.iter().flat_map(|asked| asked.tool_results.clone()).collect();
    let dir = Path::new(made["dir"].as_str().unwrap()).canonicalize().unwrap();
    assert!(told[0].contains(&dir.display().to_string()), "{told:?}");
    let last = said(asked.len() - 1);
    assert_eq!(last.contains("Greet deep down."), kind.hears_where_it_goes, "{last}");
    assert!(!started.exists(), "what the repository brings was started");
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_works_in_a_part() {
    let Some(program) = claude::installed() else {
        return;
    };
    let kind = Kind {
        llm: "claude",
        shell: |command| tool("Bash", json!({ "command": command, "description": "So" })),
        hears_where_it_goes: true,
    };
    works_in_a_part(kind, |model| claudes::parlour(&program, model)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_works_in_a_part() {
    let Some(program) = codex::installed() else {
        return;
    };
    let kind = Kind {
        llm: "codex",
        shell: |command| tool("exec_command", json!({ "cmd": command })),
        hears_where_it_goes: true,
    };
    works_in_a_part(kind, |model| codexes::parlour(&program, model)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_works_in_a_part() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let kind = Kind {
        llm: "gemini",
        shell: |command| tool("run_shell_command", json!({ "command": command, "description": "So" })),
        hears_where_it_goes: true,
    };
    works_in_a_part(kind, |model| geminis::parlour(&program, model)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_works_in_a_part() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let kind = Kind {
        llm: "opencode",
        shell: |command| tool("bash", json!({ "command": command, "description": "So" })),
        hears_where_it_goes: true,
    };
    works_in_a_part(kind, |model| opencodes::parlour(&program, model)).await;
}
