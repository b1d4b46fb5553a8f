//! Words are found in all that a terminal keeps, as they were written.

use super::super::{FoundText, TextSpot};
use super::Desk;

fn spot(line: u64, col: u16) -> TextSpot {
    TextSpot { line, col }
}

fn find(desk: &Desk, words: &str, most: usize) -> FoundText {
    let places = |line: &str| line.match_indices(words).map(|(at, one)| at..at + one.len()).collect();
    desk.terminal.find(words, places, most)
}

#[test]
fn the_newest_come_first_and_lines_that_scrolled_away_are_searched() {
    let mut desk = Desk::new(20, 4);
    desk.feed("an error\r\n")
        .feed("fine\r\n".repeat(30))
        .feed("error, error");
    let found = find(&desk, "error", 10);
    let places = vec![
        (spot(31, 7), spot(31, 11)),
        (spot(31, 0), spot(31, 4)),
        (spot(0, 3), spot(0, 7)),
    ];
    assert_eq!((found.places, found.cut), (places, false));
    let few = find(&desk, "error", 2);
    assert_eq!((few.places.len(), few.cut), (2, true));
    assert_eq!(find(&desk, "nothing", 10).places, []);
}

#[test]
fn words_across_a_line_that_the_terminal_broke_are_found() {
    let mut desk = Desk::new(10, 4);
    desk.feed("abcdefghijklmno\r\nnext");
    assert_eq!(find(&desk, "ijkl", 10).places, [(spot(0, 8), spot(1, 1))]);
    assert_eq!(find(&desk, "onext", 10).places, [], "a line that ended is another");
}

#[test]
fn wide_characters_take_two_cells_and_marks_none() {
    let mut desk = Desk::new(20, 4);
    desk.feed("修复e\u{301} ok");
    assert_eq!(find(&desk, "复", 10).places, [(spot(0, 2), spot(0, 2))]);
    assert_eq!(find(&desk, "ok", 10).places, [(spot(0, 6), spot(0, 7))]);
}
