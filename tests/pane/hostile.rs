//! Output that would fill the memory, were it kept.

use std::time::Instant;

use parlour::term::{Effects, Setup, Terminal, TerminalPalette, TerminalSize};

use super::stage::{pass_alone, resident_megabytes};

/// Each of these takes at least twice as much where it is not guarded.
const SLACK: usize = 24;

fn terminal(cols: u16, rows: u16) -> Terminal {
    Terminal::new(Setup {
        size: TerminalSize::new(cols, rows),
        palette: TerminalPalette::default(),
        history_lines: 100,
    })
}

fn feed(terminal: &mut Terminal, bytes: impl AsRef<[u8]>) {
    terminal.advance(bytes.as_ref(), Instant::now(), &mut Effects::default());
}

fn text(terminal: &mut Terminal) -> String {
    terminal.screen(&mut Effects::default()).text()
}

pub fn what_is_hostile_takes_no_memory() {
    pass_alone(&[
        "pane::hostile::millions_of_combining_marks_take_no_memory",
        "pane::hostile::a_command_without_an_end_takes_no_memory_and_prints_nothing",
        "pane::hostile::links_are_let_fall_before_they_are_stored",
    ]);
}

#[test]
#[ignore = "run by the first test, in a process of its own"]
fn millions_of_combining_marks_take_no_memory() {
    let mut terminal = terminal(20, 4);
    let marks = "\u{301}".repeat(8 * 1024);
    feed(&mut terminal, "e");
    feed(&mut terminal, &marks);
    let before = resident_megabytes();
    for _ in 0..1000 {
        feed(&mut terminal, &marks);
    }
    assert!(resident_megabytes() < before + SLACK);
    assert_eq!(text(&mut terminal).trim_end().chars().count(), 1 + 8);
}

#[test]
#[ignore = "run by the first test, in a process of its own"]
fn a_command_without_an_end_takes_no_memory_and_prints_nothing() {
    let mut terminal = terminal(20, 4);
    let piece = vec![b'x'; 64 * 1024];
    feed(&mut terminal, "\x1b]2;title ");
    let before = resident_megabytes();
    for _ in 0..800 {
        feed(&mut terminal, &piece);
    }
    assert!(resident_megabytes() < before + SLACK);
    feed(&mut terminal, "\x07after");
    assert_eq!(text(&mut terminal).trim_end(), "after");
}

#[test]
#[ignore = "run by the first test, in a process of its own"]
fn links_are_let_fall_before_they_are_stored() {
    let mut terminal = terminal(200, 150);
    let url = "u".repeat(3000);
    let before = resident_megabytes();
    for at in 0..20_000 {
        feed(&mut terminal, format!("\x1b]8;;{url}{at}\x1b\\x"));
    }
    assert!(resident_megabytes() < before + SLACK);
    assert!(text(&mut terminal).starts_with(&"x".repeat(200)));
}
