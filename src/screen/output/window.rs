//! The lines of an output that are held, which grow as one scrolls, and the rows of them that are seen.

use std::collections::VecDeque;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::model::output::{LinesAt, OutputLine, OutputPage};
use crate::model::text::{is_hidden, visible};
use crate::screen::wrap::grapheme_width;
use crate::term::ansi::{self, AnsiInk, AnsiLine};

/// More lines are not held: those that are furthest away are let go.
const HELD: usize = 2_000;

#[derive(Default)]
pub struct OutputWindow {
    lines: VecDeque<HeldLine>,
    pub from: u64,
    pub to: u64,
    pub whole: u64,
    /// Of the first line that is held.
    pub number: Option<u64>,
    /// The line at the top, and which of its rows.
    top: usize,
    row: usize,
}

struct HeldLine {
    line: OutputLine,
    shown: ShownLine,
}

/// A line as a terminal would show it, with its colours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownLine {
    pub text: String,
    /// Each goes from the end of the one before to this byte.
    inks: Vec<(usize, AnsiInk)>,
}

impl From<AnsiLine> for ShownLine {
    fn from(pieces: AnsiLine) -> ShownLine {
        let mut line = ShownLine::default();
        for (text, ink) in pieces {
            // What would deceive is spelled out here already: it takes as many columns as it is drawn with.
            match text.chars().any(is_hidden) {
                true => line.text.push_str(&visible(&text)),
                false => line.text.push_str(&text),
            }
            line.inks.push((line.text.len(), ink));
        }
        line
    }
}

impl ShownLine {
    /// The stretches of a part of it, each with its ink.
    pub fn pieces(&self, part: Range<usize>) -> Vec<(&str, AnsiInk)> {
        let mut pieces = Vec::new();
        let mut from = 0;
        for (to, ink) in &self.inks {
            let (start, end) = (from.max(part.start), (*to).min(part.end));
            if let Some(text) = self.text.get(start..end).filter(|text| !text.is_empty()) {
                pieces.push((text, *ink));
            }
            from = *to;
        }
        pieces
    }
}

/// A colour goes on from line to line, as in a terminal.
fn held(lines: Vec<OutputLine>) -> Vec<HeldLine> {
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let mut shown = ansi::lines(&texts.join("\n"), usize::MAX).into_iter();
    let mut held = Vec::new();
    for line in lines {
        let shown = shown.next().unwrap_or_default().into();
        held.push(HeldLine { line, shown });
    }
    held
}

/// How lines become rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowShape {
    /// Each goes on in the next row.
    Wrapped { wide: usize },
    /// One row each, without so many columns at the left.
    Cut { wide: usize, left: usize },
}

/// A row that is seen.
pub struct OutputRow<'w> {
    /// Counted from 0; where the line begins in this row and its number is known.
    pub number: Option<u64>,
    pub line: &'w OutputLine,
    pub shown: &'w ShownLine,
    pub part: Range<usize>,
    /// Nothing of the line comes behind it.
    pub is_last: bool,
}

impl OutputWindow {
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Of the line at the top.
    pub fn top_byte(&self) -> u64 {
        self.lines.get(self.top).map_or(self.from, |held| held.line.at)
    }

    /// Of a line that is held, counted from 0.
    pub fn number_at(&self, byte: u64) -> Option<u64> {
        Some(self.number? + self.index_of(byte)? as u64)
    }

    pub fn line(&self, byte: u64) -> Option<&OutputLine> {
        self.lines.get(self.index_of(byte)?).map(|held| &held.line)
    }

    fn index_of(&self, byte: u64) -> Option<usize> {
        self.lines.partition_point(|held| held.line.at <= byte).checked_sub(1)
    }

    /// The byte behind a line, with its end.
    pub fn end_of(&self, byte: u64) -> u64 {
        let next = self.index_of(byte).and_then(|at| self.lines.get(at + 1));
        next.map_or(self.to, |held| held.line.at)
    }

