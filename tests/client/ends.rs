//! Whatever ends a screen, the terminal is restored.

use std::time::Duration;

use parlour::wire::Message;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::engine::{Client, Engine};
use super::terminal::{Answers, Terminal, assert_restored};

/// A screen in the middle of its life: everything on, a frame drawn, the cursor hidden, the mouse followed.
async fn screen() -> (TempDir, Terminal, Client) {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::listen(home.path());
    let terminal = Terminal::parlour(home.path(), Answers::Kitty);
    let (mut client, _) = engine.screen().await;
    client.draw(1, "\x1b[?25l\x1b[?1003h\x1b[?2026hgood morning").await;
    terminal.wait_for("good morning").await;
    assert!(!terminal.is_cooked());
    (home, terminal, client)
}

fn send(pid: i32, signal: Signal) {
    kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
}

async fn cooked(terminal: &Terminal) {
    let turns_cooked = async {
        while !terminal.is_cooked() {
            tokio::task::yield_now().await;
        }
    };
    let turned = tokio::time::timeout(Duration::from_secs(60), turns_cooked).await;
    assert!(turned.is_ok(), "the terminal stays raw: {:?}", terminal.written());
}

#[tokio::test]
async fn when_the_engine_dies_the_next_one_is_attached_to() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::listen(home.path());
    let terminal = Terminal::parlour(home.path(), Answers::Kitty);
    let (mut client, _) = engine.screen().await;
    client.draw(1, "\x1b[?25l\x1b[?2026hgood morning").await;
    terminal.wait_for("good morning").await;
    drop(client);
    let (mut client, attach) = engine.screen().await;
    assert!(!attach.edits);
    terminal.wait_for("The engine ended.").await;
    client.draw(1, "good evening").await;
    terminal.wait_for("good evening").await;
    client.bye("see you", 0).await;
    let (exit, written) = terminal.ended().await;
    assert_eq!(exit, 0);
    assert_restored(&written);
}

#[tokio::test]
async fn engines_that_die_again_and_again_end_the_screen() {
    let home = tempfile::tempdir().unwrap();
    let engine = Engine::listen(home.path());
    let terminal = Terminal::parlour(home.path(), Answers::Kitty);
    for _ in 0..4 {
        drop(engine.screen().await);
    }
    cooked(&terminal).await;
    let (exit, written) = terminal.ended().await;
    assert_eq!(exit, 1);
    assert_restored(&written);
    assert!(
        written.contains("the engine ended again and again; your chats are on disk"),
        "{written:?}"
    );
}

pub async fn signals_restore_the_terminal() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 0)] {
        let (_home, terminal, client) = screen().await;
        send(terminal.pid(), signal);
        client.ended().await;
        cooked(&terminal).await;
        let (exit, written) = terminal.ended().await;
        assert_eq!(exit, code, "{written:?}");
        assert_restored(&written);
    }
}

pub async fn when_the_drawing_process_is_killed_its_guard_restores_the_terminal() {
    let (_home, terminal, client) = screen().await;
    assert_ne!(client.pid(), terminal.pid());
    send(client.pid(), Signal::KILL);
    cooked(&terminal).await;
    let (exit, written) = terminal.ended().await;
    assert_eq!(exit, 137);
    assert_restored(&written);
    assert!(written.contains("ended by signal 9; your chats go on"), "{written:?}");
}

#[tokio::test]
async fn modified_keys_are_asked_of_a_multiplexer_and_given_back_at_each_end() {
    for kill in [false, true] {
        let home = tempfile::tempdir().unwrap();
        let engine = Engine::listen(home.path());
        let terminal = Terminal::parlour(home.path(), Answers::Tmux);
        let (mut client, _) = engine.screen().await;
        client.draw(1, "good morning").await;
        terminal.wait_for("\x1b[>4;1m").await;
        match kill {
            true => send(client.pid(), Signal::KILL),
            false => client.bye("see you", 0).await,
        }
        cooked(&terminal).await;
        assert_restored(&terminal.ended().await.1);
    }
}

#[tokio::test]
async fn when_the_guard_is_killed_the_drawing_process_ends_too() {
    let (_home, terminal, client) = screen().await;
    send(terminal.pid(), Signal::KILL);
    client.ended().await;
    cooked(&terminal).await;
    let (_, written) = terminal.ended().await;
    assert_restored(&written);
}

