//! `@main`: the orchestrator of a repository, and the workers below it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// An agent that says nothing and stays.
const RESTS: &str = r#"{"customLlms": {"rests": {"command": "/bin/sh", "args": ["-c", "sleep 600"]}}}"#;

fn repository(parlour: &Parlour) -> PathBuf {
    let root = parlour.scratch().join("grove");
    fs::create_dir_all(root.join("src")).unwrap();
    git(&root, &["init", "-q", "-b", "trunk"]);
    fs::write(root.join("README.md"), "grove\n").unwrap();
    git(&root, &["add", "."]);
    git(
        &root,
        &[
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=ada@localhost",
            "commit",
            "-qm",
            "Begin",
        ],
    );
    root
}

fn in_dir(parlour: &Parlour, dir: &Path, words: &[&str]) -> Value {
    let mut words = words.to_vec();
    words.push("--json");
    let output = parlour.command(&words).current_dir(dir).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn init_makes_an_orchestrator_over_the_checkout_and_new_makes_workers_below_it() {
    let parlour = Parlour::new();
    parlour.configure(RESTS);
    let root = repository(&parlour);
    let main = in_dir(&parlour, &root.join("src"), &["init", "--llm", "rests"]);
    assert_eq!(
        (&main["handle"], &main["role"]),
        (&json!("grove-main"), &json!("orchestrator"))
    );
    let place = &main["projects"][0];
    assert_eq!((&place["mode"], &place["branch"]), (&json!("ro"), &json!("trunk")));
    let dir = PathBuf::from(main["dir"].as_str().unwrap());
    assert_eq!(
        fs::canonicalize(dir.join("projects/grove")).unwrap(),
        root.canonicalize().unwrap()
    );
    let told = fs::read_to_string(dir.join("AGENTS.md")).unwrap();
    assert!(told.contains("## Your role\n\nYou are the orchestrator"), "{told}");
    assert!(told.contains("- hotfix: ") && dir.join("skills/hotfix.md").is_file());

    let again = in_dir(&parlour, &root, &["init"]);
    assert_eq!((&again["created"], &again["id"]), (&json!(false), &main["id"]));

    let worker = in_dir(
        &parlour,
        &root,
        &["new", "Fix login", "--llm", "rests", "--branch", "fix-login"],
    );
    assert_eq!((&worker["parent"], &worker["role"]), (&main["id"], &json!("worker")));
    let clone = &worker["projects"][0];
    assert_eq!((&clone["mode"], &clone["branch"]), (&json!("rw"), &json!("fix-login")));
    // Without a branch it is the one that is called after it; what is there already is taken, and said.
    let own = in_dir(&parlour, &root, &["new", "feature-x", "--llm", "rests"]);
    assert_eq!(own["projects"][0]["branch"], "feature-x");
    let merger = ["new", "feature-y", "-r", "merger", "--llm", "rests"];
    let merger = in_dir(&parlour, &root, &merger);
    assert_eq!(merger["projects"][0]["branch"], "feature-y", "whatever its role");
    let spoken = in_dir(&parlour, &root, &["new", "Mend the login!", "--llm", "rests"]);
    assert_eq!(spoken["projects"][0]["branch"], "mend-the-login");
    git(&root, &["branch", "there-already"]);
    let there = in_dir(&parlour, &root, &["new", "there-already", "--llm", "rests"]);
    assert_eq!(there["projects"][0]["branch"], "there-already");
    let said = parlour.events("there-already");
    let opened = said.iter().find_map(|event| {
        let text = event["text"].as_str()?;
        text.starts_with("opened grove").then_some(text)
    });
    assert!(
        opened.unwrap().contains("the branch there-already was there already"),
        "{said:?}"
    );
    let status = |chat: &Value| {
        let file = fs::read_to_string(PathBuf::from(chat["dir"].as_str().unwrap()).join("status.json")).unwrap();
        serde_json::from_str::<Value>(&file).unwrap()["status"].clone()
    };
    assert_eq!((status(&main), status(&own)), (json!("ready"), json!("active")));
    let alone = in_dir(&parlour, &root, &["new", "Notes", "--llm", "rests", "--alone"]);
    assert_eq!((&alone["parent"], &alone["role"]), (&Value::Null, &Value::Null));
    let words = ["new", "Aside", "--llm", "rests", "--no-project"];
    let told = parlour.command(&words).current_dir(&root).output().unwrap();
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(
        told.contains("a worker of @main; --alone for a chat of its own\n"),
        "{told}"
    );

    let explained = in_dir(&parlour, &root, &["explain", "@main"]);
    assert_eq!(
        explained["chat"],
        in_dir(&parlour, &root, &["explain", "grove-main"])["chat"]
    );
    assert_eq!(parlour.json(&["explain", "@main:grove"])["chat"], explained["chat"]);

    git(&root, &["status"]);
    parlour.json(&["rm", "grove-main", "--yes"]);
    assert!(root.join("README.md").is_file(), "what it worked in in place stays");
    for words in [&["explain", "@main"][..], &["new", "More"]] {
        let output = parlour.command(words).current_dir(&root).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{words:?}: {said}");
        assert!(
            said.contains("it was deleted") && said.contains("parlour undo-rm"),
            "{words:?}: {said}"
        );
    }
    let anew = in_dir(&parlour, &root, &["init", "--llm", "rests"]);
    assert_ne!(anew["id"], main["id"]);
}

#[test]
fn a_role_is_shown_and_copied_to_be_edited() {
    let parlour = Parlour::new();
    let shown = parlour.say(&["roles", "show", "orchestrator"]);
    assert!(shown.contains("You are the orchestrator"), "{shown}");
    let copied = parlour.json(&["roles", "copy", "orchestrator"]);
    let path = parlour.home().join("roles/orchestrator.md");
    assert_eq!(copied["path"], json!(path));
    fs::write(&path, "Mine alone.\n").unwrap();
    assert_eq!(parlour.say(&["roles", "show", "orchestrator"]), "Mine alone.\n");
    assert!(
        parlour
            .refusal(&["roles", "copy", "orchestrator"])
            .contains("is there already")
    );
    let mut by_agent = parlour.command(&["roles", "copy", "worker"]);
    let refused = by_agent.env("PARLOUR_CHAT", "aaaaaaaaaa").output().unwrap();
    assert!(!refused.status.success(), "as a person's own it may allow");
    assert!(
        parlour
            .refusal(&["roles", "show", "wroker"])
            .contains("there are: merger")
    );
}

/// Of a repository's role that counts for nothing; of the copy it does.
#[test]
fn a_copy_of_a_repositorys_role_says_what_it_allows_as_a_persons_own() {
    let parlour = Parlour::new();
    let root = parlour.scratch().join("grove");
    git(parlour.scratch(), &["init", "-q", root.to_str().unwrap()]);
    fs::create_dir_all(root.join(".parlour/roles")).unwrap();
    let role = "---\npermissions:\n  allow: [\"Bash(rm:*)\"]\n---\nDo it.\n";
    fs::write(root.join(".parlour/roles/boss.md"), role).unwrap();
    let mut copying = parlour.command(&["roles", "copy", "boss"]);
    let copied = copying.current_dir(&root).output().unwrap();
    let said = String::from_utf8_lossy(&copied.stdout);
    assert!(said.contains("it allows Bash(rm:*)"), "{copied:?}");
}

#[test]
fn a_role_that_is_not_there_is_refused_with_those_that_are() {
    let parlour = Parlour::new();
    parlour.configure(RESTS);
    let said = parlour.refusal(&["new", "X", "--llm", "rests", "-r", "wroker"]);
    assert!(
        said.contains("there are: merger, orchestrator, reviewer, worker"),
        "{said}"
    );
    assert_eq!(parlour.json(&["list"])["chats"], json!([]));
}

#[test]
fn what_an_agent_makes_by_the_shell_is_below_it_and_within_its_limits() {
    let parlour = Parlour::new();
    let program = env!("CARGO_BIN_EXE_parlour");
    let script = format!(
        "{program} new One --llm rests >one 2>&1; {program} new Two --llm rests >two 2>&1; touch done; sleep 600"
    );
    let config = json!({
        "customLlms": {
            "maker": {"command": "/bin/sh", "args": ["-c", script]},
            "rests": {"command": "/bin/sh", "args": ["-c", "sleep 600"]},
        },
        "limits": {"liveChildren": 1},
    });
    parlour.configure(&config.to_string());
    let maker = parlour.json(&["new", "Maker", "--llm", "maker"]);
    let dir = PathBuf::from(maker["dir"].as_str().unwrap());
    until("it has asked for both", PATIENCE, || dir.join("done").exists());
    let second = fs::read_to_string(dir.join("two")).unwrap();
    assert!(second.contains("liveChildren"), "{second}");
    let chats = parlour.json(&["list"]);
    let chats = chats["chats"].as_array().unwrap();
    let below: Vec<&Value> = chats.iter().filter(|chat| chat["parent"] == maker["id"]).collect();
    assert_eq!((below.len(), chats.len()), (1, 2), "{chats:?}");
}

#[test]
fn new_in_a_repository_opens_it_on_a_branch_and_leaves_it_out_where_that_is_said() {
    let parlour = Parlour::new();
    parlour.configure(RESTS);
    let root = repository(&parlour);
    let words = ["new", "Fix", "--llm", "rests", "--branch", "fix"];
    let output = parlour.command(&words).current_dir(root.join("src")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(
        said.contains("project grove from ") && said.contains("; --no-project for none"),
        "{said}"
    );
    let listed = parlour.json(&["list"]);
    let project = &listed["chats"][0]["projects"][0];
    assert_eq!((&project["name"], &project["branch"]), (&json!("grove"), &json!("fix")));

    let plain = in_dir(&parlour, &root, &["new", "Plain", "--llm", "rests"]);
    assert_eq!(plain["projects"][0]["branch"], "trunk");
    let none = in_dir(&parlour, &root, &["new", "None", "--llm", "rests", "--no-project"]);
    assert_eq!(none["projects"], json!([]));
}

#[test]
fn new_in_the_clone_of_a_chat_opens_what_that_was_cloned_from() {
    let parlour = Parlour::new();
    parlour.configure(RESTS);
    let root = repository(&parlour);
    let plain = in_dir(&parlour, &root, &["new", "Plain", "--llm", "rests"]);
    let own = |chat: &Value| PathBuf::from(chat["dir"].as_str().unwrap()).join("projects/grove");
    let origin = |chat: &Value| PathBuf::from(git(&own(chat), &["config", "remote.origin.url"]));
    let clone = own(&plain);
    assert_eq!(origin(&plain), root);
    fs::create_dir_all(clone.join("src")).unwrap();
    for words in [
        &["new", "Inside", "--llm", "rests"][..],
        &["new", "Named", "--llm", "rests", "--dir", "."],
    ] {
        let at = if words.contains(&"--dir") {
            clone.clone()
        } else {
            clone.join("src")
        };
        let inside = in_dir(&parlour, &at, words);
        assert_ne!(own(&inside), clone);
        assert_eq!(origin(&inside), root, "{words:?}");
    }
    // A directory in it is the same one in what it was cloned from, if that has it.
    fs::write(root.join("src/a.txt"), "a\n").unwrap();
    git(&root, &["add", "."]);
    let ada = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost"];
    git(&root, &[&ada[..], &["commit", "-qm", "More"]].concat());
    let open = |place: &str| {
        let words = ["open-dir", "plain", place, "--branch", "more"];
        parlour.command(&words).current_dir(&clone).output().unwrap()
    };
    let opened = open("./src");
    let said = String::from_utf8_lossy(&opened.stdout);
    let comes = format!(
        "./src is in a chat's clone: {} is opened, where that comes from",
        root.join("src").display()
    );
    assert!(opened.status.success() && said.contains(&comes), "{opened:?}");
    fs::create_dir_all(clone.join("made")).unwrap();
    let refused = open("./made");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success() && said.contains("there is no such directory to open"),
        "{refused:?}"
    );
    // Nobody opened this one: its agent cloned it by itself.
    let other = clone.with_file_name("other");
    fs::create_dir(&other).unwrap();
    git(&other, &["init", "-q"]);
    let words = ["new", "None", "--llm", "rests"];
    let said = parlour.command(&words).current_dir(&other).output().unwrap();
    let said = String::from_utf8_lossy(&said.stdout);
    assert!(
        said.contains("no project: where other was cloned from is unknown here"),
        "{said}"
    );
}

#[test]
fn new_opens_the_checkout_itself_to_work_in_where_that_is_said() {
    let parlour = Parlour::new();
    parlour.configure(RESTS);
    let root = repository(&parlour);
    let mode = |chat: &Value| (chat["projects"][0]["kind"].clone(), chat["projects"][0]["mode"].clone());
    let here = in_dir(&parlour, &root, &["new", "Here", "--llm", "rests", "--in-place"]);
    assert_eq!(mode(&here), (json!("local"), json!("rw")));
    let place = format!("{}:ro", root.display());
    let read = parlour.json(&["new", "Read", "--llm", "rests", "--in-place", "--dir", &place]);
    assert_eq!(mode(&read), (json!("local"), json!("ro")));
    let words = ["new", "None", "--llm", "rests", "--in-place"];
    let refused = parlour.refusal(&words);
    assert!(refused.contains("no repository around this directory"), "{refused}");
}
