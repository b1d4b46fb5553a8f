//! The watcher, over the real file system.

use std::fs;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::*;

/// Far more than an event takes: only a failing test waits this long.
const DEADLINE: Duration = Duration::from_secs(60);

fn watcher() -> (Watcher, Receiver<Changed>) {
    let (send, receive) = channel();
    let watcher = Watcher::start(move |changed| drop(send.send(changed))).unwrap();
    (watcher, receive)
}

#[test]
fn a_strangers_edit_in_a_chat_and_a_clones_new_branch_are_noticed() {
    let place = place();
    let id = place.chat("Fix auth", 1);
    let dir = place.home.chat_path(&id);
    let git = dir.join("projects/grove/.git");
    fs::create_dir_all(git.join("refs/heads")).unwrap();
    fs::create_dir(git.join("logs")).unwrap();
    fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    let edits: [(&str, &str); 4] = [
        ("todos.md", "- [ ] one"),
        ("projects/grove/.git/HEAD", "ref: refs/heads/x\n"),
        ("projects/grove/.git/refs/heads/x", "0\n"),
        ("projects/grove/.git/logs/HEAD", "0 1\n"),
    ];
    for (path, text) in edits {
        // Each has one of its own, which hears of no other.
        let (mut watcher, changes) = watcher();
        let chat = place.home.load(&id).unwrap();
        let seen = AnsweredPlaces::look(&chat);
        watcher.watch_chat(&place.home, &chat, &seen).unwrap();
        fs::write(dir.join(path), text).unwrap();
        assert_eq!(changes.recv_timeout(DEADLINE), Ok(Changed::Chat(id.clone())), "{path}");
    }
}

#[test]
fn settings_and_a_strangers_file_are_told_apart_and_what_is_forgotten_is_silent() {
    let place = place();
    let (mut watcher, changes) = watcher();
    let file = place.folder.path().join("session.jsonl");
    watcher.watch_config(&place.home).unwrap();
    watcher.watch(&file).unwrap();
    fs::write(&file, "{}").unwrap();
    let custom = Changed::Custom(file.clone());
    assert_eq!(changes.recv_timeout(DEADLINE), Ok(custom.clone()));
    watcher.forget(&custom);
    fs::write(&file, "{}{}").unwrap();
    fs::write(place.home.path().join("other.json"), "{}").unwrap();
    fs::write(place.home.config(), "{}").unwrap();
    assert_eq!(changes.recv_timeout(DEADLINE), Ok(Changed::Config));
}

#[test]
fn the_thread_ends_with_the_watcher() {
    let (watcher, changes) = watcher();
    drop(watcher);
    assert!(
        changes
            .recv_timeout(DEADLINE)
            .is_err_and(|e| e == std::sync::mpsc::RecvTimeoutError::Disconnected)
    );
}
