//! A slip of the hand on the command line: it opens nothing, and an error is told as it was asked for.

use std::process::Command;

use serde_json::{Value, json};

use super::reviews::repository;
use crate::support::parlour::Parlour;

#[test]
fn a_mistyped_verb_or_chat_opens_no_screen_and_says_what_may_be_meant() {
    let parlour = Parlour::new();
    parlour.json(&["new", "Fix login", "--llm", "shell"]);
    let said = |word: &str, code: i32| {
        let ended = parlour.run(&[word]);
        assert_eq!(ended.status.code(), Some(code), "{ended:?}");
        assert!(ended.stdout.is_empty(), "{ended:?}");
        String::from_utf8(ended.stderr).unwrap()
    };
    assert!(
        said("lst", 2).contains("did you mean `parlour list`?"),
        "{}",
        said("lst", 2)
    );
    assert!(said("fix-lgoin", 3).contains("did you mean `parlour fix-login`?"));
    assert!(said("zzzzzz", 3).contains("there is no such chat"));
    // A name that is near it is not meant.
    parlour.json(&["new", "s2", "--llm", "shell"]);
    assert!(!said("42", 3).contains("did you mean"), "{}", said("42", 3));
    // A chat is opened, which needs a terminal.
    let opened = parlour.run(&["fix-login"]);
    assert_eq!(opened.status.code(), Some(1), "{opened:?}");
    // What lies in the trash is meant, and no other that is nearly called so.
    parlour.json(&["new", "fix-logic", "--llm", "shell"]);
    parlour.json(&["rm", "fix-login", "--yes"]);
    let trashed = said("fix-login", 3);
    assert!(
        trashed.contains("`parlour undo-rm fix-login` brings it back") && !trashed.contains("logic"),
        "{trashed}"
    );
}

#[test]
fn with_json_an_error_is_json_on_standard_error() {
    let parlour = Parlour::new();
    let error = |words: &[&str], code: i32| {
        let ended = parlour.run(words);
        assert_eq!(ended.status.code(), Some(code), "{ended:?}");
        assert!(ended.stdout.is_empty(), "{ended:?}");
        serde_json::from_slice::<Value>(&ended.stderr).unwrap()["error"].clone()
    };
    let unknown = error(&["explain", "nowhere", "--json"], 3);
    assert_eq!(unknown["cause"], json!("there is no such chat"));
    assert!(unknown["doing"].as_str().unwrap().contains("nowhere"), "{unknown}");
    let screenless = error(&["--json"], 1);
    assert_eq!(
        (&screenless["kind"], &screenless["doing"]),
        (&json!("user"), &json!("opening the screen"))
    );
    let wrong = error(&["--json", "wait"], 2);
    assert!(wrong["cause"].as_str().unwrap().contains("required"), "{wrong}");
}

#[test]
fn the_exit_code_says_what_sort_of_failure_it_was() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"limits": {"liveAgents": 1}}"#);
    let chat = parlour.json(&["new", "Fix login", "--llm", "shell"]);
    let failed = |words: &[&str]| {
        let ended = parlour.run(&[words, &["--json"]].concat());
        let error: Value = serde_json::from_slice(&ended.stderr).unwrap();
        let error = &error["error"];
        assert_ne!(error["hint"], json!(""), "{error}");
        (ended.status.code().unwrap(), error["kind"].as_str().unwrap().to_owned())
    };
    let of = |code: i32, kind: &str| (code, kind.to_owned());
    assert_eq!(failed(&["wait", "fix-login"]), of(2, "user"));
    assert_eq!(failed(&["open-dir", "fix-login", "file:///nowhere"]), of(1, "user"));
    assert_eq!(failed(&["explain", "nowhere"]), of(3, "missing"));
    assert_eq!(failed(&["new", "Another", "--llm", "shell"]), of(4, "limit"));
    assert_eq!(failed(&["engine"]), of(5, "busy"));
    let id = chat["id"].as_str().unwrap();
    parlour.kill_engine();
    std::fs::write(parlour.home().join("records").join(id).join("chat.json"), "{").unwrap();
    assert_eq!(failed(&["resume", id]), of(6, "fault"));
}

#[test]
fn what_cannot_be_done_as_things_stand_is_not_missing() {
    let parlour = Parlour::new();
    let dir = repository(&parlour.scratch().join("grove"));
    parlour.say(&["new", "Work", "--llm", "demo", "--dir", &dir]);
    for (words, cause) in [
        (&["push", "work"][..], "it has no remote"),
        (&["review", "work", "--by", "demo", "--uncommitted"], "nothing differs"),
        (&["undo-revert", "work"], "there is no revert to take back"),
        (&["run", "work", "--stop"], "it does not run"),
        (&["remarks", "work", "--send"], "no open remark"),
    ] {
        let ended = parlour.run(words);
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(
            (ended.status.code(), said.contains(cause)),
            (Some(1), true),
            "{words:?}: {said}"
        );
    }
}

