//! What the engine needs on disk vanishes under it.

use std::fs;

use crate::support::parlour::{PATIENCE, Parlour, git, until};

fn pid(parlour: &Parlour) -> i64 {
    parlour.status()["engine"]["pid"].as_i64().unwrap()
}

#[test]
fn a_home_whose_lock_was_removed_gets_no_second_engine() {
    let parlour = Parlour::new();
    let first = pid(&parlour);
    let lock = parlour.home().join("run/engine.lock");
    fs::remove_file(&lock).unwrap();
    let refused = parlour.refusal(&["engine"]);
    assert!(refused.contains("runs already"), "{refused}");
    until("the lock is there again", PATIENCE, || lock.exists());

    // Without a way to reach the first, a second one is just as little of use.
    fs::remove_file(&lock).unwrap();
    fs::remove_file(parlour.home().join("run/engine.sock")).unwrap();
    let refused = parlour.refusal(&["engine"]);
    assert!(refused.contains("runs already"), "{refused}");
    assert_eq!(parlour.engines().len(), 1);
    assert_eq!(pid(&parlour), first, "and it is reached again");
}

#[test]
fn an_engine_whose_lock_another_holds_ends() {
    let parlour = Parlour::new();
    pid(&parlour);
    let lock = parlour.home().join("run/engine.lock");
    let other = parlour.home().join("run/other.lock");
    let _held = parlour::sys::lock::FileLock::try_acquire(&other).unwrap().unwrap();
    fs::rename(&other, &lock).unwrap();
    until("the engine has ended", PATIENCE, || parlour.engines().is_empty());
}

#[test]
fn an_engine_whose_socket_was_removed_is_reached_again_and_ended() {
    let parlour = Parlour::new();
    let first = pid(&parlour);
    let socket = parlour.home().join("run/engine.sock");
    fs::remove_file(&socket).unwrap();
    until("the socket is there again", PATIENCE, || socket.exists());
    assert_eq!(pid(&parlour), first);

    fs::remove_file(&socket).unwrap();
    let said = parlour.say(&["kill-engine"]);
    assert!(!said.contains("no engine"), "{said}");
    assert_eq!(parlour.engines(), Vec::<i32>::new());
}

#[test]
fn a_frozen_engine_without_a_socket_is_ended_and_not_denied() {
    let parlour = Parlour::new();
    let first = i32::try_from(pid(&parlour)).unwrap();
    let first = rustix::process::Pid::from_raw(first).unwrap();
    rustix::process::kill_process(first, rustix::process::Signal::STOP).unwrap();
    fs::remove_file(parlour.home().join("run/engine.sock")).unwrap();
    parlour.say(&["kill-engine"]);
    assert_eq!(parlour.engines(), Vec::<i32>::new());
}

#[test]
fn an_engine_whose_run_directory_was_removed_goes_on() {
    let parlour = Parlour::new();
    let first = pid(&parlour);
    let run = parlour.home().join("run");
    fs::remove_dir_all(&run).unwrap();
    until("socket and lock are there again", PATIENCE, || {
        run.join("engine.sock").exists() && run.join("engine.lock").exists()
    });
    parlour.json(&["new", "Talk", "--llm", "demo", "-p", "noask say something"]);
    parlour.wait("talk", "idle");
    assert_eq!(pid(&parlour), first);
    let log = fs::read_to_string(run.join("engine.log")).unwrap();
    assert!(log.contains("made as talk"), "{log}");
    assert!(parlour.refusal(&["engine"]).contains("runs already"));
}

#[test]
fn folders_of_the_home_that_vanish_are_made_again_when_they_are_needed() {
    let parlour = Parlour::new();
    pid(&parlour);
    let project = parlour.scratch().join("grove");
    fs::create_dir(&project).unwrap();
    git(&project, &["init", "-q"]);
    fs::write(project.join(".env"), "KEY=1").unwrap();
    git(&project, &["commit", "-q", "--allow-empty", "-m", "first"]);
    let dir = project.to_str().unwrap();
    for round in ["one", "two"] {
        for folder in [
            "bare",
            "cache",
            "chats",
            "dirs",
            "llm-defaults",
            "project-setup",
            "records",
            "schedules",
            "staging",
            "themes",
            "trash",
        ] {
            let folder = parlour.home().join(folder);
            fs::remove_dir_all(&folder).unwrap();
        }
        until("the chats are gone", PATIENCE, || {
            parlour.json(&["list"])["chats"].as_array().unwrap().is_empty()
        });
        parlour.json(&["new", round, "--llm", "demo", "--dir", dir, "-p", "noask say something"]);
        parlour.wait(round, "idle");
        parlour.json(&[
            "schedule",
            "add",
            round,
            "--prompt",
            "look",
            "--cron",
            "0 3 * * *",
            "--llm",
            "demo",
        ]);
        parlour.say(&["rm", round, "--yes"]);
    }
}
