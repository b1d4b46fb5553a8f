//! What chats cost that do not run.

use std::fs;

use crate::support::parlour::{PATIENCE, Parlour, until};

const CHATS: u64 = 12;
const MEGABYTE: u64 = 1 << 20;

fn rss(parlour: &Parlour) -> u64 {
    parlour.status()["engine"]["rss_bytes"].as_u64().unwrap()
}

/// The engine's threads that hold a terminal.
fn terminals(parlour: &Parlour) -> usize {
    let pid = parlour.status()["engine"]["pid"].as_i64().unwrap();
    let threads = fs::read_dir(format!("/proc/{pid}/task")).unwrap().flatten();
    threads
        .filter(|thread| fs::read_to_string(thread.path().join("comm")).is_ok_and(|name| name.starts_with("pane-")))
        .count()
}

#[test]
fn a_chat_that_was_stopped_keeps_no_terminal_until_it_is_looked_at() {
    let parlour = Parlour::new();
    let begin_and_stop = |name: &str| {
        parlour.json(&["new", name, "--llm", "demo", "-p", "noask say something"]);
        parlour.wait(name, "idle");
        parlour.say(&["stop", name]);
    };
    // What the engine needs once, for the index of the history say, is no chat's.
    begin_and_stop("first");
    let before = rss(&parlour);
    for number in 0..CHATS {
        begin_and_stop(&format!("c{number}"));
    }
    until("no terminal is held", PATIENCE, || terminals(&parlour) == 0);
    let grown = rss(&parlour).saturating_sub(before);
    assert!(
        grown < CHATS * MEGABYTE,
        "{CHATS} stopped chats hold {} MB",
        grown / MEGABYTE
    );

    assert!(parlour.say(&["screen", "c3"]).contains("Name a repository"));
    let mut screen = parlour.attach(&[]);
    until("its terminal is held", PATIENCE, || terminals(&parlour) == 1);
    screen.press("q");
    screen.wait_for_end();
    until("no terminal is held", PATIENCE, || terminals(&parlour) == 0);
}
