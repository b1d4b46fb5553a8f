//! What hostile output did to this emulator before there were guards, and what it does now.

use std::time::Duration;

use super::{Desk, setup};
use crate::term::{
    Colour, Effects, Emulator, Modes, Row, Screen, Setup, Terminal, TerminalPalette, TerminalSignal, TerminalSize,
};

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
fn a_frame_that_never_ends_is_let_go_when_its_time_is_over() {
    let mut desk = Desk::new(20, 4);
    desk.feed("\x1b[?2026hheld");
    assert!(desk.terminal.is_held());
    let due = desk.terminal.tick(desk.now).unwrap();
    assert!(due <= desk.now + Duration::from_millis(150));
    assert_eq!(desk.terminal.tick(due), None);
    assert!(!desk.terminal.is_held());
    assert_eq!(desk.lines(), ["held"]);
}

#[test]
fn between_two_frames_the_screen_is_whole() {
    let mut desk = Desk::new(20, 4);
    let frames = b"\x1b[?2026hone\x1b[?2026l\x1b[?2026htwo\x1b]2;title\x07\x1b[?2026l";
    let taken = desk.terminal.advance_frame(frames, desk.now, &mut desk.effects);
    assert!(!desk.terminal.is_held());
    assert_eq!(desk.lines(), ["one"]);
    let rest = desk
        .terminal
        .advance_frame(&frames[taken..], desk.now, &mut desk.effects);
    assert_eq!((taken + rest, desk.terminal.is_held()), (frames.len(), false));
    assert_eq!(desk.lines(), ["onetwo"]);
}

#[test]
fn a_frame_is_parsed_as_it_comes() {
    assert_eq!(super::asked("\x1b[?25;2026h\x1b[5n"), "\x1b[0n");
}

#[test]
fn a_character_is_not_repeated_beyond_a_line() {
    let mut desk = Desk::new(20, 4);
    assert_eq!(desk.feed("a\x1b[3bc\x1b[65535bd").lines(), ["aaaacd"]);
}

#[test]
fn a_cell_shows_eight_marks_and_a_link_is_its_text() {
    let mut desk = Desk::new(20, 4);
    desk.feed("e")
        .feed("\u{301}".repeat(50))
        .feed("\x1b]8;;http://nowhere\x1b\\x\x1b]8;;\x1b\\y");
    assert_eq!(desk.screen().rows[0].marks(0).chars().count(), 8);
    assert_eq!(desk.lines(), [format!("e{}xy", "\u{301}".repeat(8))]);
}

/// How many cells of the history keep something beside them.
fn kept(desk: &Desk, is_kept: impl Fn(&Row, usize) -> bool) -> usize {
    let history = i32::try_from(desk.terminal.history_len()).unwrap();
    let rows = (-history..0).filter_map(|line| desk.terminal.emulator.row(line));
    rows.map(|row| (0..row.cells.len()).filter(|at| is_kept(&row, *at)).count())
        .sum()
}

#[test]
fn what_is_kept_beside_cells_does_not_grow_with_the_history() {
    let coloured = |row: &Row, at: usize| row.cells[at].underline_colour != Colour::Default;
    let mut desk = Desk::new(80, 4);
    let line: String = (0..80).map(|at| format!("\x1b[4;58;2;{at};0;0mx")).collect();
    for _ in 0..50 {
        desk.feed(&line);
    }
    assert_eq!(kept(&desk, coloured), 46 * 80, "a few stay as they are");
    desk.feed(line.repeat(200));
    assert_eq!(kept(&desk, coloured), 0);
    // A colour that is set once, and wide characters that are overwritten, each of which leaves a copy.
    desk.feed(("\x1b[m\x1b[4;58;5;1m".to_owned() + &"世\x08\x08x".repeat(300)).repeat(60));
    assert!(kept(&desk, coloured) < 300 * 60 / 8, "{}", kept(&desk, coloured));
    // The screen keeps its own.
    assert!(
        desk.screen().rows[0]
            .cells
            .iter()
            .any(|cell| cell.underline_colour != Colour::Default)
    );

    let marked = |row: &Row, at: usize| !row.marks(at as u16).is_empty();
    let mut desk = Desk::new(80, 4);
    desk.feed("e\u{301}".repeat(80 * 10));
    assert_eq!(kept(&desk, marked), 6 * 80);
    desk.feed("e\u{301}".repeat(80 * 300));
    assert_eq!(
        kept(&desk, marked),
        20 * 100,
        "what the newest of a hundred lines may keep"
    );
}

#[test]
fn a_link_that_is_cut_leads_nowhere_and_its_text_stays() {
    let url = "u".repeat(3000);
    for end in ["\x1b\\", "\x07"] {
        let mut desk = Desk::new(20, 4);
        desk.feed(format!("\x1b]8;;http://{url}{end}xy\x1b]8;;{end}z"));
        assert_eq!(desk.lines(), ["xyz"]);
        assert_eq!(desk.screen().rows[0].links().count(), 0);
        desk.feed(format!("\x1b]8;;http://near{end}a\x1b]8;;{end}"));
        assert_eq!(desk.screen().rows[0].links().count(), 1);
    }
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
    fn advance(&mut self, bytes: &[u8], out: &mut Effects) {
        assert!(!bytes.contains(&7), "a bell");
        self.0.advance(bytes, out);
    }

    fn resize(&mut self, size: TerminalSize) {
        self.0.resize(size);
    }

    fn modes(&self) -> Modes {
        self.0.modes()
    }

    fn title(&self) -> std::sync::Arc<str> {
        self.0.title()
    }

    fn set_palette(&mut self, palette: &TerminalPalette) {
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

    fn first_line(&self) -> u64 {
        self.0.first_line()
    }

    fn number_from(&mut self, first: u64) {
        self.0.number_from(first);
    }

    fn cursor_row(&self) -> u16 {
        self.0.cursor_row()
    }

    fn is_origin(&self) -> bool {
        self.0.is_origin()
    }

    fn clear_top(&mut self) {
        self.0.clear_top();
    }

    fn row(&self, line: i32) -> Option<Row> {
        self.0.row(line)
    }
}

#[test]
fn a_failure_of_the_emulator_is_told_and_survived() {
    let make = |setup: &Setup| -> Box<dyn Emulator> {
        Box::new(Fragile(Box::new(crate::term::alacritty::Alacritty::new(setup))))
    };
    let mut desk = Desk::new(20, 4);
    desk.terminal = Terminal::with_emulator(setup(20, 4), make);
    desk.feed("before\x07");
    assert_eq!(desk.effects.signals, [TerminalSignal::ParserFailed]);
    assert_eq!(desk.feed("after").lines(), ["after"]);
}

#[test]
fn a_character_that_is_split_between_two_reads_costs_no_other() {
    let text = "lMä/é=修x🙂y ß";
    for at in 0..text.len() {
        let mut desk = Desk::new(40, 2);
        desk.feed(&text.as_bytes()[..at]).feed(&text.as_bytes()[at..]);
        assert_eq!(desk.lines(), [text], "split at {at}");
    }
}
