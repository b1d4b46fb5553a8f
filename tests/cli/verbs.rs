//! Questions, answers, and the words and exit codes they come out as.

use std::fs;
use std::path::Path;

use portable_pty::CommandBuilder;
use serde_json::{Value, json};

use super::engine::{Engine, Reply, parlour, stderr, stdout};
use crate::support::parlour::git;
use crate::support::terminal::Terminal;

fn chat() -> Value {
    json!({"id": "aaaaaaaaaa", "handle": "fix-auth", "name": "Fix auth", "status": "starting", "detail": ""})
}

#[test]
fn json_is_the_engines_answer_in_one_line() {
    let answer = json!({"chats": [chat()], "later": {"keys": ["stay", 1]}});
    let engine = Engine::answering(answer.clone());
    let output = engine.parlour(&["list", "--json"]);
    assert!(output.status.success());
    assert_eq!(stdout(&output), format!("{answer}\n"));
    assert_eq!(engine.asked(), json!({"noun": "chats", "verb": "list"}));
}

#[test]
fn a_failure_is_one_line_with_what_to_do_and_exits_with_1() {
    let engine = Engine::new(|_| Reply::problem("finding x", "no chat is called\nx\u{1b}[31m", "see `parlour list`"));
    let output = engine.parlour(&["explain", "x"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "");
    assert_eq!(
        stderr(&output),
        "parlour: finding x: no chat is called\\nx\\u{1b}[31m; see `parlour list`\n"
    );
    let output = engine.parlour(&["explain", "x", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stdout(&output), "");
    let problem = json!({"doing": "finding x", "cause": "no chat is called\nx\u{1b}[31m", "hint": "see `parlour list`", "kind": "user"});
    assert_eq!(
        serde_json::from_str::<Value>(stderr(&output)).unwrap(),
        json!({"error": problem})
    );
}

#[test]
fn the_exit_code_follows_the_kind_of_a_failure() {
    for (kind, code) in [("user", 1), ("missing", 3), ("limit", 4), ("busy", 5), ("fault", 6)] {
        let problem = json!({"doing": "x", "cause": "y", "hint": "z", "kind": kind});
        let told = problem.clone();
        let engine = Engine::new(move |_| Reply {
            lines: Vec::new(),
            answer: Some(Err(told.clone())),
        });
        let output = engine.parlour(&["explain", "x", "--json"]);
        assert_eq!(output.status.code(), Some(code), "{kind}");
        assert_eq!(
            serde_json::from_str::<Value>(stderr(&output)).unwrap(),
            json!({"error": problem})
        );
    }
}

#[test]
fn wrong_use_exits_with_2_and_asks_nobody() {
    let engine = Engine::answering(json!({}));
    assert_eq!(engine.parlour(&["wait", "x"]).status.code(), Some(2));
    assert_eq!(engine.parlour(&["fix-auth", "list"]).status.code(), Some(2));
    assert!(engine.was_asked_no_more());
}

#[test]
fn a_new_chat_takes_directories_and_the_whole_environment_along() {
    let engine = Engine::answering(chat());
    let words = [
        "new",
        "Fix auth",
        "-p",
        "-1 is wrong",
        "--dir",
        "api:grove:ro",
        "--branch",
        "fix",
    ];
    let output = parlour(&engine.home(), &words)
        .current_dir("/tmp")
        .env("ANTHROPIC_API_KEY", "k")
        .output()
        .unwrap();
    assert_eq!(
        stdout(&output),
        "fix-auth (Fix auth): starting\n`parlour fix-auth` opens it\n"
    );
    let asked = engine.asked();
    assert_eq!(asked["verb"], "new");
    assert_eq!(asked["prompt"], "-1 is wrong");
    assert_eq!(asked["cwd"], json!(std::env::current_dir().map(|_| "/tmp").unwrap()));
    assert_eq!(asked["env"]["ANTHROPIC_API_KEY"], "k");
    let dir = &asked["dirs"][0];
    assert_eq!(
        [&dir["label"], &dir["path_or_url"], &dir["mode"], &dir["branch"]],
        ["api", "grove", "ro", "fix"]
    );
}

#[test]
fn a_new_chat_takes_the_repository_around_it_along_unless_told_otherwise() {
    let engine = Engine::answering(chat());
    let place = tempfile::tempdir().unwrap();
    let outside = place.path().canonicalize().unwrap();
    let grove = outside.join("grove");
    let src = grove.join("src");
    fs::create_dir_all(&src).unwrap();
    let new = |dir: &Path, words: &[&str]| {
        let mut command = parlour(&engine.home(), &[&["new"], words].concat());
        let output = command.current_dir(dir).output().unwrap();
        let dirs = engine.asked()["dirs"].as_array().cloned().unwrap_or_default();
        (stdout(&output).to_string(), dirs)
    };
    let plain = "fix-auth (Fix auth): starting\n`parlour fix-auth` opens it\n".to_string();
    git(&grove, &["init", "-q"]);
    let nothing = "no project: grove has no commit yet; commit there first, or open it with --in-place";
    let (said, dirs) = new(&grove, &[]);
    assert!(said.contains(nothing) && dirs.is_empty(), "{said}");
    let mut on_branch = parlour(&engine.home(), &["new", "--branch", "fix"]);
    let refused = on_branch.current_dir(&grove).output().unwrap();
    let told = stderr(&refused);
    assert!(
        told.contains("the repository around this directory has no commit yet"),
        "{told}"
    );
    let ada = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost"];
    git(
        &grove,
        &[&ada[..], &["commit", "-q", "--allow-empty", "-m", "Begin"]].concat(),
    );

    let (said, dirs) = new(&src, &["--branch", "fix"]);
    let root = grove.to_str().unwrap();
    assert_eq!([&dirs[0]["path_or_url"], &dirs[0]["branch"]], [root, "fix"]);
    assert_eq!(
        said,
        format!(
            "fix-auth (Fix auth): starting\nproject grove from {root}; --no-project for none\n`parlour fix-auth` opens it\n"
        )
    );
    let (said, dirs) = new(&grove, &[]);
    assert!(
        said.contains("\nproject grove from .; --no-project for none\n"),
        "{said}"
    );
    assert_eq!((dirs.len(), &dirs[0]["branch"]), (1, &Value::Null));

    assert_eq!(new(&grove, &["--no-project"]), (plain.clone(), Vec::new()));
    assert_eq!(new(&outside, &[]), (plain.clone(), Vec::new()));
    let (said, dirs) = new(&grove, &["--dir", "/srv/books"]);
    assert_eq!(
        (said, dirs.len(), &dirs[0]["path_or_url"]),
        (plain, 1, &json!("/srv/books"))
    );
    // An agent says what it means.
    let mut by_agent = parlour(&engine.home(), &["new"]);
    by_agent
        .env("PARLOUR_CHAT", "aaaaaaaaaa")
        .current_dir(&grove)
        .output()
        .unwrap();
    assert_eq!(engine.asked()["dirs"].as_array().map_or(0, Vec::len), 0);
    let mut both = parlour(&engine.home(), &["new", "--no-project", "--branch", "fix"]);
    let refused = both.current_dir(&grove).output().unwrap();
    assert!(
        stderr(&refused).contains("a branch was named, but no project"),
        "{refused:?}"
    );
    assert!(engine.was_asked_no_more());
}

#[test]
fn a_home_that_is_a_file_is_named() {
    let place = tempfile::tempdir().unwrap();
    let home = place.path().join("home");
    fs::write(&home, "").unwrap();
    let refused = parlour(&home, &["list"]).output().unwrap();
    let told = stderr(&refused);
    assert!(
        told.contains(&format!("{} cannot be written", home.display())),
        "{told}"
    );
}

#[test]
fn several_agents_are_stopped_and_one_that_cannot_be_keeps_none_back() {
    let engine = Engine::new(|request| match request["chat"].as_str() {
        Some("gone") => Reply::problem("finding gone", "no chat is called gone", ""),
        _ => Reply::with(json!({"handle": request["chat"], "name": "Any", "status": "exited", "detail": "stopped"})),
    });
    let output = engine.parlour(&["stop", "one", "gone", "two"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stdout(&output),
        "one (Any): exited, stopped\ntwo (Any): exited, stopped\n"
    );
    assert_eq!(stderr(&output), "parlour: finding gone: no chat is called gone\n");
}

#[test]
fn a_queued_prompt_is_told_with_its_reason_and_is_no_failure() {
    let answer = json!({
        "sent": false, "handle": "fix-auth", "queued": true, "why": "sent when this turn ends", "id": "k1",
    });
    let engine = Engine::answering(answer.clone());
    let output = engine.parlour(&["send", "fix-auth", "go on", "--id", "k1"]);
    assert_eq!(
        (output.status.code(), stdout(&output)),
        (Some(0), "queued for fix-auth: sent when this turn ends\n")
    );
    let asked = engine.asked();
    assert_eq!([&asked["id"], &asked["wait"]], [&json!("k1"), &json!(false)]);
    let output = engine.parlour(&["send", "fix-auth", "go on", "--json"]);
    assert_eq!(stdout(&output), format!("{answer}\n"));
    assert_eq!(engine.asked()["id"].as_str().map(str::len), Some(32));
}

#[test]
fn what_a_send_waits_for_is_told_beside_its_answer() {
    let engine = Engine::new(|_| Reply {
        lines: vec![json!({"waiting": "the agent is waiting for your answer"})],
        answer: Some(Ok(json!({"sent": true, "queued": false, "why": null, "id": "k1"}))),
    });
    let output = engine.parlour(&["send", "fix-auth", "go on", "--wait"]);
    assert_eq!(stdout(&output), "sent\n");
    assert_eq!(
        stderr(&output),
        "parlour: waiting: the agent is waiting for your answer\n"
    );
    assert_eq!(engine.asked()["wait"], true);
}

#[test]
fn a_relative_home_is_the_one_below_the_current_directory() {
    let engine = Engine::answering(json!({"chats": []}));
    let below = engine.home();
    let output = parlour(&below, &["list", "--json"])
        .current_dir(below.parent().unwrap())
        .env("PARLOUR_HOME", "home")
        .output()
        .unwrap();
    assert_eq!(stdout(&output), "{\"chats\":[]}\n");
}

fn engine_that_would_lose_work() -> Engine {
    Engine::new(|asked| match asked["yes"].as_bool() {
        Some(true) => Reply::with(json!({"deleted": "aaaaaaaaaa", "handle": "fix-auth"})),
        _ => Reply {
            lines: Vec::new(),
            answer: Some(Err(json!({
                "doing": "deleting fix-auth",
                "cause": "nothing was deleted: it would lose grove: 1 commit not pushed",
                "hint": "say `--yes` to delete it",
                "lost": ["grove: 1 commit not pushed"],
            }))),
        },
    })
}

#[test]
fn without_a_terminal_rm_names_what_would_be_lost_and_deletes_nothing() {
    let engine = engine_that_would_lose_work();
    let output = engine.parlour(&["rm", "fix-auth"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("it would lose grove: 1 commit not pushed"),
        "{output:?}"
    );
    assert_eq!(engine.asked()["yes"], false);
    assert!(engine.was_asked_no_more());
}

#[test]
fn rm_deletes_what_was_confirmed_beforehand() {
    let engine = engine_that_would_lose_work();
    let output = engine.parlour(&["rm", "fix-auth", "--yes"]);
    assert!(
        stdout(&output).contains("`parlour undo-rm fix-auth` brings it back"),
        "{output:?}"
    );
    assert!(
        stdout(&output).contains("only in the trash now: grove: 1 commit not pushed"),
        "{output:?}"
    );
    assert_eq!(engine.asked()["yes"], false);
    assert_eq!(engine.asked()["yes"], true);
}

fn rm_in_a_terminal(engine: &Engine, answer: &str) -> Terminal {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_parlour"));
    command.args(["rm", "fix-auth"]);
    command.env("PARLOUR_HOME", engine.home());
    command.env_remove("PARLOUR_CHAT");
    let mut terminal = Terminal::spawn(command);
    terminal.wait_for_text("it would lose grove: 1 commit not pushed");
    terminal.wait_for_text("Delete it? [y/N]");
    assert_eq!(engine.asked()["yes"], false);
    terminal.press(answer);
    terminal
}

#[test]
fn in_a_terminal_rm_asks_and_takes_yes_for_yes() {
    let engine = engine_that_would_lose_work();
    let mut terminal = rm_in_a_terminal(&engine, "y\r");
    terminal.wait_for_text("in the trash");
    assert_eq!(terminal.wait_for_end(), 0);
    assert_eq!(engine.asked()["yes"], false, "it is looked at again");
    assert_eq!(engine.asked()["yes"], true);
}

#[test]
fn in_a_terminal_rm_takes_anything_else_for_no() {
    let engine = engine_that_would_lose_work();
    let mut terminal = rm_in_a_terminal(&engine, "\r");
    terminal.wait_for_text("nothing was deleted");
    assert_eq!(terminal.wait_for_end(), 0);
    assert!(engine.was_asked_no_more());
}

#[test]
fn an_agent_may_neither_delete_a_chat_nor_end_the_engine() {
    let engine = Engine::answering(json!({}));
    for words in [&["rm", "fix-auth", "--yes"][..], &["kill-engine"]] {
        let output = parlour(&engine.home(), words)
            .env("PARLOUR_CHAT", "aaaaaaaaaa")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        assert!(stderr(&output).contains("for a person to decide"), "{output:?}");
    }
    assert!(engine.was_asked_no_more());
}

#[test]
fn ending_an_engine_that_does_not_run_is_no_failure_and_starts_none() {
    let home = tempfile::tempdir().unwrap();
    let output = parlour(home.path(), &["kill-engine"]).output().unwrap();
    assert!(output.status.success());
    assert_eq!(stdout(&output), "no engine runs\n");
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn the_demo_is_printed_where_there_is_no_terminal() {
    let engine = Engine::answering(chat());
    let output = engine.parlour(&["demo"]);
    assert_eq!(stdout(&output), "fix-auth (Fix auth): starting\n", "{output:?}");
    let asked = engine.asked();
    assert_eq!(asked["verb"], "demo");
    assert!(
        asked["env"]["PATH"].is_string(),
        "its agent starts in the environment of the shell"
    );
}

#[test]
fn completions_know_the_verbs() {
    let home = tempfile::tempdir().unwrap();
    let zsh = parlour(home.path(), &["completions", "zsh"]).output().unwrap();
    let script = stdout(&zsh);
    let (function, rest) = script
        .split_once("\ncompdef _clap_dynamic_completer_parlour parlour\n")
        .unwrap();
    assert!(
        function.contains("function _clap_dynamic_completer_parlour() {"),
        "{script}"
    );
    assert!(
        rest.contains("_parlour ]]; then\n    _clap_dynamic_completer_parlour \"$@\""),
        "{rest}"
    );
    for shell in ["bash", "zsh", "fish"] {
        let output = parlour(home.path(), &["completions", shell]).output().unwrap();
        assert!(stdout(&output).contains("PARLOUR_COMPLETE"), "{shell}");
        // As the script asks.
        let mut asks = parlour(home.path(), &["--", "parlour", "kil"]);
        asks.env("PARLOUR_COMPLETE", shell).env("_CLAP_COMPLETE_INDEX", "1");
        let output = asks.output().unwrap();
        assert!(stdout(&output).starts_with("kill-engine"), "{shell}: {output:?}");
    }
}

#[test]
fn the_doctor_answers_in_problems_and_changes_nothing() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("config.json"), "{").unwrap();
    let output = parlour(home.path(), &["doctor", "--json"]).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let about_settings = |problem: &&Value| problem["what"].as_str().unwrap().starts_with("config.json:1:1:");
    let problem = found["problems"]
        .as_array()
        .unwrap()
        .iter()
        .find(about_settings)
        .unwrap();
    assert_eq!(problem["where"], json!(home.path().join("config.json")));
    let hint = problem["hint"].as_str().unwrap();
    assert!(hint.starts_with("correct line 1, column 1; "), "{hint}");
    assert_eq!(output.status.code(), Some(1), "what is to be put right is a failure");
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1);
}

#[test]
fn roles_are_listed_with_where_they_come_from_and_without_an_engine() {
    let place = tempfile::tempdir().unwrap();
    let repository = place.path().join("grove");
    std::fs::create_dir(&repository).unwrap();
    git(&repository, &["init", "-q"]);
    std::fs::create_dir_all(repository.join(".parlour/roles")).unwrap();
    let role = "---\ndescription: Cuts a release\nagent: codex\nmodel: gpt-5\n---\nCut it.";
    std::fs::write(repository.join(".parlour/roles/releaser.md"), role).unwrap();
    std::fs::write(repository.join(".parlour/roles/worker.md"), "---\nmodle: x\n---\n").unwrap();
    let home = place.path().join("home");
    let said = parlour(&home, &["roles"]).current_dir(&repository).output().unwrap();
    let (table, error) = (stdout(&said), stderr(&said));
    assert!(said.status.success(), "{error}");
    let lines: Vec<&str> = table.lines().map(str::trim_end).collect();
    assert_eq!(lines[0], "ROLE          FROM        AGENT  MODEL  DESCRIPTION");
    assert!(
        lines.contains(&"releaser      repository  codex  gpt-5  Cuts a release"),
        "{table}"
    );
    assert!(
        table.contains("worker        repository  any    any    cannot be read: "),
        "{table}"
    );
    assert!(table.contains("merger        shipped "), "{table}");
    let json = parlour(&home, &["roles", "--json"])
        .current_dir(&repository)
        .output()
        .unwrap();
    let listed: Value = serde_json::from_str(stdout(&json)).unwrap();
    let names: Vec<_> = listed["roles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|role| &role["name"])
        .collect();
    assert_eq!(names, ["merger", "orchestrator", "releaser", "reviewer", "worker"]);
    assert!(!home.exists(), "looking makes no home");
}

#[test]
fn a_screen_inside_a_chats_terminal_is_refused_and_verbs_are_not() {
    let home = tempfile::tempdir().unwrap();
    let inside = |words: &[&str]| {
        let mut parlour = parlour(home.path(), words);
        let shell = parlour.env("PARLOUR_CHAT", "aaaaaaaaaa").env("PARLOUR_AGENT", "shell");
        shell.output().unwrap()
    };
    for words in [&[][..], &["--", "work"]] {
        let refused = inside(words);
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        let said = stderr(&refused);
        assert!(
            said.contains("env -u PARLOUR_CHAT parlour") && said.contains("`parlour list`"),
            "{said}"
        );
    }
    assert!(inside(&["config", "get", "sandbox"]).status.success());
}
