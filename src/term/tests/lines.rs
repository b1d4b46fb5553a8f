//! Lines keep their numbers while they scroll, and what is copied is what was written.

use super::super::{Copied, TextSpot};
use super::Desk;

fn spot(line: u64, col: u16) -> TextSpot {
    TextSpot { line, col }
}

fn numbered(lines: std::ops::RangeInclusive<u32>) -> String {
    lines.map(|line| format!("line {line}\r\n")).collect()
}

/// The text of the line with that number.
fn line(desk: &Desk, number: u64) -> String {
    desk.terminal.copy(spot(number, 0), spot(number, u16::MAX), 1000).text
}

#[test]
fn a_line_keeps_its_number_before_and_after_the_history_is_full() {
    let mut desk = Desk::new(20, 4);
    desk.feed(numbered(1..=10));
    // The eleventh line is the empty one that the cursor is on.
    assert_eq!((desk.screen().first, desk.screen().history), (7, 7));
    assert_eq!(line(&desk, 4), "line 5");
    desk.feed(numbered(11..=90));
    assert_eq!(line(&desk, 4), "line 5");
    desk.feed(numbered(91..=200));
    assert_eq!((desk.screen().first, desk.screen().oldest()), (197, 97));
    assert_eq!(line(&desk, 120), "line 121");
    let view = desk.terminal.view_from(120, &mut desk.effects);
    assert_eq!((view.first, view.offset), (120, 77));
    assert_eq!(view.text().lines().next(), Some("line 121"));
}

#[test]
fn a_line_that_is_gone_shows_the_oldest() {
    let mut desk = Desk::new(20, 4);
    desk.feed(numbered(1..=300));
    let view = desk.terminal.view_from(3, &mut desk.effects);
    assert_eq!((view.first, view.offset), (197, 100));
    assert_eq!(line(&desk, 3), "");
}

#[test]
fn a_cleared_history_takes_its_numbers_with_it() {
    let mut desk = Desk::new(20, 4);
    desk.feed(numbered(1..=10));
    let last = desk.screen().first + 3;
    desk.feed("\x1b[H\x1b[2J\x1b[3Jnew");
    assert!(desk.screen().oldest() > last);
    let first = desk.screen().first;
    assert_eq!(line(&desk, first), "new");
}

#[test]
fn the_alternate_screen_and_back_counts_nothing() {
    let mut desk = Desk::new(20, 4);
    desk.feed(numbered(1..=10));
    let first = desk.screen().first;
    desk.feed("\x1b[?1049h").feed(numbered(1..=50));
    assert_eq!(desk.screen().first, first);
    desk.feed("\x1b[?1049l");
    assert_eq!(desk.screen().first, first);
    desk.feed("more\r\n");
    assert_eq!(desk.screen().first, first + 1);
}

#[test]
fn a_smaller_screen_moves_lines_up_without_renaming_them() {
    let mut desk = Desk::new(20, 8);
    desk.feed(numbered(1..=20));
    let first = desk.screen().first;
    desk.resize(20, 4);
    assert_eq!(desk.screen().first, first + 4);
    assert_eq!(line(&desk, 5), "line 6");
}

#[test]
fn a_line_that_the_terminal_broke_is_copied_whole() {
    let mut desk = Desk::new(10, 4);
    desk.feed("abcdefghijklmno  \r\nnext   \r\n");
    let copied = desk.terminal.copy(spot(0, 2), spot(2, 9), 1000);
    assert_eq!(copied.text, "cdefghijklmno\nnext");
}

#[test]
fn wide_characters_and_marks_are_copied_once() {
    let mut desk = Desk::new(10, 4);
    desk.feed("修复e\u{301} ok");
    assert_eq!(desk.terminal.copy(spot(0, 0), spot(0, 9), 1000).text, "修复e\u{301} ok");
    assert_eq!(desk.terminal.copy(spot(0, 2), spot(0, 3), 1000).text, "复");
}

#[test]
fn what_is_too_much_is_cut_between_characters_and_said() {
    let mut desk = Desk::new(10, 4);
    desk.feed("修复修复");
    let copied = Copied {
        text: "修复".into(),
        cut: true,
    };
    assert_eq!(desk.terminal.copy(spot(0, 0), spot(0, 9), 8), copied);
}

#[test]
fn a_block_is_copied_by_its_columns() {
    let mut desk = Desk::new(20, 4);
    desk.feed("one two\r\nsix ten\r\n修复 end");
    let block = |from, to| desk.terminal.copy_block(from, to, 1000).text;
    assert_eq!(block(spot(0, 4), spot(1, 6)), "two\nten");
    assert_eq!(block(spot(1, 6), spot(0, 4)), "two\nten");
    assert_eq!(block(spot(0, 0), spot(2, 1)), "on\nsi\n修");
    assert!(desk.terminal.copy_block(spot(0, 0), spot(2, 6), 5).cut);
}

#[test]
fn whole_lines_begin_where_the_terminal_began_to_break_them() {
    let mut desk = Desk::new(10, 4);
    let letters = "abcdefghijklmnopqrstuvwxyz";
    desk.feed(format!("before\r\n{letters}\r\n1\r\n2\r\n"));
    assert_eq!(desk.screen().first, 3, "its first two rows are out of sight");
    let lines = |from, to| desk.terminal.copy_lines(spot(from, 2), spot(to, 4), 1000).text;
    assert_eq!(lines(3, 3), letters);
    assert_eq!(lines(2, 4), format!("{letters}\n1"));
    assert_eq!(lines(0, 1), format!("before\n{letters}"));
    assert_eq!(lines(5, 5), "2");
}