pub async fn when_the_terminal_is_closed_the_client_ends() {
    let (_home, terminal, mut client) = screen().await;
    terminal.close();
    client.draw_on_one_that_ends(2, "good night").await;
    client.ended().await;
}

/// Who hears first that it is gone, the reader of keys or whatever ends the client, is a matter of luck. On one processor
/// luck is seldom good.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn however_its_threads_run_a_client_ends_with_its_terminal() {
    for _ in 0..40 {
        let (_home, terminal, mut client) = screen().await;
        on_one_processor(client.pid());
        terminal.close();
        client.draw_on_one_that_ends(2, "good night").await;
        client.ended().await;
    }
}

/// Its window may be closed while it still asks the terminal what it can.
#[tokio::test]
async fn a_terminal_that_goes_as_the_client_starts_ends_it_in_good_order() {
    let home = tempfile::tempdir().unwrap();
    let _engine = Engine::listen(home.path());
    for delay in 0..20 {
        let pair = native_pty_system().openpty(PtySize::default()).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_parlour"));
        command.env("PARLOUR_HOME", home.path());
        command.env("TERM", "xterm-256color");
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        std::io::Read::read(&mut reader, &mut [0; 16]).unwrap();
        tokio::time::sleep(Duration::from_millis(4 * delay)).await;
        drop((reader, pair.master));
        let ended = child.wait().unwrap();
        assert_ne!(
            ended.exit_code(),
            101,
            "it panicked {} ms after its first question",
            4 * delay
        );
    }
}

#[cfg(target_os = "linux")]
fn on_one_processor(pid: i32) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let allowed = sched_getaffinity(None).unwrap();
    let mut one = CpuSet::new();
    one.set((0..CpuSet::MAX_CPU).find(|cpu| allowed.is_set(*cpu)).unwrap());
    for thread in std::fs::read_dir(format!("/proc/{pid}/task")).unwrap() {
        let thread = thread.unwrap().file_name().into_string().unwrap().parse().unwrap();
        // One that has ended meanwhile needs none.
        let _ = sched_setaffinity(Pid::from_raw(thread), &one);
    }
}

#[tokio::test]
async fn a_terminal_that_stands_still_delays_no_goodbye() {
    let (_home, terminal, mut client) = screen().await;
    let stalled = terminal.stalled.clone();
    let (ready, is_ready) = std::sync::mpsc::channel();
    let (go_on, goes_on) = std::sync::mpsc::channel::<()>();
    let stalling = std::thread::spawn(move || {
        let _held = stalled.lock();
        ready.send(()).unwrap();
        let _ = goes_on.recv();
    });
    is_ready.recv().unwrap();
    let bytes = vec![b'x'; 900_000];
    client.say(Message::Frame { number: 2, bytes }).await;
    client.bye("", 0).await;
    client.ended().await;
    drop(go_on);
    stalling.join().unwrap();
    assert_eq!(terminal.ended().await.0, 0);
}

pub async fn a_panic_is_told_on_a_restored_terminal() {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    let this = "client::ends::enters_and_panics";
    command.args(["--ignored", "--exact", this, "--nocapture"]);
    let terminal = Terminal::run(command, Answers::Kitty);
    let (exit, written) = terminal.ended().await;
    assert_eq!(exit, 101);
    assert_restored(&written);
    let left = written.rfind("\x1b[?1049l").unwrap();
    let told = written.find("the drawing fell over").unwrap();
    assert!(left < told, "{written:?}");
}

#[test]
#[ignore = "run by the test above, in a terminal of its own"]
fn enters_and_panics() {
    parlour::client::restore_on_panic();
    parlour::client::enter_alone().unwrap();
    panic!("the drawing fell over");
}

pub async fn reset_makes_a_broken_terminal_usable() {
    let mut command = CommandBuilder::new("/bin/sh");
    let parlour = env!("CARGO_BIN_EXE_parlour");
    command.args([
        "-c",
        r#"stty raw -echo; printf '\033[?1049h\033[?1003h\033[?25l'; "$0" reset; stty -a"#,
        parlour,
    ]);
    let (exit, written) = Terminal::run(command, Answers::Nothing).ended().await;
    assert_eq!(exit, 0);
    assert_restored(&written);
    for mode in ["\nisig icanon", " echo ", "\nopost", " onlcr"] {
        assert!(written.contains(mode), "{mode} is off in {written:?}");
    }
}
