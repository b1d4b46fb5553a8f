//! Whatever an agent started, it ends.

use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use parlour::sys::spawn::{Frames, SpawnReport, frame};

use super::stage::{Stage, is_alive, shell, supervisor, wait_until};

/// Ignores TERM itself, and starts two who do so too: one in its session and one that left it and lost its parent.
const STUBBORN: &str = "trap '' TERM HUP; (while :; do sleep 1; done) & echo child $! ; \
    (setsid sh -c 'trap \"\" TERM HUP; echo grandchild $$; while :; do sleep 1; done' &) ; \
    echo ready; while :; do sleep 1; done";

fn pid_after(text: &str, word: &str) -> Option<u32> {
    let line = text.lines().find(|line| line.starts_with(word))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn tree_of(stage: &mut Stage) -> [u32; 3] {
    let agent = stage.wait_for_pid();
    let text = stage.wait_for("the whole tree", |screen| {
        let text = screen.text();
        text.contains("ready") && pid_after(&text, "grandchild").is_some()
    });
    [
        agent,
        pid_after(&text, "child").unwrap(),
        pid_after(&text, "grandchild").unwrap(),
    ]
}

#[test]
fn a_stop_ends_a_tree_that_ignores_it_and_left_its_session() {
    let mut stage = Stage::shell(STUBBORN);
    let tree = tree_of(&mut stage);
    assert!(tree.iter().all(|pid| is_alive(*pid)));
    let asked = Instant::now();
    stage.pane.stop(Duration::from_millis(300));
    assert_eq!(stage.wait_for_exit(), (None, Some(9)));
    assert!(asked.elapsed() < Duration::from_secs(10), "took {:?}", asked.elapsed());
    assert!(!tree.iter().any(|pid| is_alive(*pid)));
}

#[test]
fn a_stop_lets_a_well_behaved_program_finish() {
    let mut stage = Stage::shell("trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.05; done");
    stage.wait_for_text("ready");
    stage.pane.stop(Duration::from_secs(60));
    assert_eq!(stage.wait_for_exit(), (Some(3), None));
    stage.wait_for_text("bye");
}

#[test]
fn the_last_words_of_a_program_that_is_only_put_to_sleep_are_neither_shown_nor_kept() {
    let scratch = tempfile::tempdir().unwrap();
    let record = scratch.path().join("record");
    let farewell = "trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.05; done";
    let mut stage = Stage::recorded(farewell, &record);
    stage.wait_for_text("ready");
    stage.pane.freeze();
    stage.pane.stop(Duration::from_secs(60));
    assert_eq!(stage.wait_for_exit(), (Some(3), None));
    let (sender, shown) = channel();
    stage.pane.view(0, move |screen| sender.send(screen.text()).unwrap());
    let shown = shown.recv().unwrap();
    assert!(shown.contains("ready") && !shown.contains("bye"), "{shown}");
    stage.pane.close();
    let kept = String::from_utf8_lossy(&std::fs::read(record).unwrap()).into_owned();
    assert!(kept.contains("ready") && !kept.contains("bye"), "{kept}");
}

#[test]
fn what_an_agent_leaves_behind_ends_with_it() {
    let mut stage = Stage::shell("(setsid sh -c 'echo left $$; exec sleep 1000' &); read go; exit 0");
    let text = stage.wait_for("its pid", |screen| pid_after(&screen.text(), "left").is_some());
    let left = pid_after(&text, "left").unwrap();
    assert!(is_alive(left));
    stage.pane.input(b"\r").unwrap();
    assert_eq!(stage.wait_for_exit(), (Some(0), None));
    assert!(!is_alive(left));
}

#[test]
fn dropping_a_pane_ends_its_tree() {
    let mut stage = Stage::shell(STUBBORN);
    let tree = tree_of(&mut stage);
    drop(stage);
    wait_until("the tree is gone", || !tree.iter().any(|pid| is_alive(*pid)));
}

#[test]
fn the_engine_s_death_ends_everything() {
    let (mut engine, theirs) = UnixStream::pair().unwrap();
    let pair = portable_pty::native_pty_system()
        .openpty(portable_pty::PtySize::default())
        .unwrap();
    let slave = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(pair.master.tty_name().unwrap())
        .unwrap();
    let mut child = Command::new(supervisor())
        .arg("spawn")
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(slave.try_clone().unwrap())
        .stderr(slave)
        .spawn()
        .unwrap();
    engine.write_all(&frame(&shell(STUBBORN)).unwrap()).unwrap();
    let mut frames = Frames::default();
    let mut piece = [0; 1024];
    let started = loop {
        if let Some(report) = frames.take().unwrap() {
            break report;
        }
        let length = engine.read(&mut piece).unwrap();
        frames.push(&piece[..length]);
    };
    let SpawnReport::Started { pid } = started else {
        panic!("{started:?}")
    };
    let mut output = pair.master.try_clone_reader().unwrap();
    let mut text = String::new();
    while !text.contains("ready") || !text.contains("grandchild") {
        let length = output.read(&mut piece).unwrap();
        text.push_str(str::from_utf8(&piece[..length]).unwrap());
    }
    let grandchild = pid_after(&text, "grandchild").unwrap();
    assert!(is_alive(pid) && is_alive(grandchild));
    let died = Instant::now();
    drop(engine);
    child.wait().unwrap();
    assert!(died.elapsed() < Duration::from_secs(10), "took {:?}", died.elapsed());
    assert!(!is_alive(pid) && !is_alive(grandchild));
}

#[test]
fn a_supervisor_that_was_killed_takes_its_agent_along() {
    let mut stage = Stage::shell("echo parent $PPID; exec sleep 1000");
    let agent = stage.wait_for_pid();
    let text = stage.wait_for_text("parent");
    let supervisor = pid_after(&text, "parent").unwrap();
    Command::new("kill")
        .args(["-KILL", &supervisor.to_string()])
        .status()
        .unwrap();
    assert_eq!(stage.wait_for_exit(), (None, None));
    wait_until("the agent is gone", || !is_alive(agent));
}
