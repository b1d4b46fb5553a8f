//! A screen as adapters read the composer on it: rows of cells, of which some are only hints of the CLI's own.

use crate::model::Composer;
use crate::term::{Cell, Screen, Style};

/// How CLIs show a long paste: these words, its number or size, and a bracket.
const PASTED: [&str; 4] = ["[Pasted text #", "[Pasted Text: ", "[Pasted Content ", "[Pasted ~"];

/// The rows of a screen.
pub(super) struct Sheet<'s> {
    screen: &'s Screen,
    rows: Vec<String>,
}

impl<'s> Sheet<'s> {
    pub(super) fn new(screen: &'s Screen) -> Sheet<'s> {
        let text = screen.text();
        let rows = text.lines().map(str::to_string).collect();
        Sheet { screen, rows }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Without the blanks at its end.
    pub(super) fn row(&self, at: usize) -> &str {
        self.rows.get(at).map_or("", String::as_str)
    }

    pub(super) fn begins(&self, at: usize, with: &[&str]) -> bool {
        with.iter().any(|with| self.row(at).starts_with(with))
    }

    pub(super) fn is_blank(&self, at: usize) -> bool {
        self.row(at).trim().is_empty()
    }

    pub(super) fn cell(&self, row: usize, col: usize) -> Option<&Cell> {
        self.screen.rows.get(row)?.cells.get(col)
    }

    /// The row of the cursor, where it shows.
    pub(super) fn cursor(&self) -> Option<usize> {
        let cursor = self.screen.cursor;
        cursor.visible.then_some(usize::from(cursor.row))
    }

    /// Whether a program draws a cursor of its own in these rows.
    pub(super) fn has_drawn_cursor(&self, rows: std::ops::Range<usize>) -> bool {
        let cells = rows
            .filter_map(|row| self.screen.rows.get(row))
            .flat_map(|row| &row.cells);
        cells.into_iter().any(|cell| cell.style.has(Style::INVERSE))
    }

    /// What stands in the rows of a composer, of which each begins in this column: without what is drawn faint, which is a
    /// hint or an offer.
    pub(super) fn composer(&self, rows: std::ops::Range<usize>, cols: std::ops::Range<usize>) -> Composer {
        let (mut text, mut hint, mut under_cursor) = (String::new(), false, 0);
        for row in rows.filter_map(|row| self.screen.rows.get(row)) {
            let to = cols.end.min(row.cells.len());
            for (col, cell) in row.cells.iter().enumerate().take(to).skip(cols.start) {
                if cell.style.has(Style::DIM) {
                    hint |= cell.symbol != ' ';
                    continue;
                }
                let drawn = cell.symbol != ' ' && cell.style.has(Style::INVERSE);
                under_cursor += usize::from(drawn);
                row.push_text(col, col + 1, &mut text);
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        let text = text.trim();
        // The cursor stands on the first letter of the hint.
        let is_hint = hint && under_cursor == 1 && text.chars().count() == 1;
        match text {
            "" => Composer::Empty,
            _ if is_hint => Composer::Empty,
            text if is_paste(text) => Composer::Pasted,
            text => Composer::Holds(text.into()),
        }
    }
}

fn is_paste(text: &str) -> bool {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let inner = PASTED.iter().find_map(|words| text.strip_prefix(words));
    inner.is_some_and(|rest| rest.find(']') == Some(rest.len() - 1))
}
