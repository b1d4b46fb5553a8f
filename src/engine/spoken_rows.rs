//! A frame for a screen reader, which says what is written: whole rows, and only those that say something else.
//!
//! Cells that differ would be pieces of words. What a person types is the exception: it is said as it is typed. A row in which
//! only figures count on, of a program that works say, would be said every second.

use std::time::{Duration, Instant};

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;

use super::ansi_writer::AnsiWriter;

/// Rows that only count are written no more often.
const COUNTS: Duration = Duration::from_secs(10);

#[derive(Default)]
pub struct SpokenRows {
    /// When a row that only counts was last written.
    counted: Option<Instant>,
}

/// How a row differs from the one that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowChange {
    Same,
    /// Behind the cursor, which stands in it and did so before.
    Typed,
    Counts,
    Says,
}

/// Where the cursor stood in what is shown, and where it stands in what comes.
#[derive(Clone, Copy, Debug, Default)]
pub struct CursorStep {
    pub before: Option<Position>,
    pub after: Option<Position>,
}

impl CursorStep {
    fn was_in(self, y: u16) -> bool {
        self.before.is_some_and(|at| at.y == y)
    }

    /// The first column that typing may have changed: that before the cursor, if a letter was taken back. None where no
    /// text was typed into this row. A cursor at its beginning stands at what is selected.
    fn typed_from(self, y: u16) -> Option<u16> {
        let (before, after) = (self.before?, self.after?);
        let is_here = before.y == y && after.y == y && before.x > 0 && after.x > 0;
        is_here.then(|| before.x.min(after.x))
    }
}

impl SpokenRows {
    /// Writes what of `next` says something else than `shown`. What is not written yet is put back in `next`.
    pub fn write(&mut self, shown: &Buffer, next: &mut Buffer, cursor: CursorStep, writer: &mut AnsiWriter) {
        let area = next.area;
        let changes: Vec<RowChange> = (area.top()..area.bottom())
            .map(|y| change(row(shown, y), row(next, y), (cursor, y)))
            .collect();
        let says = changes
            .iter()
            .any(|change| matches!(change, RowChange::Typed | RowChange::Says));
        let is_early = self.counted.is_some_and(|at| at.elapsed() < COUNTS);
        for (y, change) in (area.top()..area.bottom()).zip(changes) {
            match change {
                RowChange::Same => {}
                RowChange::Counts if is_early && !says => {
                    let kept = row(shown, y).to_vec();
                    let from = next.index_of(area.left(), y);
                    next.content[from..from + kept.len()].clone_from_slice(&kept);
                }
                RowChange::Typed => {
                    let (before, after) = (alone(shown, y), alone(next, y));
                    for (x, y, cell) in before.diff_iter(&after) {
                        writer.draw(x, y, cell, area.width);
                    }
                }
                RowChange::Counts | RowChange::Says => {
                    if change == RowChange::Counts {
                        self.counted = Some(Instant::now());
                    }
                    write_row(next, y, writer);
                }
            }
        }
    }
}

fn row(buffer: &Buffer, y: u16) -> &[Cell] {
    let from = buffer.index_of(buffer.area.left(), y);
    &buffer.content[from..from + usize::from(buffer.area.width)]
}

fn alone(buffer: &Buffer, y: u16) -> Buffer {
    let area = Rect {
        y,
        height: 1,
        ..buffer.area
    };
    let mut one = Buffer::empty(area);
    one.content.clone_from_slice(row(buffer, y));
    one
}

/// The whole row up to its last letter; the rest is erased.
fn write_row(next: &Buffer, y: u16, writer: &mut AnsiWriter) {
    let after = alone(next, y);
    let mut before = Buffer::empty(after.area);
    // Nothing is drawn with all of them, so every cell differs.
    let all = Modifier::from_bits_retain(u16::MAX);
    before.content.iter_mut().for_each(|cell| cell.modifier = all);
    let last = after.content.iter().rposition(|cell| cell.symbol() != " ");
    let end = last.map_or(0, |last| last + 1);
    for (x, y, cell) in before.diff_iter(&after) {
        if usize::from(x - after.area.left()) < end {
            writer.draw(x, y, cell, after.area.width);
        }
    }
    if let Some(blank) = after.content.get(end) {
        let x = after.area.left() + u16::try_from(end).unwrap_or(after.area.width);
        writer.erase_after(Position { x, y }, blank);
    }
}

