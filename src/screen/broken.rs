//! The lines of a field, broken at its edge. Shared with drawing, because the height of a composer depends on it.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::model::text::{is_hidden, visible};

use super::dialog::Field;
use super::wrap::width;

/// Of a longer line, only a stretch around the cursor is broken.
const LONG: usize = 16 << 10;

pub struct BrokenRows {
    pub rows: Vec<String>,
    /// The row of the cursor among them, and its column there.
    pub cursor: (usize, usize),
    /// Lines of which nothing is among them, before and behind.
    pub hidden: (usize, usize),
    /// Whether a row is missing before the first and behind the last of them.
    pub cut: (bool, bool),
}

/// The rows around the cursor, as many as fit into this height: the cursor is in the last of them, unless all that is
/// before it fits.
pub fn in_sight(field: &Field, wide: usize, high: usize) -> BrokenRows {
    let wide = edge(wide);
    let (cursor_line, cursor_column) = field.cursor();
    let lines = field.lines();
    let mut rows = Vec::new();
    // The line that each row is of.
    let mut of = Vec::new();
    let mut cursor = (0, 0);
    if let Some(line) = lines.get(cursor_line) {
        let (line, column) = around(line, cursor_column);
        let mut characters = 0;
        for row in broken(line, wide, usize::MAX) {
            let here = row.chars().count();
            if (characters..=characters + here).contains(&column) {
                let before: String = row.chars().take(column - characters).collect();
                cursor = (rows.len(), width(&shown(&before)));
            }
            characters += here;
            rows.push(row);
            of.push(cursor_line);
        }
    }
    for (number, line) in lines.iter().enumerate().take(cursor_line).rev() {
        if cursor.0 >= high {
            break;
        }
        let before = broken(line, wide, usize::MAX);
        cursor.0 += before.len();
        of.splice(0..0, before.iter().map(|_| number));
        rows.splice(0..0, before);
    }
    for (number, line) in lines.iter().enumerate().skip(cursor_line + 1) {
        if rows.len() >= cursor.0 + high {
            break;
        }
        let behind = broken(line, wide, high);
        of.extend(behind.iter().map(|_| number));
        rows.extend(behind);
    }
    let skipped = (cursor.0 + 1).saturating_sub(high);
    cursor.0 -= skipped;
    let mut of = of.iter().skip(skipped).take(high);
    let cut = (skipped > 0, rows.len() > skipped.saturating_add(high));
    let first = of.next().copied().unwrap_or(0);
    let last = of.next_back().copied().unwrap_or(first);
    let rows = rows.iter().skip(skipped).take(high);
    BrokenRows {
        rows: rows.map(|row| shown(row).into_owned()).collect(),
        cursor,
        hidden: (first, lines.len().saturating_sub(last + 1)),
        cut,
    }
}

/// How many rows there are; counts no further than `most`.
pub fn count(field: &Field, wide: usize, most: usize) -> usize {
    let wide = edge(wide);
    let mut rows = 0;
    for line in field.lines() {
        rows += broken(line, wide, most).len();
        if rows >= most {
            break;
        }
    }
    rows.clamp(1, most.max(1))
}

/// The cursor needs a cell behind the last character of a full row.
fn edge(wide: usize) -> usize {
    wide.saturating_sub(1).max(2)
}

/// The part of a long line that the cursor is in, and where it is there. It begins where it began for the columns around.
fn around(line: &str, column: usize) -> (&str, usize) {
    if line.len() <= LONG {
        return (line, column);
    }
    let first = (column / (LONG / 2) * (LONG / 2)).saturating_sub(LONG / 2);
    let byte = |at: usize| line.char_indices().nth(at).map_or(line.len(), |(byte, _)| byte);
    (&line[byte(first)..byte(first + 2 * LONG)], column - first)
}

/// The rows of a line, at most so many.
fn broken(line: &str, wide: usize, most: usize) -> Vec<String> {
    let pieces: Vec<&str> = match most.checked_mul(wide + 1) {
        Some(enough) => line.graphemes(true).take(enough).collect(),
        None => line.graphemes(true).collect(),
    };
    let rows = breaks(&pieces, wide).into_iter().take(most);
    rows.map(|range| pieces[range].concat()).collect()
}

/// Where a line is broken: behind a space where its row has one, else at the edge. At least one row.
fn breaks(pieces: &[&str], wide: usize) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let (mut start, mut used) = (0, 0);
    for at in 0..pieces.len() {
        used += width(&shown(pieces[at]));
        if used <= wide || at == start {
            continue;
        }
        let space = (start..at).rev().find(|before| pieces[*before] == " ");
        let next = space.map_or(at, |space| space + 1);
        rows.push(start..next);
        start = next;
        used = pieces[start..=at].iter().map(|piece| width(&shown(piece))).sum();
    }
    rows.push(start..pieces.len());
    rows
}

fn shown(text: &str) -> Cow<'_, str> {
    match text.chars().any(is_hidden) {
        true => visible(text).into(),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::dialog::Room;
    use super::*;

    fn seen(text: &str, wide: usize, high: usize) -> (Vec<String>, (usize, usize)) {
        let seen = in_sight(&Field::new(text, Room::Lines), wide, high);
        (seen.rows, seen.cursor)
    }

    #[test]
    fn a_field_shows_the_rows_around_its_cursor() {
        let rows = |rows: &[&str]| rows.iter().map(|row| row.to_string()).collect::<Vec<_>>();
        assert_eq!(seen("", 10, 3), (rows(&[""]), (0, 0)));
        assert_eq!(seen("a\nb\nc", 10, 2), (rows(&["b", "c"]), (1, 1)));
        assert_eq!(seen("one two three", 9, 3), (rows(&["one two ", "three"]), (1, 5)));
        assert_eq!(count(&Field::new("one two three\nfour", Room::Lines), 9, 6), 3);
        let hidden = |text: &str, high| in_sight(&Field::new(text, Room::Lines), 10, high).hidden;
        assert_eq!(
            (hidden("a\nb\nc", 2), hidden("a\nb\nc", 3), hidden("", 3)),
            ((1, 0), (0, 0), (0, 0))
        );
        let mut field = Field::new("a\nb\nc", Room::Lines);
        field.to_start();
        assert_eq!(in_sight(&field, 10, 2).hidden, (0, 1));
        assert_eq!(count(&Field::new(&"line\n".repeat(100), Room::Lines), 9, 6), 6);
    }

    #[test]
    fn of_a_line_without_end_only_what_is_near_the_cursor_is_broken() {
        let mut field = Field::long();
        field.paste(&"x".repeat(1 << 20));
        let seen = in_sight(&field, 80, 6);
        assert_eq!((seen.rows.len(), seen.cursor.0), (6, 5));
        field.to_start();
        let seen = in_sight(&field, 80, 6);
        assert_eq!((seen.rows.len(), seen.cursor), (6, (0, 0)));
    }
}