    /// The line so many lines from another one, as far as they are held.
    pub fn line_from(&self, byte: u64, by: isize) -> u64 {
        let at = self.index_of(byte).unwrap_or(0).saturating_add_signed(by);
        let held = self.lines.get(at.min(self.lines.len().saturating_sub(1)));
        held.map_or(byte, |held| held.line.at)
    }

    /// Takes a page in: it goes on with what is held, or stands in its place with its first line at the top.
    pub fn take(&mut self, page: OutputPage, at: &LinesAt) {
        self.whole = page.whole;
        match at {
            LinesAt::After(from) if *from == self.to && !self.lines.is_empty() && page.from == self.to => {
                self.append(page);
            }
            LinesAt::Before(to) if *to == self.from && !self.lines.is_empty() && page.to == self.from => {
                self.prepend(page);
            }
            LinesAt::After(_) | LinesAt::Before(_) | LinesAt::Line(_) | LinesAt::Next(..) | LinesAt::Last(..) => {
                *self = OutputWindow {
                    from: page.from,
                    to: page.from,
                    whole: page.whole,
                    number: page.number,
                    ..OutputWindow::default()
                };
                self.append(page);
            }
        }
    }

    fn append(&mut self, page: OutputPage) {
        self.lines.extend(held(page.lines));
        self.to = page.to;
        while self.lines.len() > HELD && self.top > HELD / 4 {
            self.lines.pop_front();
            self.top -= 1;
            self.number = self.number.map(|number| number + 1);
            self.from = self.lines.front().map_or(self.to, |held| held.line.at);
        }
    }

    fn prepend(&mut self, page: OutputPage) {
        let count = page.lines.len();
        held(page.lines)
            .into_iter()
            .rev()
            .for_each(|held| self.lines.push_front(held));
        self.from = page.from;
        self.top += count;
        self.number = page.number;
        while self.lines.len() > HELD && self.lines.len() - self.top > HELD / 4 {
            if let Some(gone) = self.lines.pop_back() {
                self.to = gone.line.at;
            }
        }
    }

    /// The numbers of lines are known by now.
    pub fn count(&mut self, number: Option<u64>) {
        self.number = number.or(self.number);
    }

    /// Shows this line at the top.
    pub fn show(&mut self, byte: u64) {
        (self.top, self.row) = (self.index_of(byte).unwrap_or(0), 0);
    }

    /// Shows a place in the text of a line, with as many rows above it as there are, up to so many.
    pub fn show_place(&mut self, (byte, place): (u64, usize), shape: RowShape, above: usize) {
        self.top = self.index_of(byte).unwrap_or(0);
        let text = self.lines.get(self.top).map_or("", |held| held.shown.text.as_str());
        let parts = parts(text, shape);
        self.row = parts.partition_point(|part| part.start <= place).saturating_sub(1);
        self.up(above, shape);
    }

    /// The text of a line as it is shown.
    pub fn shown(&self, byte: u64) -> Option<&ShownLine> {
        self.lines.get(self.index_of(byte)?).map(|held| &held.shown)
    }

    /// Scrolls as little as shows this line.
    pub fn bring(&mut self, byte: u64, shape: RowShape, high: usize) {
        let at = self.index_of(byte).unwrap_or(0);
        if at < self.top || at == self.top && self.row > 0 {
            (self.top, self.row) = (at, 0);
            return;
        }
        let rows = |from: usize, to: usize| -> usize { (from..=to).map(|at| self.rows_of(at, shape)).sum() };
        let below = rows(self.top, at).saturating_sub(self.row);
        self.scroll(isize::try_from(below.saturating_sub(high)).unwrap_or(0), shape, high);
    }

    /// Shows the end of what is held.
    pub fn show_end(&mut self, shape: RowShape, high: usize) {
        (self.top, self.row) = (self.lines.len().saturating_sub(1), usize::MAX);
        self.clamp_row(shape);
        self.up(high.saturating_sub(1), shape);
    }

