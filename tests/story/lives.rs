//! The life of an agent in the real parlour: restarted, asleep and awake, back after its engine, and taken
//! up in another chat.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::parlour::{PATIENCE, Parlour, git, until};

#[test]
fn a_restarted_agent_goes_on_with_its_session_and_its_files_are_made_anew() {
    let parlour = Parlour::new();
    let made = parlour.json(&["new", "Talk", "--llm", "demo", "-p", "noask hello"]);
    parlour.wait("talk", "idle");
    let before = parlour.agents();
    let token = parlour
        .home()
        .join("records")
        .join(made["id"].as_str().unwrap())
        .join("hook-token");
    let old = fs::read_to_string(&token).unwrap();
    assert_eq!(parlour.json(&["restart", "talk"])["status"], "starting");
    parlour.wait("talk", "idle");
    assert_ne!(fs::read_to_string(&token).unwrap(), old);
    until("the old one is gone", PATIENCE, || {
        parlour.agents().iter().all(|pid| !before.contains(pid))
    });
    let events = parlour.events("talk");
    let sessions: Vec<_> = events.iter().filter(|e| e["kind"] == "session").collect();
    assert_eq!(sessions.len(), 2);
    assert_eq!(sessions[0]["session"], sessions[1]["session"]);
    until("what was said before is drawn", PATIENCE, || {
        parlour.say(&["screen", "talk"]).contains("noask hello")
    });
    parlour.json(&["stop", "talk"]);
    assert!(parlour.agents().is_empty());
}

fn clone(chat: &Value) -> &Path {
    Path::new(chat["projects"][0]["path"].as_str().unwrap())
}

#[test]
fn a_duplicate_has_the_commits_the_branch_and_the_conversation_but_not_what_is_uncommitted() {
    let parlour = Parlour::new();
    let source = parlour.scratch().join("shelf");
    fs::create_dir(&source).unwrap();
    git(&source, &["init", "-q", "-b", "main"]);
    fs::write(source.join("books"), "none\n").unwrap();
    git(&source, &["add", "."]);
    git(&source, &["commit", "-q", "-m", "Begin"]);
    let notes = parlour.scratch().join("notes");
    fs::create_dir(&notes).unwrap();
    let (shelf, linked) = (source.to_str().unwrap(), notes.to_str().unwrap());
    parlour.json(&["new", "Talk", "--llm", "demo", "-p", "noask hello"]);
    parlour.json(&["open-dir", "talk", shelf, "--branch", "more-books"]);
    parlour.json(&["open-dir", "talk", linked]);
    let original = parlour.wait("talk", "idle");
    let work = clone(&original);
    fs::write(work.join("books"), "one\n").unwrap();
    git(work, &["commit", "-q", "-am", "Add a book"]);
    fs::write(work.join("books"), "two\n").unwrap();
    fs::write(work.join("list"), "not added\n").unwrap();

    let made = parlour.json(&["duplicate", "talk"]);
    assert_eq!(made["name"], "copy: Talk");
    let id = original["id"].as_str().unwrap();
    let said = [
        format!("made of talk ({id})"),
        "stayed behind in shelf: 1 uncommitted change, untracked list".into(),
        "its conversation came along".into(),
    ];
    assert_eq!(made["notes"], serde_json::json!(said));
    let copy = clone(&made);
    assert_ne!(copy, work);
    assert_eq!(git(copy, &["symbolic-ref", "--short", "HEAD"]), "more-books");
    assert_eq!(git(copy, &["log", "-1", "--format=%s"]), "Add a book");
    assert_eq!(fs::read_to_string(copy.join("books")).unwrap(), "one\n");
    assert_eq!(git(copy, &["status", "--porcelain"]), "");
    assert_eq!(git(copy, &["remote", "get-url", "origin"]), shelf);
    assert_eq!(git(copy, &["log", "--format=%s", "origin/main"]), "Begin");
    assert_eq!(fs::read_link(copy.with_file_name("notes")).unwrap(), notes);

    parlour.wait("copy-talk", "idle");
    until("what was said before is drawn", PATIENCE, || {
        parlour.say(&["screen", "copy-talk"]).contains("noask hello")
    });
    let events = parlour.events("copy-talk");
    assert_eq!(
        (&events[0]["kind"], &events[0]["text"]),
        (&"note".into(), &said[0].as_str().into())
    );
    let sessions = |chat| {
        let told = parlour.events(chat).into_iter().find(|e| e["kind"] == "session");
        told.unwrap()["session"].clone()
    };
    assert_ne!(sessions("copy-talk"), sessions("talk"));
    parlour.json(&["stop", "copy-talk"]);
    parlour.json(&["stop", "talk"]);
    assert!(parlour.agents().is_empty());
}

