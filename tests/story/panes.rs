//! What a terminal inside parlour does to the person's own: their clipboard, their browser and editor, their windows; and
//! what is left of it when the engine is killed.

use std::fs;
use std::path::Path;

use crate::support::parlour::{PATIENCE, Parlour, kill, let_it_be_read, until};
use crate::support::terminal::Terminal;

/// A shell, with its terminal on the screen and the keyboard in it.
fn shell(parlour: &Parlour, size: (u16, u16)) -> Terminal {
    parlour.json(&["new", "Sh", "--llm", "shell"]);
    parlour.wait("sh", "idle");
    let terminal = parlour.attach_sized(&["sh"], size.0, size.1);
    terminal.wait_for_text(" SHELL ");
    terminal
}

fn says(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_default()
}

#[test]
fn a_program_that_sets_the_clipboard_is_asked_about_once_a_chat() {
    let parlour = Parlour::new();
    let mut terminal = shell(&parlour, (120, 40));
    terminal.press("printf '\\033]52;c;%s\\a' aGVsbG8=\r");
    terminal.wait_for_text("copy to your clipboard: hello");
    assert_eq!(terminal.received("]52;c;aGVsbG8="), 0);
    assert_eq!(parlour.json(&["approvals"])["approvals"][0]["tool"], "clipboard");
    terminal.press("\x11a");
    terminal.wait_for_text("Allow in this chat");
    let_it_be_read();
    terminal.press("y");
    terminal.wait_to_receive("]52;c;aGVsbG8=");
    terminal.wait_for_text("Sh copied 5 characters");

    terminal.wait_for_text(" SHELL ");
    let_it_be_read();
    terminal.press("printf '\\033]52;c;%s\\a' d29ybGQ=\r");
    terminal.wait_to_receive("]52;c;d29ybGQ=");

    parlour.configure(r#"{"clipboard": "deny"}"#);
    until("the settings are read", PATIENCE, || {
        terminal.press("printf '\\033]52;c;bm8=\\a'\r");
        terminal.contents().contains("config.json denies it")
    });
}

#[test]
fn a_letter_opens_a_link_and_with_shift_copies_it() {
    let seen = tempfile::tempdir().unwrap();
    let (browsed, edited) = (seen.path().join("browsed"), seen.path().join("edited"));
    let parlour = Parlour::new()
        .with_program("browse", &format!("#!/bin/sh\necho \"$1\" > {}\n", browsed.display()))
        .with_program(
            "revise",
            &format!("#!/bin/sh\necho \"$@\" > {}\nsleep 60\n", edited.display()),
        )
        .with([
            ("BROWSER".into(), "browse".into()),
            ("EDITOR".into(), "revise".into()),
            ("VISUAL".into(), "revise".into()),
        ]);
    let mut terminal = shell(&parlour, (120, 40));
    terminal.press("echo a > notes.txt; echo 'see notes.txt:3 or' https://ex''ample.org/x.\r");
    terminal.wait_for_text("https://example.org/x.");
    terminal.press("\x11K");
    terminal.wait_for_text("LINKS");
    terminal.press("a");
    until("the browser is there", PATIENCE, || {
        says(&browsed) == "https://example.org/x\n"
    });
    terminal.wait_for_text("Opens https://example.org/x");

    terminal.press("\x11K");
    terminal.wait_for_text("LINKS");
    terminal.press("A");
    terminal.wait_to_receive("]52;c;aHR0cHM6Ly9leGFtcGxlLm9yZy94");

    terminal.press("\x11K");
    terminal.wait_for_text("LINKS");
    terminal.press("s");
    until("the editor is there", PATIENCE, || says(&edited).contains("notes.txt"));
}

#[test]
fn a_window_takes_the_size_of_a_terminal_by_one_key() {
    let parlour = Parlour::new();
    let mut small = shell(&parlour, (80, 24));
    small.press("stty size\r");
    small.wait_for("the size of the small window", |screen| {
        screen
            .contents()
            .lines()
            .any(|line| line.contains("20 ") || line.contains("21 "))
    });
    let mut large = parlour.attach_sized(&["sh"], 140, 50);
    large.wait_for_text("another window");
    large.press("\x11=");
    large.wait_for("its own size", |screen| !screen.contents().contains("another window"));
    small.wait_for_text("another window");
}

#[test]
fn when_the_engine_is_killed_its_windows_attach_to_the_next_and_one_key_resumes_all() {
    let parlour = Parlour::new();
    parlour.json(&["new", "One", "--llm", "demo", "-p", "noask hello"]);
    parlour.json(&["new", "Two", "--llm", "demo", "-p", "noask hello"]);
    parlour.wait("one", "idle");
    parlour.wait("two", "idle");
    let mut first = parlour.attach(&[]);
    let second = parlour.attach(&[]);
    first.wait_for_text("SIDEBAR");
    second.wait_for_text("SIDEBAR");
    let engine = parlour.engine_pid();
    kill(engine);
    for window in [&first, &second] {
        window.wait_to_receive("The engine ended.");
        window.wait_for_text("resume");
    }
    assert_ne!(parlour.engine_pid(), engine);
    assert_eq!(parlour.engines().len(), 1);
    first.press("C");
    parlour.wait("one", "idle");
    parlour.wait("two", "idle");
    until("both run", PATIENCE, || parlour.agents().len() == 2);
}

#[test]
fn what_scrolled_away_is_read_back_after_the_engine_was_killed() {
    let parlour = Parlour::new();
    let mut terminal = shell(&parlour, (80, 24));
    terminal.press("for i in $(seq 1 6000); do echo \"<$i>\"; done\r");
    terminal.wait_for_text("<6000>");
    terminal.press("\x11v");
    terminal.wait_for_text("COPY");
    terminal.press("g");
    terminal.wait_for_text("<1>");
    terminal.press("q");
    // What was received last is written within a quarter of a second.
    std::thread::sleep(std::time::Duration::from_millis(600));
    drop(terminal);
    kill(parlour.engine_pid());

    parlour.json(&["resume", "sh"]);
    parlour.wait("sh", "idle");
    let mut terminal = parlour.attach_sized(&["sh"], 80, 24);
    terminal.wait_for_text(" SHELL ");
    terminal.press("echo again\r");
    terminal.press("\x11v");
    terminal.wait_for_text("COPY");
    terminal.press("g");
    terminal.wait_for_text("<1>");
}

#[test]
fn a_shell_that_was_left_is_at_its_end_and_not_interrupted() {
    let parlour = Parlour::new();
    let mut terminal = shell(&parlour, (120, 40));
    terminal.press("sleep 3; exit\r");
    until("it runs", PATIENCE, || {
        parlour.json(&["list"])["chats"][0]["status"] == "running"
    });
    terminal.wait_for_text("□ ended");
    assert!(!terminal.contents().contains("interrupted"), "{}", terminal.contents());
}