#[test]
fn what_is_not_there_has_an_exit_code_of_its_own() {
    let parlour = Parlour::new();
    parlour.say(&["new", "Work", "--llm", "demo"]);
    for (words, cause) in [
        (
            &["new", "--llm", "demo", "--dir", "/nope"][..],
            "there is no such directory",
        ),
        (&["new", "--llm", "demo", "--dir", "nope"], "no project called nope"),
        (&["open-dir", "work", "/nope"], "there is no such directory"),
        (&["open-dir", "work", "nope"], "no project called nope"),
        (&["replay", "/nope"], "there is no file /nope"),
        (
            &["new", "--llm", "demo", "--without-mcp", "nosuch"],
            "there is no MCP server nosuch",
        ),
    ] {
        let output = parlour.run(&[words, &["--json"]].concat());
        let said: Value = serde_json::from_slice(&output.stderr).unwrap();
        let error = &said["error"];
        assert_eq!(output.status.code(), Some(3), "{words:?}: {said}");
        assert_eq!(error["kind"], "missing", "{words:?}: {said}");
        assert!(error["cause"].as_str().unwrap().contains(cause), "{words:?}: {said}");
    }
    assert!(
        parlour
            .refusal(&["setup", "rm", "nope"])
            .contains("no setup files are kept for a project of that name")
    );
    assert_eq!(parlour.run(&["setup", "rm", "nope"]).status.code(), Some(3));
    let refused = parlour.refusal(&["schedule", "add", "-p", "ls", "--cron", "@daily", "--llm", "shell"]);
    assert!(
        refused.contains("a shell takes its commands from a person"),
        "{refused}"
    );
    assert_eq!(parlour.json(&["schedule", "list"])["schedules"], json!([]));
}

/// It is their argument that is wrong, not the disk or the engine.
#[test]
fn a_file_that_cannot_be_written_or_read_is_for_whoever_named_it() {
    let parlour = Parlour::new();
    let dir = repository(&parlour.scratch().join("grove"));
    parlour.say(&["new", "Work", "--llm", "demo", "--dir", &dir]);
    for (words, code, cause) in [
        (
            &["export", "work", "-o", "/nope/it.md"][..],
            3,
            "there is no directory /nope;",
        ),
        (&["export", "work", "-o", &dir], 1, "it is a directory"),
        (
            &["export", "work", "-o", "/etc/hosts/it.md"],
            1,
            "a file stands where a directory is needed",
        ),
        (
            &["man", "/etc/hosts/man"],
            1,
            "a file stands where a directory is needed",
        ),
        (
            &["setup", "add", "nope.env", "--chat", "work"],
            3,
            "there is no file nope.env",
        ),
    ] {
        let ended = parlour.run(words);
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(
            (ended.status.code(), said.contains(cause)),
            (Some(code), true),
            "{words:?}: {said}"
        );
        assert!(!said.contains("doctor") && said.lines().count() == 1, "{said}");
    }
    parlour.kill_engine();
    let ended = parlour.run(&["engine", "--record", "/nope/it.jsonl"]);
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(3), "{said}");
    assert!(said.contains("there is no directory /nope"), "{said}");
}

#[test]
fn a_turn_that_is_not_there_is_missing_whatever_is_asked_of_it() {
    let parlour = Parlour::new();
    let dir = repository(&parlour.scratch().join("grove"));
    parlour.say(&["new", "Work", "--llm", "demo", "--dir", &dir, "-p", "noask hello"]);
    parlour.wait("work", "idle");
    for words in [
        &["revert", "work", "--turn", "99", "--yes"][..],
        &["revert", "work", "--turn", "99"],
        &["revert", "work", "--turn", "99", "--talk"],
        &["revert", "work", "--turn", "99", "--code"],
        &["diff", "work", "--turn", "99"],
        &["fork", "work", "--turn", "99"],
    ] {
        let ended = parlour.run(words);
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(3), "{words:?}: {said}");
        assert!(
            said.contains("there is no turn 99: this chat has turn 1 alone") && !said.contains("--code"),
            "{words:?}: {said}"
        );
    }
}

#[test]
fn an_export_that_cannot_be_written_whole_leaves_no_file() {
    let parlour = Parlour::new();
    parlour.json(&["new", "Work", "--llm", "demo", "-p", "noask hello"]);
    parlour.wait("work", "idle");
    let file = parlour.scratch().join("work.md");
    let given = parlour.command(&[]);
    let environment: Vec<_> = given
        .get_envs()
        .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
        .collect();
    let export = |limit: &str| {
        let line = format!(
            "{limit} exec '{}' export work -o work.md",
            env!("CARGO_BIN_EXE_parlour")
        );
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &line]).env_clear().envs(environment.clone());
        shell.current_dir(parlour.scratch()).output().unwrap()
    };
    let full = export("ulimit -f 0;");
    assert!(!full.status.success(), "{full:?}");
    assert!(!file.exists(), "{full:?}");
    let whole = export("");
    assert!(whole.status.success() && file.exists(), "{whole:?}");
}
