//! What the real CLIs say by themselves, with no parlour around them, to the table of command lines: what
//! `tests/app/commands.rs` compares parlour with is what they say today.
//!
//! Every line does no harm where it runs: in a directory of its own, with a home of its own, as the CLIs run what they
//! allow. `PARLOUR_RECORD=1` writes the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::support::acp::Acp;
use crate::support::commands::{Table, Verdict};
use crate::support::model_server::{Asked, Block, ModelServer, Scenario, Step, Turn, text, tool};
use crate::support::parlour::git;
use crate::support::{claude, codex, gemini, opencode};

/// A conversation grows with each call.
const AT_ONCE: usize = 150;

/// Lines of the table, as turns of a model that calls one after the other.
struct Lines {
    texts: Vec<String>,
    /// By the replies of the model in order: the number of the line that each calls.
    calls: Vec<Option<usize>>,
    turns: Vec<Turn>,
}

impl Lines {
    fn new(texts: Vec<String>, call: impl Fn(&str) -> Block) -> Lines {
        let (mut calls, mut turns) = (Vec::new(), Vec::new());
        let numbered: Vec<(usize, &String)> = texts.iter().enumerate().collect();
        for some in numbered.chunks(AT_ONCE) {
            let mut steps: Vec<Step> = Vec::new();
            for (at, line) in some {
                steps.push(call(line).into());
                calls.push(Some(*at));
            }
            steps.push(text("Done.").into());
            calls.push(None);
            turns.push(Turn { when: None, steps });
        }
        Lines { texts, calls, turns }
    }

    /// With a step behind each line that leads a shell, which goes on to be there, back to where it was.
    fn led_back(mut self, back: &Block) -> Lines {
        let mut calls = self.calls.iter();
        let mut all = Vec::new();
        for turn in &mut self.turns {
            let mut steps = Vec::new();
            for (step, line) in turn.steps.drain(..).zip(&mut calls) {
                steps.push(step);
                all.push(*line);
                if line.is_some_and(|at| leads(&self.texts[at])) {
                    steps.push(back.clone().into());
                    all.push(None);
                }
            }
            turn.steps = steps;
        }
        self.calls = all;
        self
    }

    fn scenario(&self) -> Scenario {
        Scenario::of(self.turns.clone())
    }

    fn judged(&self, verdict: impl Fn(usize, &str) -> Verdict) -> Vec<(String, Verdict)> {
        let numbered = self.texts.iter().enumerate();
        numbered.map(|(at, line)| (line.clone(), verdict(at, line))).collect()
    }

    /// What came back of each line.
    fn results(&self, model: &ModelServer) -> BTreeMap<usize, String> {
        let asked = model.conversation();
        assert_eq!(asked.len(), self.calls.len(), "each reply is asked for once");
        // In some dialects the results of a whole turn come again.
        let newest = |asked: &Asked| asked.tool_results.last().cloned().unwrap_or_default();
        let next = asked.iter().skip(1).map(newest);
        let called = self.calls.iter().zip(next);
        called.filter_map(|(line, said)| Some(((*line)?, said))).collect()
    }
}

fn leads(line: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric())
        .any(|word| ["cd", "pushd"].contains(&word))
}

/// A directory like a chat's with a clone in it, and what lies around it.
struct Stage {
    scratch: tempfile::TempDir,
}

impl Stage {
    fn set() -> Stage {
        let scratch = tempfile::tempdir().unwrap();
        let stage = Stage { scratch };
        let (dir, other) = (stage.dir(), stage.scratch.path().join("other"));
        let clone = dir.join("projects/grove");
        for folder in [&dir.join("src"), &clone, &other, &stage.scratch.path().join("home")] {
            fs::create_dir_all(folder).unwrap();
        }
        let files = [
            "README.md",
            "a.txt",
            "b.txt",
            "notes.txt",
            "with blank.txt",
            "-dash.txt",
            ".env",
            "src/main.rs",
            "src/lib.rs",
            "projects/grove/README.md",
        ];
        for file in files {
            fs::write(dir.join(file), "a line\n").unwrap();
        }
        fs::write(dir.join("data.json"), "{\"name\": \"x\"}\n").unwrap();
        fs::write(dir.join("script.sh"), "echo scripted\n").unwrap();
        fs::write(dir.join("x"), "echo scripted\n").unwrap();
        fs::write(other.join("x.txt"), "x\n").unwrap();
        fs::write(stage.scratch.path().join("home/notes.md"), "x\n").unwrap();
        symlink(&other, dir.join("link-out")).unwrap();
        git(&clone, &["init", "-q", "-b", "main"]);
        git(&clone, &["add", "."]);
        git(&clone, &["commit", "-q", "-m", "one"]);
        git(&clone, &["clone", "-q", "--bare", ".", "../../../origin.git"]);
        git(&clone, &["clone", "-q", "--bare", ".", "../bare.git"]);
        stage
    }

    fn dir(&self) -> PathBuf {
        self.scratch.path().join("chat")
    }
}

/// Has the CLI do one turn by itself.
fn runs(program: &Path, words: &[&str], dir: &Path, env: &[(String, String)]) -> Output {
    let mut command = Command::new(program);
    let path = std::env::var("PATH").unwrap();
    command.args(words).current_dir(dir).stdin(Stdio::null());
    command
        .env_clear()
        .env("PATH", path)
        .envs(env.iter().cloned())
        .output()
        .unwrap()
}