    pub fn scroll(&mut self, by: isize, shape: RowShape, high: usize) {
        self.clamp_row(shape);
        match by < 0 {
            true => self.up(by.unsigned_abs(), shape),
            false => self.down(by.unsigned_abs(), shape, high),
        }
    }

    fn up(&mut self, by: usize, shape: RowShape) {
        for _ in 0..by {
            if self.row > 0 {
                self.row -= 1;
            } else if self.top > 0 {
                self.top -= 1;
                self.row = self.rows_of(self.top, shape) - 1;
            } else {
                return;
            }
        }
    }

    /// Not beyond what fills the screen.
    fn down(&mut self, by: usize, shape: RowShape, high: usize) {
        let mut left = self.rows_below(shape, high + by).saturating_sub(high);
        for _ in 0..by {
            if left == 0 {
                return;
            }
            left -= 1;
            self.row += 1;
            if self.row >= self.rows_of(self.top, shape) {
                (self.top, self.row) = (self.top + 1, 0);
            }
        }
    }

    /// Rows from the top on, no more than are of interest.
    fn rows_below(&self, shape: RowShape, most: usize) -> usize {
        let mut rows = 0;
        for at in self.top..self.lines.len() {
            rows += self.rows_of(at, shape);
            if rows.saturating_sub(self.row) >= most {
                break;
            }
        }
        rows.saturating_sub(self.row)
    }

    fn clamp_row(&mut self, shape: RowShape) {
        self.top = self.top.min(self.lines.len().saturating_sub(1));
        if !self.lines.is_empty() {
            self.row = self.row.min(self.rows_of(self.top, shape) - 1);
        }
    }

    fn rows_of(&self, at: usize, shape: RowShape) -> usize {
        self.lines
            .get(at)
            .map_or(1, |held| parts(&held.shown.text, shape).len())
    }

    /// What is to be read, because so many rows below or above are not held.
    pub fn wants(&self, shape: RowShape, high: usize) -> Option<LinesAt> {
        if self.lines.is_empty() {
            return None;
        }
        let below = self.rows_below(shape, 3 * high);
        if self.to < self.whole && below < 3 * high {
            return Some(LinesAt::After(self.to));
        }
        (self.from > 0 && self.top < 2 * high).then_some(LinesAt::Before(self.from))
    }

    /// The rows that are seen.
    pub fn rows(&self, shape: RowShape, high: usize) -> Vec<OutputRow<'_>> {
        let mut rows = Vec::new();
        let mut skipped = self.row;
        for (at, held) in self.lines.iter().enumerate().skip(self.top) {
            let parts = parts(&held.shown.text, shape);
            let skip = skipped.min(parts.len() - 1);
            let count = parts.len();
            for (nth, part) in parts.into_iter().enumerate().skip(skip) {
                if rows.len() == high {
                    return rows;
                }
                rows.push(OutputRow {
                    number: self.number.filter(|_| nth == 0).map(|number| number + at as u64),
                    line: &held.line,
                    shown: &held.shown,
                    part,
                    is_last: nth + 1 == count,
                });
            }
            skipped = 0;
        }
        rows
    }
}

/// The rows of a line; at least one.
fn parts(text: &str, shape: RowShape) -> Vec<Range<usize>> {
    match shape {
        RowShape::Wrapped { wide } => wrapped(text, wide.max(2)),
        RowShape::Cut { wide, left } => vec![cut(text, wide, left)],
    }
}

fn wrapped(text: &str, wide: usize) -> Vec<Range<usize>> {
    if text.is_ascii() {
        let starts = (0..text.len().max(1)).step_by(wide);
        return starts.map(|start| start..(start + wide).min(text.len())).collect();
    }
    let (mut parts, mut start, mut used) = (Vec::new(), 0, 0);
    for (at, grapheme) in text.grapheme_indices(true) {
        let columns = grapheme_width(grapheme);
        if used + columns > wide {
            parts.push(start..at);
            (start, used) = (at, 0);
        }
        used += columns;
    }
    parts.push(start..text.len());
    parts
}