fn change(before: &[Cell], after: &[Cell], (cursor, y): (CursorStep, u16)) -> RowChange {
    let Some(first) = before.iter().zip(after).position(|(one, other)| one != other) else {
        return RowChange::Same;
    };
    if cursor.typed_from(y).is_some_and(|typed| first >= usize::from(typed)) {
        return RowChange::Typed;
    }
    match !cursor.was_in(y) && without_counts(before) == without_counts(after) {
        true => RowChange::Counts,
        false => RowChange::Says,
    }
}

/// What a row says beside figures and what moves.
fn without_counts(row: &[Cell]) -> String {
    const MOVES: &str = "·✢✳✶✻✽∗*◐◓◑◒|/-\\";
    let letters = row.iter().flat_map(|cell| cell.symbol().chars());
    let still =
        letters.filter(|letter| !letter.is_ascii_digit() && !letter.is_whitespace() && !MOVES.contains(*letter));
    still.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::event::ColourDepth;

    struct Seat {
        rows: SpokenRows,
        shown: Buffer,
        cursor: Option<Position>,
    }

    impl Seat {
        fn new(lines: &[&str]) -> Seat {
            Seat {
                rows: SpokenRows::default(),
                shown: buffer(lines),
                cursor: None,
            }
        }

        fn at(mut self, x: u16, y: u16) -> Seat {
            self.cursor = Some(Position { x, y });
            self
        }

        /// The cursor stays where it is.
        fn write(&mut self, lines: &[&str]) -> String {
            self.write_at(lines, self.cursor)
        }

        fn write_at(&mut self, lines: &[&str], after: Option<Position>) -> String {
            let mut writer = AnsiWriter::new(ColourDepth::True);
            let mut next = buffer(lines);
            let cursor = CursorStep {
                before: self.cursor,
                after,
            };
            self.rows.write(&self.shown, &mut next, cursor, &mut writer);
            (self.shown, self.cursor) = (next, after);
            writer.take()
        }
    }

    fn buffer(lines: &[&str]) -> Buffer {
        let lines: Vec<String> = lines.iter().map(|line| format!("{line:<30}")).collect();
        Buffer::with_lines(lines)
    }

    #[test]
    fn a_row_that_says_something_else_is_written_whole_and_no_other() {
        let mut seat = Seat::new(&["Chats: 2", "api, running", "web, idle"]);
        let written = seat.write(&["Chats: 2", "api, needs you", "web, idle"]);
        assert_eq!(written, "\x1b[2;1Hapi, needs you\x1b[K");
        assert_eq!(seat.write(&["Chats: 2", "api, needs you", "web, idle"]), "");
        assert_eq!(seat.write(&["Chats: 2", "", "web, idle"]), "\x1b[2;1H\x1b[K");
    }

    #[test]
    fn what_is_typed_is_written_as_it_is_typed() {
        let at = |x| Some(Position { x, y: 0 });
        let mut seat = Seat::new(&["Name: ap"]).at(8, 0);
        assert_eq!(seat.write_at(&["Name: api"], at(9)), "\x1b[1;9Hi");
        assert_eq!(seat.write_at(&["Name: ap"], at(8)), "\x1b[1;9H ");
        assert_eq!(seat.write_at(&["Name: "], at(6)), "\x1b[1;7H  ");
        assert_eq!(seat.write_at(&["Agent: Codex"], at(12)), "\x1b[1;1HAgent: Codex\x1b[K");
    }

    #[test]
    fn another_selected_row_is_said_whole() {
        let mut seat = Seat::new(&["budget.chat: none, 1 of 3"]).at(0, 0);
        let written = seat.write(&["budget.tree: none, 2 of 3"]);
        assert_eq!(written, "\x1b[1;1Hbudget.tree: none, 2 of 3\x1b[K");
        // It comes into a row in which something was typed.
        let mut seat = Seat::new(&["Search: a"]).at(9, 0);
        let written = seat.write_at(&["Search: a row, 1 of 3"], Some(Position { x: 0, y: 0 }));
        assert_eq!(written, "\x1b[1;1HSearch: a row, 1 of 3\x1b[K");
    }

    #[test]
    fn a_row_that_only_counts_is_not_said_every_second() {
        let mut seat = Seat::new(&["✻ Thinking (1s)", "> "]).at(2, 1);
        assert_ne!(seat.write(&["✶ Thinking (2s)", "> "]), "");
        assert_eq!(seat.write(&["✻ Thinking (3s)", "> "]), "");
        let with_more = seat.write(&["✻ Thinking (4s)", "> a"]);
        assert!(with_more.contains("Thinking (4s)"), "{with_more:?}");
        assert_ne!(seat.write(&["Done.", "> a"]), "");
    }
}