/// Without a terminal it denies what it would ask about, and names it at the end.
#[tokio::test(flavor = "multi_thread")]
async fn claude_code_says_of_each_command_what_was_recorded() {
    let Some(program) = claude::installed() else {
        return;
    };
    let call = |line: &str| tool("Bash", json!({ "command": line, "description": "So" }));
    let lines = Lines::new(Table::read().sample("claude", 1), call).led_back(&call("cd ${cwd}"));
    let model = ModelServer::start(lines.scenario()).await;
    let stage = Stage::set();
    let home = claude::home(stage.scratch.path());
    fs::write(home.join(".claude/settings.json"), "{}").unwrap();
    claude::trust(&home, &stage.dir());
    let env = claude::environment(&home, &model.url());
    let mut asked = BTreeSet::new();
    for _ in &lines.turns {
        let said = runs(&program, &["-p", "go", "--output-format", "json"], &stage.dir(), &env);
        let told: Value = serde_json::from_slice(&said.stdout).unwrap_or_else(|error| panic!("{error}: {said:?}"));
        let denied = told["permission_denials"].as_array().unwrap();
        let command = |call: &Value| call["tool_input"]["command"].as_str().map(String::from);
        asked.extend(denied.iter().filter_map(command));
    }
    let results = lines.results(&model);
    let verdict = |at: usize, line: &str| match &results[&at] {
        _ if asked.contains(line) => Verdict::Asks,
        said if said.contains("<tool_use_error>") => Verdict::Refuses,
        _ => Verdict::Runs,
    };
    Table::holds("claude", &lines.judged(verdict));
}

/// Without a terminal it rejects what it would ask about. All else runs, in its sandbox.
#[tokio::test(flavor = "multi_thread")]
async fn codex_says_of_each_command_what_was_recorded() {
    let Some(program) = codex::installed() else {
        return;
    };
    let call = |line: &str| tool("exec_command", json!({ "cmd": line }));
    let lines = Lines::new(Table::read().sample("codex", 20), call);
    let model = ModelServer::start(lines.scenario()).await;
    let stage = Stage::set();
    let home = codex::home(stage.scratch.path(), &model.url());
    let env = codex::environment(&home);
    let trusted = format!(
        "projects={{{:?}={{trust_level=\"trusted\"}}}}",
        stage.dir().display().to_string()
    );
    let words = [
        "exec",
        "--skip-git-repo-check",
        "-s",
        "workspace-write",
        "-c",
        &trusted,
        "go",
    ];
    for _ in &lines.turns {
        runs(&program, &words, &stage.dir(), &env);
    }
    let results = lines.results(&model);
    let verdict = |at: usize, _: &str| match results[&at].contains("` rejected: ") {
        true => Verdict::Asks,
        false => Verdict::Runs,
    };
    Table::holds("codex", &lines.judged(verdict));
}

/// What a CLI asks an editor about.
fn said_to_an_editor(program: &Path, words: &[&str], env: Vec<(String, String)>, at: (&Lines, &ModelServer, &Stage)) {
    let (lines, model, stage) = at;
    let mut asked = BTreeSet::new();
    for _ in &lines.turns {
        let mut acp = Acp::start(program, words, &stage.dir(), env.clone());
        acp.prompt(&stage.dir(), "go", || {
            asked.extend(lines.calls[model.conversation().len() - 1]);
        });
    }
    lines.results(model);
    let verdict = |at: usize, _: &str| match asked.contains(&at) {
        true => Verdict::Asks,
        false => Verdict::Runs,
    };
    let cli = program.file_name().unwrap().to_string_lossy().into_owned();
    Table::holds(&cli, &lines.judged(verdict));
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_says_of_each_command_what_was_recorded() {
    let Some(program) = gemini::installed() else {
        return;
    };
    let call = |line: &str| tool("run_shell_command", json!({ "command": line, "description": "So" }));
    let lines = Lines::new(Table::read().sample("gemini", 20), call);
    let model = ModelServer::start(lines.scenario()).await;
    let stage = Stage::set();
    let home = gemini::home(stage.scratch.path());
    let mut env = gemini::environment(&home, &model.url());
    env.push(("GEMINI_CLI_TRUST_WORKSPACE".into(), "true".into()));
    let words = ["-m", "gemini-2.5-pro", "--acp"];
    said_to_an_editor(&program, &words, env, (&lines, &model, &stage));
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_says_of_each_command_what_was_recorded() {
    let Some(program) = opencode::installed() else {
        return;
    };
    let call = |line: &str| tool("bash", json!({ "command": line, "description": "So" }));
    let lines = Lines::new(Table::read().sample("opencode", 20), call);
    let model = ModelServer::start(lines.scenario()).await;
    let stage = Stage::set();
    let home = opencode::home(stage.scratch.path(), &model.url());
    let mut env = vec![("HOME".to_owned(), home.to_string_lossy().into_owned())];
    for name in ["AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD"] {
        env.push((format!("OPENCODE_DISABLE_{name}"), "1".into()));
    }
    said_to_an_editor(&program, &["acp"], env, (&lines, &model, &stage));
}
