//! Rules as parlour writes them into a CLI's own files hold there with no hook beside them, and what parlour's hook leaves
//! to a CLI is asked about there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use super::acts::asks_of;
use super::{claude as claude_chats, codex as codex_chats, gemini as gemini_chats};
use crate::support::model_server::{Block, ModelServer, Scenario, text, tool, turn};
use crate::support::parlour::{Parlour, git};
use crate::support::{claude, codex, gemini};

/// Calls two commands, one after the other.
fn work(call: impl Fn(&str) -> Block) -> Scenario {
    Scenario::of([turn![call("touch forbidden.txt"), call("mkdir made"), text("Done.")].when("do both")])
}

/// The directory of a chat under these rules, as its agent's start left it: the agent is stopped.
fn chat(parlour: &Parlour, llm: &str, rules: &Value) -> PathBuf {
    parlour.configure(&json!({ "permissions": rules }).to_string());
    parlour.json(&["new", "Bare", "--llm", llm]);
    let made = parlour.wait("bare", "idle");
    parlour.json(&["stop", "bare"]);
    made["dir"].as_str().unwrap().into()
}

/// Has the CLI do one turn by itself.
fn runs(program: &Path, words: &[&str], dir: &Path, env: Vec<(String, String)>) -> Output {
    let mut command = Command::new(program);
    let path = std::env::var("PATH").unwrap();
    command.args(words).current_dir(dir).stdin(Stdio::null());
    command.env_clear().env("PATH", path).envs(env).output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_refuses_what_is_denied_by_the_file_alone() {
    let Some(program) = codex::installed() else {
        return;
    };
    let call = |command: &str| tool("exec_command", json!({ "cmd": command }));
    let model = ModelServer::start(work(call)).await;
    let parlour = codex_chats::parlour(&program, &model);
    let dir = chat(&parlour, "codex", &json!({ "deny": ["Bash(touch:*)"] }));
    fs::remove_file(dir.join(".codex/hooks.json")).unwrap();

    let trusted = format!(
        "projects={{{:?}={{trust_level=\"trusted\"}}}}",
        dir.display().to_string()
    );
    let words = [
        "exec",
        "--skip-git-repo-check",
        "-s",
        "workspace-write",
        "-c",
        &trusted,
        "do both",
    ];
    let said = runs(
        &program,
        &words,
        &dir,
        codex::environment(&parlour.scratch().join("home")),
    );
    assert!(dir.join("made").exists(), "{said:?}");
    assert!(!dir.join("forbidden.txt").exists(), "{said:?}");
    let told: Vec<String> = model
        .conversation()
        .into_iter()
        .flat_map(|asked| asked.tool_results)
        .collect();
    assert!(told[0].contains("a rule of config.json: Bash(touch:*)"), "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_runs_what_is_allowed_by_the_file_alone() {
    let Some(program) = gemini::installed() else {
        return;
    };
    for (rules, runs_it) in [(json!({ "allow": ["Bash"] }), true), (json!({}), false)] {
        let call = |command: &str| tool("run_shell_command", json!({ "command": command }));
        let model = ModelServer::start(work(call)).await;
        let parlour = gemini_chats::parlour(&program, &model);
        let dir = chat(&parlour, "gemini", &rules);
        let file = dir.join(".gemini/settings.json");
        let mut settings: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        assert!(settings.as_object_mut().unwrap().remove("hooks").is_some());
        fs::write(&file, settings.to_string()).unwrap();

        let mut env = gemini::environment(&parlour.scratch().join("home"), &model.url());
        env.push(("GEMINI_CLI_TRUST_WORKSPACE".into(), "true".into()));
        let said = runs(&program, &["-m", "gemini-2.5-pro", "-p", "do both"], &dir, env);
        let asked = model.conversation();
        assert!(
            asked.iter().any(|asked| asked.last_user.contains("do both")),
            "{said:?}"
        );
        for name in ["forbidden.txt", "made"] {
            assert_eq!(dir.join(name).exists(), runs_it, "{name}: {said:?}");
        }
    }
}

/// A repository with a directory in it that git takes for a bare one, whose settings have `git status` make a file.
fn brought(source: &Path, made: &Path) {
    let depot = source.join("depot");
    for dir in ["objects", "refs"] {
        fs::create_dir_all(depot.join(dir)).unwrap();
        fs::write(depot.join(dir).join(".keep"), "").unwrap();
    }
    fs::write(depot.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    let program = format!("touch {}; false", made.display());
    let config =
        format!("[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = \"{program}\"\n");
    fs::write(depot.join("config"), config).unwrap();
    git(source, &["init", "-q", "-b", "main"]);
    git(source, &["add", "."]);
    git(source, &["commit", "-q", "-m", "one"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_asks_about_a_program_behind_a_redirection_and_git_runs_none_that_a_clone_brought() {
    let Some(program) = claude::installed() else {
        return;
    };
    let bash = |command: &str| tool("Bash", json!({ "command": command, "description": "So" }));
    let model = ModelServer::start(Scenario::of([
        turn![
            bash("find . 2>/dev/null -exec sh -c 'touch found' ';'"),
            text("Not found.")
        ]
        .when("find it"),
        turn![bash("cd projects/shelf/depot && git status"), text("So it stands.")].when("look there"),
    ]))
    .await;
    let parlour = claude_chats::parlour(&program, &model);
    let (source, made) = (parlour.scratch().join("shelf"), parlour.scratch().join("made"));
    brought(&source, &made);
    let opened = source.to_string_lossy().into_owned();
    let chat = parlour.json(&["new", "Hotfix", "--llm", "claude", "--dir", &opened, "-p", "find it"]);
    let dir = PathBuf::from(chat["dir"].as_str().unwrap());
    asks_of(&parlour, "hotfix", "find . 2>/dev/null");
    parlour.answer("deny");
    parlour.wait("hotfix", "idle");
    assert!(!dir.join("found").exists());

    // Even where a person lets it run, no program of the clone's does.
    parlour.say(&["send", "hotfix", "look there"]);
    asks_of(&parlour, "hotfix", "git status");
    assert!(!made.exists());
    parlour.answer("approve");
    parlour.wait("hotfix", "idle");
    let told = model.conversation().pop().unwrap().tool_results;
    assert!(told.last().unwrap().contains("safe.bareRepository"), "{told:?}");
    assert!(!made.exists());
    git(
        &dir.join("projects/shelf/depot"),
        &["-c", "safe.bareRepository=all", "status"],
    );
    assert!(made.exists(), "a git that takes the directory runs the program");
}
