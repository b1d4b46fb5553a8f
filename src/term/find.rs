//! Finds text in all that a terminal keeps: its screen and the lines that have scrolled out of it.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::emulator::TextSpot;
use super::screen::{Row, Style};
use super::terminal::Terminal;

/// Where words stand in a terminal's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundText {
    /// What was looked for.
    pub words: String,
    /// First and last cell of each, the newest first.
    pub places: Vec<(TextSpot, TextSpot)>,
    /// There are older ones, too.
    pub cut: bool,
}

/// A line as the program wrote it, joined where the terminal broke it.
#[derive(Default)]
struct WrittenLine {
    text: String,
    /// Where each character begins in `text`, and the cell that shows it.
    cells: Vec<(usize, TextSpot)>,
}

impl WrittenLine {
    fn push(&mut self, line: u64, row: &Row) {
        for (col, cell) in (0..).zip(&row.cells) {
            if cell.style.has(Style::SPACER) {
                continue;
            }
            self.cells.push((self.text.len(), TextSpot { line, col }));
            row.push_text(usize::from(col), usize::from(col) + 1, &mut self.text);
        }
    }

    /// The cell that shows the byte at `at`.
    fn spot(&self, at: usize) -> Option<TextSpot> {
        let after = self.cells.partition_point(|(begin, _)| *begin <= at);
        Some(self.cells.get(after.checked_sub(1)?)?.1)
    }
}

impl Terminal {
    /// The newest `most` places of what `places` finds in a line, from the newest to the oldest. A line that the terminal
    /// broke is searched as one.
    pub fn find(&self, words: &str, places: impl Fn(&str) -> Vec<Range<usize>>, most: usize) -> FoundText {
        let first = self.emulator.first_line();
        let oldest = -i32::try_from(self.history_len()).unwrap_or(i32::MAX);
        let newest = i32::from(self.size().rows()) - 1;
        let mut found = FoundText {
            words: words.to_owned(),
            places: Vec::new(),
            cut: false,
        };
        let mut last = newest;
        while last >= oldest && !found.cut {
            let begins = |line: &i32| *line == oldest || self.emulator.row(line - 1).is_none_or(|row| !row.wrapped);
            let begin = (oldest..=last).rev().find(begins).unwrap_or(last);
            let mut written = WrittenLine::default();
            for line in begin..=last {
                if let Some(row) = self.emulator.row(line) {
                    written.push(first.saturating_add_signed(line.into()), &row);
                }
            }
            last = begin - 1;
            for place in places(&written.text).into_iter().rev() {
                if found.places.len() == most {
                    found.cut = true;
                    break;
                }
                let ends = written.spot(place.start).zip(written.spot(place.end.saturating_sub(1)));
                found.places.extend(ends);
            }
        }
        found
    }
}
