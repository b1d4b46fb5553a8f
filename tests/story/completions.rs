//! Completion in a shell, as its script asks for it.

use std::fs;
use std::path::PathBuf;

use crate::support::parlour::{Parlour, git};

/// What a shell is told that may stand at the end of these words, a line each.
fn offered(parlour: &Parlour, shell: &str, words: &[&str]) -> Vec<String> {
    let mut command = parlour.command(&["--", "parlour"]);
    command.args(words).env("PARLOUR_COMPLETE", shell);
    command.env("_CLAP_COMPLETE_INDEX", words.len().to_string());
    command.env("_CLAP_IFS", "\n");
    let said = command.output().unwrap();
    assert!(said.status.success() && said.stderr.is_empty(), "{said:?}");
    String::from_utf8(said.stdout)
        .unwrap()
        .lines()
        .map(String::from)
        .collect()
}

#[test]
fn a_shell_is_told_what_there_is_to_be_named() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"customLlms": {"goose": {"command": "goose"}}}"#);
    parlour.json(&["new", "Fix login", "--llm", "demo", "-p", "count"]);
    parlour.json(&["new", "Find files", "--llm", "shell"]);
    parlour.json(&["new", "Gone", "--llm", "shell"]);
    parlour.json(&["rm", "gone", "--yes"]);
    for name in ["Nightly", "Every $(reboot) morning"] {
        parlour.json(&[
            "schedule",
            "add",
            name,
            "-p",
            "hello",
            "--cron",
            "0 9 * * *",
            "--llm",
            "demo",
        ]);
    }
    fs::create_dir(parlour.home().join("roles")).unwrap();
    fs::write(parlour.home().join("roles/writer.md"), "Write.").unwrap();

    assert_eq!(offered(&parlour, "bash", &["stop", "fi"]), ["find-files", "fix-login"]);
    assert_eq!(offered(&parlour, "bash", &["work", "claim", "fix"]), ["fix-login"]);
    assert_eq!(offered(&parlour, "bash", &["undo-rm", "g"]), ["gone"]);
    assert_eq!(offered(&parlour, "bash", &["trash", "purge", "g"]), ["gone"]);
    assert_eq!(offered(&parlour, "bash", &["new", "--llm", "go"]), ["goose"]);
    assert_eq!(offered(&parlour, "bash", &["new", "--role", "wr"]), ["writer"]);
    assert_eq!(offered(&parlour, "bash", &["roles", "copy", "wor"]), ["worker"]);
    // With what people call them, where a shell shows that beside.
    assert_eq!(offered(&parlour, "zsh", &["stop", "fix"]), ["fix-login:Fix login"]);
    assert_eq!(offered(&parlour, "fish", &["stop", "fix"]), ["fix-login\tFix login"]);
    // What a shell would take for more than a word is offered by its id.
    let schedules = parlour.json(&["schedule", "list"])["schedules"].clone();
    let odd = schedules
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["name"] != "Nightly")
        .unwrap();
    let mut wanted = [odd["id"].as_str().unwrap(), "Nightly"];
    let mut told = offered(&parlour, "bash", &["schedule", "pause", ""]);
    wanted.sort_unstable();
    told.sort_unstable();
    assert_eq!(
        told.iter().filter(|word| !word.starts_with('-')).collect::<Vec<_>>(),
        wanted
    );
}

#[test]
fn questions_are_told_by_the_engine_that_runs_and_none_is_started_for_it() {
    let parlour = Parlour::new();
    parlour.json(&["demo"]);
    parlour.wait("demo", "needs-you");
    let open = parlour.json(&["approvals"])["approvals"][0]["id"].clone();
    let id = open.as_str().unwrap();
    let told = offered(&parlour, "bash", &["approve", &id[..3]]);
    assert_eq!(told, [id]);
    parlour.say(&["kill-engine"]);
    assert!(offered(&parlour, "bash", &["approve", &id[..3]]).is_empty());
    assert_eq!(offered(&parlour, "bash", &["resume", "de"]), ["demo"]);
    assert_eq!(parlour.say(&["kill-engine"]), "no engine runs\n");
}

#[test]
fn nothing_is_made_and_nothing_said_where_something_is_wrong() {
    let parlour = Parlour::new();
    assert!(offered(&parlour, "fish", &["stop", "x"]).is_empty());
    assert!(offered(&parlour, "bash", &["approve", "x"]).is_empty());
    assert!(offered(&parlour, "no-shell", &["stop", ""]).is_empty());
    assert!(!parlour.home().exists());
    parlour.configure("{");
    fs::create_dir_all(parlour.home().join("records/aaaaaaaaaa")).unwrap();
    fs::write(parlour.home().join("records/aaaaaaaaaa/chat.json"), "{").unwrap();
    assert!(offered(&parlour, "bash", &["stop", "a"]).is_empty());
    assert_eq!(offered(&parlour, "bash", &["init", "--llm", "cla"]), ["claude"]);
}

#[test]
fn what_is_offered_depends_on_the_words_before() {
    let parlour = Parlour::new();
    let grove = parlour.scratch().join("grove");
    fs::create_dir(&grove).unwrap();
    fs::write(grove.join("README.md"), "one\n").unwrap();
    git(&grove, &["init", "-q", "-b", "main"]);
    git(&grove, &["add", "-A"]);
    git(&grove, &["commit", "-q", "-m", "first"]);
    let dir = grove.to_str().unwrap();
    for chat in ["fix", "other"] {
        parlour.json(&["new", chat, "--llm", "demo", "--dir", dir, "-p", "noask hello"]);
    }
    let clone = |chat: &str| {
        let known = parlour.wait(chat, "idle");
        PathBuf::from(known["projects"][0]["path"].as_str().unwrap())
    };
    let (fix, other) = (clone("fix"), clone("other"));
    fs::write(fix.join("README.md"), "mine\n").unwrap();
    fs::write(other.join("theirs.txt"), "theirs\n").unwrap();
    fs::write(grove.join(".env"), "A=1\n").unwrap();
    let kept = parlour
        .command(&["setup", "add", ".env"])
        .current_dir(&grove)
        .output()
        .unwrap();
    assert!(kept.status.success(), "{kept:?}");

    let bash = |words: &[&str]| offered(&parlour, "bash", words);
    assert_eq!(bash(&["config", "get", "clipb"]), ["clipboard"]);
    assert_eq!(bash(&["config", "set", "limits.liveA"]), ["limits.liveAgents"]);
    assert_eq!(bash(&["config", "set", "clipboard", "a"]), ["ask", "allow"]);
    assert_eq!(bash(&["config", "set", "resumeOnStart", "t"]), ["true"]);
    assert_eq!(bash(&["config", "set", "theme", "nor"]), ["nord"]);
    assert_eq!(bash(&["theme", "preview", "nor"]), ["nord"]);
    assert_eq!(bash(&["setup", "rm", "gr"]), ["grove"]);
    assert_eq!(bash(&["setup", "rm", "grove", ".e"]), [".env"]);
    assert_eq!(bash(&["stage", "fix", "R"]), ["README.md"]);
    assert_eq!(bash(&["discard", "--project", "grove", "fix", "R"]), ["README.md"]);
    assert_eq!(bash(&["remark", "fix", "R"]), ["README.md"]);
    assert_eq!(bash(&["take", "fix", "--from", "other", "th"]), ["theirs.txt"]);
    assert_eq!(bash(&["take", "fix", "--from", "ot"]), ["other"]);
    for verb in ["revert", "fork"] {
        let points = bash(&[verb, "fix", ""]);
        assert!(points.contains(&"1".into()), "{verb}: {points:?}");
    }
}
