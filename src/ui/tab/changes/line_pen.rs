//! A line of a file's difference, as it is written from left to right.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use crate::model::diff::DiffLine;
use crate::model::text::visible;
use crate::screen::wrap::grapheme_width;

/// Columns between two tab stops.
const TAB: usize = 4;

/// Writes from left to right, past the columns that are not shown.
pub(super) struct LinePen {
    area: Rect,
    column: usize,
    /// Columns that are scrolled away.
    left: usize,
    /// Columns that one `…` stands for, so that what changed in a long line is seen.
    skipped: Range<usize>,
}

impl LinePen {
    pub(super) fn new(area: Rect, left: usize, line: &DiffLine) -> LinePen {
        let skipped = match left {
            0 => unseen(line, usize::from(area.width)),
            // A person scrolls.
            _ => 0..0,
        };
        LinePen {
            area,
            column: 0,
            left,
            skipped,
        }
    }

    /// Where a column is shown, were there room.
    fn shown(&self, column: usize) -> Option<usize> {
        let Range { start, end } = self.skipped;
        match (column < start, column < end) {
            (true, _) => column.checked_sub(self.left),
            (false, true) => None,
            (false, false) if start == end => column.checked_sub(self.left),
            (false, false) => Some(column - end + start + 1),
        }
    }

    /// Writes a piece of a line that begins at this byte. What a search found in the line stands out.
    pub(super) fn write_found(
        &mut self,
        buf: &mut Buffer,
        (piece, from): (&str, usize),
        found: &[Range<usize>],
        (style, lit): (Style, Style),
    ) {
        let mut at = 0;
        for place in found {
            let (start, end) = (place.start.max(from) - from, place.end.saturating_sub(from));
            let (Some(before), Some(within)) = (piece.get(at..start), piece.get(start..end.min(piece.len()))) else {
                continue;
            };
            self.write(buf, before, style);
            self.write(buf, within, style.patch(lit));
            at = start + within.len();
        }
        self.write(buf, piece.get(at..).unwrap_or_default(), style);
    }

    pub(super) fn write(&mut self, buf: &mut Buffer, text: &str, style: Style) {
        for grapheme in text.graphemes(true) {
            if self.is_past() {
                return;
            }
            if grapheme == "\t" {
                let to = (self.column / TAB + 1) * TAB;
                while self.column < to {
                    self.put(buf, " ", 1, style);
                }
                continue;
            }
            let shown = visible(grapheme);
            for part in shown.graphemes(true) {
                self.put(buf, part, grapheme_width(part), style);
            }
        }
    }

    /// What was written reaches beyond the right edge, so that the rest is not seen.
    fn is_past(&self) -> bool {
        self.shown(self.column)
            .is_some_and(|x| x > usize::from(self.area.width))
    }

    /// Says where the line goes on to the right of what fits, and where some of it is left out.
    pub(super) fn end(&self, buf: &mut Buffer, style: Style) {
        let (width, height) = (self.area.width, self.area.height);
        if !self.skipped.is_empty() && height > 0 {
            let x = self.area.x + u16::try_from(self.skipped.start).unwrap_or(u16::MAX);
            buf.set_stringn(x, self.area.y, "…", 1, style);
        }
        if height == 0 || width == 0 || !self.is_past() {
            return;
        }
        let (x, y) = (self.area.right() - 1, self.area.y);
        if width > 1 && grapheme_width(buf[(x - 1, y)].symbol()) > 1 {
            buf[(x - 1, y)].set_symbol(" ");
        }
        buf.set_stringn(x, y, "…", 1, style);
    }

    fn put(&mut self, buf: &mut Buffer, grapheme: &str, wide: usize, style: Style) {
        let at = self.column;
        self.column += wide;
        let Some(x) = self.shown(at) else {
            return;
        };
        let room = usize::from(self.area.width);
        if x + wide > room || self.area.height == 0 {
            return;
        }
        let x = self.area.x + u16::try_from(x).unwrap_or(u16::MAX);
        buf.set_stringn(x, self.area.y, grapheme, wide, style);
    }
}

/// The columns to leave out of a line that is too long for its place and changed beyond it: the beginning stays, and what
/// changed first is seen with something before it. Both lines of a pair are the same up to there.
fn unseen(line: &DiffLine, width: usize) -> Range<usize> {
    let mut from = 0;
    let changed = line.spans.iter().find_map(|span| {
        let begins = std::mem::replace(&mut from, span.end);
        span.is_changed.then_some(begins..span.end)
    });
    let byte = |at: u32| usize::try_from(at).unwrap_or(usize::MAX).min(line.text.len());
    let columns = |to: u32| line.text.get(..byte(to)).map_or(0, columns);
    let Some(changed) = changed.map(|changed| columns(changed.start)..columns(changed.end)) else {
        return 0..0;
    };
    let seen = changed.end.min(changed.start + width / 4);
    if seen < width {
        return 0..0;
    }
    let head = width / 4;
    head..changed.start.saturating_sub(head).max(head)
}

/// How wide a text is that begins at the first column.
fn columns(text: &str) -> usize {
    text.graphemes(true).fold(0, |at, grapheme| match grapheme {
        "\t" => (at / TAB + 1) * TAB,
        _ => at + visible(grapheme).graphemes(true).map(grapheme_width).sum::<usize>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::diff::{DiffSpan, LineKind, Syntax};

    fn drawn(text: &str, changed: Range<u32>, width: u16) -> String {
        let span = |end, is_changed| DiffSpan {
            end,
            syntax: Syntax::Plain,
            is_changed,
        };
        let line = DiffLine {
            kind: LineKind::Added,
            old: None,
            new: Some(1),
            text: text.into(),
            spans: vec![span(changed.start, false), span(changed.end, true)],
            is_unended: false,
            is_staged: false,
        };
        let area = Rect::new(0, 0, width, 1);
        let mut buf = Buffer::empty(area);
        let mut pen = LinePen::new(area, 0, &line);
        pen.write(&mut buf, text, Style::new());
        pen.end(&mut buf, Style::new());
        (0..width).map(|x| buf[(x, 0)].symbol().to_owned()).collect()
    }

    #[test]
    fn what_changed_far_to_the_right_is_seen_with_the_beginning_of_its_line() {
        let text = "  if (percent < 0 || percent > 100) throw new RangeError('out of range');";
        let of = |words: &str| {
            let at = u32::try_from(text.find(words).unwrap()).unwrap();
            at..at + u32::try_from(words.len()).unwrap()
        };
        assert_eq!(
            drawn(text, of("RangeError"), 40),
            "  if (perc…throw new RangeError('out of…"
        );
        assert_eq!(
            drawn(text, of("percent"), 40),
            "  if (percent < 0 || percent > 100) thr…"
        );
    }
}