#[test]
fn a_duplicate_of_a_cli_that_cannot_fork_begins_anew_and_one_that_fails_leaves_nothing() {
    let parlour = Parlour::new();
    parlour.json(&["new", "Sh", "--llm", "shell"]);
    let made = parlour.json(&["duplicate", "sh", "Second"]);
    let said = made["notes"].as_array().unwrap().last().unwrap().as_str().unwrap();
    assert!(said.starts_with("it begins a new conversation: "), "{said}");
    assert_eq!(made["handle"], "second");

    parlour.json(&["demo"]);
    let demo = parlour.wait("demo", "needs-you");
    fs::rename(clone(&demo), parlour.scratch().join("moved")).unwrap();
    std::os::unix::fs::symlink(parlour.scratch().join("moved"), clone(&demo)).unwrap();
    assert!(
        parlour
            .refusal(&["duplicate", "demo"])
            .contains("it is no clone any more")
    );
    let handles = parlour.json(&["list"])["chats"].as_array().unwrap().len();
    assert_eq!(handles, 3);
}

fn pid(parlour: &Parlour) -> Option<u64> {
    parlour.status()["agents"][0]["pid"].as_u64()
}

#[test]
fn an_agent_that_rests_is_stopped_looks_the_same_and_is_woken_by_a_key_or_a_message() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"limits": {"hibernateMinutes": 0.02}}"#);
    parlour.json(&["new", "Talk", "--llm", "demo", "-p", "noask hello"]);
    parlour.wait("talk", "idle");
    let status = || parlour.json(&["list"])["chats"][0]["status"].clone();
    let asleep = || status() == "hibernated" && parlour.agents().is_empty() && pid(&parlour).is_none();
    until("it sleeps, and no process is left", PATIENCE, asleep);
    assert!(parlour.say(&["screen", "talk"]).contains("noask hello"));
    assert_eq!(parlour.json(&["explain", "talk"])["process"], "stopped while it rested");

    parlour.say(&["send", "talk", "noask again"]);
    until("it has answered and sleeps again", PATIENCE, asleep);
    let mut screen = parlour.attach(&[]);
    screen.wait_for_text("noask again");
    screen.wait_for_text("hibernated");
    // Into the agent, and on typing at once.
    screen.press("\r");
    screen.press("noask third");
    screen.press("\r");
    let prompts = || {
        let events = parlour.events("talk").into_iter().filter(|e| e["kind"] == "prompt");
        events
            .map(|e| e["text"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    until("what was typed has arrived", PATIENCE, || prompts().len() == 3);
    assert_eq!(prompts(), ["noask hello", "noask again", "noask third"]);
    let events = parlour.events("talk");
    let mut sessions = events.iter().filter(|e| e["kind"] == "session").map(|e| &e["session"]);
    let first = sessions.next().unwrap();
    assert!(sessions.all(|session| session == first));
    drop(screen);

    until("it sleeps", PATIENCE, asleep);
    parlour.kill_engine();
    assert_eq!(status(), "hibernated");
    assert!(parlour.agents().is_empty());
}

#[test]
fn agents_that_ran_are_back_with_the_next_engine_where_that_is_wanted() {
    let parlour = Parlour::new();
    for chat in ["Ran", "Stopped"] {
        parlour.json(&["new", chat, "--llm", "demo", "-p", "noask hello"]);
        parlour.wait(&chat.to_lowercase(), "idle");
    }
    parlour.json(&["stop", "stopped"]);
    let ended = || {
        parlour.kill_engine();
        until("no agent is left", PATIENCE, || parlour.agents().is_empty());
    };
    ended();
    let status = |chat| parlour.json(&["explain", chat])["status"].clone();
    assert_eq!(status("ran"), "exited");
    assert!(parlour.agents().is_empty());

    parlour.say(&["kill-engine"]);
    parlour.configure(r#"{"resumeOnStart": true}"#);
    until("it runs again", PATIENCE, || status("ran") == "idle");
    assert_eq!(status("stopped"), "exited");
    ended();
    until("it runs again", PATIENCE, || status("ran") == "idle");
    assert_eq!(parlour.status()["agents"].as_array().unwrap().len(), 1);
}

#[test]
fn a_directory_made_anew_ends_what_could_not_start_without_it() {
    let parlour = Parlour::new();
    parlour.say(&["new", "Lost", "--llm", "shell"]);
    parlour.say(&["stop", "lost"]);
    let chat = parlour.json(&["list"])["chats"][0].clone();
    fs::remove_dir_all(chat["dir"].as_str().unwrap()).unwrap();
    assert!(parlour.refusal(&["resume", "lost"]).contains("directory is gone"));
    let mut screen = parlour.attach(&[]);
    screen.wait_for_text("directory gone");
    screen.press("R");
    screen.wait_for_text("its directory is back");
    assert_eq!(parlour.json(&["explain", "lost"])["detail"], "its directory is back");
    parlour.kill_engine();
    assert_eq!(parlour.json(&["list"])["chats"][0]["detail"], "its directory is back");
    parlour.say(&["resume", "lost"]);
}
