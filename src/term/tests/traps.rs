//! What hostile output did to this emulator before there were guards, and what it does now.

use std::time::Duration;

use super::{Desk, setup};
use crate::term::{Effects, Emulator, Modes, Palette, Row, Screen, Setup, Signal, Size, Terminal};

/// Other tests run beside these. Each trap takes at least twice as much where it is not guarded.
const SLACK: usize = 24;

fn resident_megabytes() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4 / 1024
}

#[test]
fn thousands_of_keyboard_pushes_do_not_reach_the_emulators_limit() {
    let mut desk = Desk::new(20, 4);
    desk.feed("before\x1b[>1u".to_owned() + &"\x1b[>5u".repeat(10_000));
    assert_eq!(desk.effects.signals, []);
    assert_eq!(desk.lines(), ["before"]);
    assert_eq!(desk.feed("\x1b[<63u\x1b[?u").reply(), "\x1b[?1u");
}

#[test]
fn keyboard_pushes_are_dropped_whole_wherever_they_are_cut() {
    let mut desk = Desk::new(20, 4);
    let pushes = "\x1b[>5u".repeat(200);
    for piece in pushes.as_bytes().chunks(3) {
        desk.feed(piece);
    }
    assert_eq!(desk.feed("clean").lines(), ["clean"]);
}

#[test]
fn one_column_is_never_given_to_wide_characters() {
    let mut desk = Desk::new(20, 4);
    desk.feed("世界".repeat(30));
    for cols in [1, 0, 3, 2, 1, 80] {
        desk.resize(cols, cols);
    }
    assert!(desk.lines().concat().contains('世'));
}

#[test]
fn a_frame_that_never_ends_is_shown_when_its_time_is_over() {
    let mut desk = Desk::new(20, 4);
    desk.feed("\x1b[?2026hheld");
    assert_eq!(desk.lines(), Vec::<String>::new());
    let due = desk.terminal.tick(desk.now, &mut desk.effects).unwrap();
    assert!(due <= desk.now + Duration::from_millis(150));
    assert_eq!(desk.terminal.tick(due, &mut desk.effects), None);
    assert_eq!(desk.lines(), ["held"]);
}

#[test]
fn frames_that_end_leave_nothing_to_wait_for() {
    let mut desk = Desk::new(20, 4);
    desk.feed("\x1b[?2026hone\x1b[?2026l");
    assert_eq!(desk.terminal.tick(desk.now, &mut desk.effects), None);
    assert_eq!(desk.lines(), ["one"]);
    desk.feed("\x1b[?2026h");
    desk.now += Duration::from_millis(100);
    desk.feed("two\x1b[?2026l\x1b[?2026h");
    let due = desk.terminal.tick(desk.now, &mut desk.effects);
    assert_eq!(due, Some(desk.now + Duration::from_millis(150)));
}

#[test]
fn millions_of_combining_marks_take_no_memory() {
    let mut desk = Desk::new(20, 4);
    let marks = "\u{301}".repeat(8 * 1024);
    desk.feed("e").feed(&marks);
    let before = resident_megabytes();
    for _ in 0..1000 {
        desk.feed(&marks);
    }
    assert!(resident_megabytes() < before + SLACK);
    assert_eq!(desk.screen().rows[0].marks(0).chars().count(), 8);
}

#[test]
fn a_command_without_an_end_takes_no_memory_and_prints_nothing() {
    let mut desk = Desk::new(20, 4);
    let piece = vec![b'x'; 64 * 1024];
    desk.feed("\x1b]2;title ");
    let before = resident_megabytes();
    for _ in 0..800 {
        desk.feed(&piece);
    }
    assert!(resident_megabytes() < before + SLACK);
    assert_eq!(desk.feed("\x07after").lines(), ["after"]);
}

#[test]
fn links_are_let_fall_before_they_are_stored() {
    let mut desk = Desk::new(200, 150);
    let url = "u".repeat(3000);
    let before = resident_megabytes();
    for at in 0..20_000 {
        desk.feed(format!("\x1b]8;;{url}{at}\x1b\\x"));
    }
    assert!(resident_megabytes() < before + SLACK);
    assert_eq!(desk.lines()[0], "x".repeat(200));
}

#[test]
fn a_flood_of_questions_gets_bounded_answers() {
    let mut desk = Desk::new(20, 4);
    desk.feed("\x1b[?2026h")
        .feed("\x1b[c".repeat(500_000))
        .feed("\x1b[?2026l");
    assert!(desk.reply().len() <= 16 * 1024);
}

/// Panics at a bell, as no emulator should.
struct Fragile(Box<dyn Emulator>);

impl Emulator for Fragile {
    fn advance(&mut self, bytes: &[u8], now: std::time::Instant, out: &mut Effects) {
        assert!(!bytes.contains(&7), "a bell");
        self.0.advance(bytes, now, out);
    }

    fn tick(&mut self, now: std::time::Instant, out: &mut Effects) -> Option<std::time::Instant> {
        self.0.tick(now, out)
    }

    fn resize(&mut self, size: Size) {
        self.0.resize(size);
    }

    fn size(&self) -> Size {
        self.0.size()
    }

    fn modes(&self) -> Modes {
        self.0.modes()
    }

    fn title(&self) -> std::sync::Arc<str> {
        self.0.title()
    }

    fn set_palette(&mut self, palette: &Palette) {
        self.0.set_palette(palette);
    }

    fn history_len(&self) -> usize {
        self.0.history_len()
    }

    fn set_history_limit(&mut self, lines: usize) {
        self.0.set_history_limit(lines);
    }

    fn trim_marks(&mut self) {
        self.0.trim_marks();
    }

    fn screen(&mut self, previous: Option<&Screen>) -> Screen {
        self.0.screen(previous)
    }

    fn view(&mut self, offset: usize) -> Screen {
        self.0.view(offset)
    }

    fn row(&self, line: i32) -> Option<Row> {
        self.0.row(line)
    }
}

#[test]
fn a_failure_of_the_emulator_is_told_and_survived() {
    let make = |setup: &Setup| -> Box<dyn Emulator> {
        Box::new(Fragile(Box::new(crate::term::alacritty::Alacritty::new(
            setup,
        ))))
    };
    let mut desk = Desk::new(20, 4);
    desk.terminal = Terminal::with_emulator(setup(20, 4), make);
    desk.feed("before\x07");
    assert_eq!(desk.effects.signals, [Signal::ParserFailed]);
    assert_eq!(desk.feed("after").lines(), ["after"]);
}