fn cut(text: &str, wide: usize, left: usize) -> Range<usize> {
    if text.is_ascii() {
        let start = left.min(text.len());
        return start..(start + wide).min(text.len());
    }
    let (mut start, mut end, mut column) = (None, text.len(), 0);
    for (at, grapheme) in text.grapheme_indices(true) {
        if start.is_none() && column >= left {
            start = Some(at);
        }
        column += grapheme_width(grapheme);
        if column > left + wide {
            end = at;
            break;
        }
    }
    let start = start.unwrap_or(text.len());
    start..end.max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRAPPED: RowShape = RowShape::Wrapped { wide: 4 };

    fn page(lines: Range<u64>, whole: u64) -> OutputPage {
        let line = |number: u64| OutputLine {
            at: number * 10,
            text: if number.is_multiple_of(3) {
                format!("l{number}abcdef")
            } else {
                format!("l{number}")
            },
            ..OutputLine::default()
        };
        OutputPage {
            lines: lines.clone().map(line).collect(),
            from: lines.start * 10,
            to: lines.end * 10,
            whole,
            number: Some(lines.start),
            found: None,
        }
    }

    fn seen(window: &OutputWindow, shape: RowShape, high: usize) -> String {
        let rows = window.rows(shape, high);
        let text = |row: &OutputRow| row.shown.text[row.part.clone()].to_string();
        rows.iter().map(text).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn rows_are_scrolled_through_and_pages_join() {
        let mut window = OutputWindow::default();
        window.take(page(0..4, 80), &LinesAt::After(0));
        assert_eq!(seen(&window, WRAPPED, 4), "l0ab|cdef|l1|l2");
        window.scroll(1, WRAPPED, 4);
        assert_eq!(seen(&window, WRAPPED, 4), "cdef|l1|l2|l3ab");
        assert_eq!(window.wants(WRAPPED, 4), Some(LinesAt::After(40)));
        window.take(page(4..8, 80), &LinesAt::After(40));
        window.scroll(100, WRAPPED, 4);
        assert_eq!(seen(&window, WRAPPED, 4), "l5|l6ab|cdef|l7");
        assert_eq!(window.number_at(window.top_byte()), Some(5));
        window.scroll(-2, WRAPPED, 4);
        assert_eq!(seen(&window, WRAPPED, 4), "cdef|l4|l5|l6ab");
        let cut = RowShape::Cut { wide: 3, left: 1 };
        assert_eq!(seen(&window, cut, 3), "3ab|4|5");
    }

    #[test]
    fn from_the_end_what_is_before_is_joined_and_what_is_far_is_let_go() {
        let mut window = OutputWindow::default();
        window.take(page(6_000..6_400, 64_000), &LinesAt::Before(64_000));
        window.show_end(WRAPPED, 3);
        assert_eq!(seen(&window, WRAPPED, 3), "l639|9abc|def");
        for start in (0..15).rev().map(|page| page * 400) {
            assert_eq!(window.from, (start + 400) * 10);
            window.scroll(-10_000, WRAPPED, 3);
            window.take(page(start..start + 400, 64_000), &LinesAt::Before((start + 400) * 10));
        }
        assert!(window.lines.len() <= HELD);
        assert_eq!(window.number, Some(0));
        window.scroll(-10_000, WRAPPED, 3);
        assert_eq!(seen(&window, WRAPPED, 3), "l0ab|cdef|l1");
        let last = window.lines.back().unwrap().line.at;
        assert_eq!(window.to, last + 10, "what comes next goes on with it");
    }

    #[test]
    fn wide_characters_never_stick_out() {
        assert_eq!(wrapped("修复登录", 5), [0..6, 6..12]);
        assert_eq!(cut("修复登录", 4, 2), 3..9);
        assert_eq!(wrapped("", 5), std::iter::once(0..0).collect::<Vec<_>>());
    }
}
