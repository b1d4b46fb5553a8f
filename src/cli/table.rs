//! Columns that line up, whatever is in them.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::output::{OutputLook, OutputTone};
use crate::model::text::{fit_path, visible};

const GAP: &str = "  ";
/// A column keeps this much, however narrow the terminal is.
const LEAST: usize = 10;
/// The last column is of use from here on, where it is what one reads the table for.
pub const READABLE: usize = 20;

pub struct TableCell {
    text: String,
    tone: OutputTone,
}

/// A cell of a table. Nothing in it is hidden from the reader.
pub fn cell(tone: OutputTone, text: &str) -> TableCell {
    TableCell {
        text: visible(text),
        tone,
    }
}

/// Columns that a table can do without.
#[derive(Clone, Copy, Default)]
pub struct SpareColumns<'c> {
    /// Left out where the last column would be left with little, the first of them first, or if they say nothing.
    pub narrow: &'c [usize],
    /// Left out only if they say nothing.
    pub empty: &'c [usize],
    /// With how much the last column is left before any is left out for it.
    pub last: usize,
}

/// Lines, each as wide as the terminal at most: what is too long is cut in the last column, and then in the widest.
pub fn table(look: &OutputLook, rows: &[Vec<TableCell>]) -> String {
    table_without(look, rows, SpareColumns::default())
}

/// As [`table`], with a heading, and without the columns that it can do without.
pub fn table_without(look: &OutputLook, rows: &[Vec<TableCell>], spare: SpareColumns) -> String {
    let mut widths = widths(rows);
    let below_heading = rows.get(1..).unwrap_or_default();
    let is_empty = |column: usize| {
        let mut cells = below_heading.iter().filter_map(|row| row.get(column));
        !below_heading.is_empty() && cells.all(|cell| cell.text.is_empty())
    };
    let mut shown: Vec<usize> = (0..widths.len())
        .filter(|column| !((spare.narrow.contains(column) || spare.empty.contains(column)) && is_empty(*column)))
        .collect();
    if let Some(all) = look.width {
        let mut narrow = spare.narrow.iter();
        while before(&widths, &shown) + spare.last > all
            && let Some(left_out) = narrow.next()
        {
            shown.retain(|column| column != left_out);
        }
        fit(&mut widths, &shown, all);
    }
    let mut lines = String::new();
    for row in rows {
        let mut pending = 0;
        for (column, cell) in shown.iter().filter_map(|column| Some((*column, row.get(*column)?))) {
            let text = cut(&cell.text, widths[column]);
            if !text.is_empty() {
                lines.push_str(&" ".repeat(std::mem::take(&mut pending)));
                lines.push_str(&look.paint(cell.tone, &text));
            }
            pending += widths[column] - text.width().min(widths[column]) + GAP.len();
        }
        lines.push('\n');
    }
    lines
}

fn widths(rows: &[Vec<TableCell>]) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.text.width()).max().unwrap_or(0)
    };
    (0..columns).map(width).collect()
}

/// Where the last column begins.
fn before(widths: &[usize], shown: &[usize]) -> usize {
    let others = shown.iter().rev().skip(1);
    others.map(|column| widths[*column] + GAP.len()).sum()
}

fn fit(widths: &mut [usize], shown: &[usize], all: usize) {
    let Some((last, others)) = shown.split_last() else {
        return;
    };
    let least = widths[*last].min(LEAST);
    while before(widths, shown) + least > all
        && let Some(widest) = others.iter().copied().max_by_key(|column| widths[*column])
        && widths[widest] > LEAST
    {
        widths[widest] -= 1;
    }
    let room = all.saturating_sub(before(widths, shown)).max(least);
    widths[*last] = widths[*last].min(room);
}

/// At most so many columns of it, with a sign where something is missing.
fn cut(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let text = fit_path(text, most);
    if text.width() <= most {
        return text.into_owned();
    }
    let mut kept = String::new();
    for cluster in text.graphemes(true) {
        if kept.width() + cluster.width() + 1 > most {
            break;
        }
        kept.push_str(cluster);
    }
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use super::super::output::ColourUse;
    use super::*;
    use crate::model::Timestamp;

    fn rows() -> Vec<Vec<TableCell>> {
        let row = |words: [&str; 3]| words.map(|word| cell(OutputTone::Good, word)).into();
        vec![
            row(["a", "修复", "x\u{202e}y"]),
            row(["", "b", "a long last column 👍👍"]),
        ]
    }

    fn look(colours: ColourUse, width: Option<usize>) -> OutputLook {
        OutputLook {
            colours,
            width,
            now: Timestamp(0),
        }
    }

    #[test]
    fn wide_characters_line_up_and_hidden_ones_are_spelled_out() {
        let plain = table(&look(ColourUse::Off, None), &rows());
        assert_eq!(plain, "a  修复  x\\u{202e}y\n   b     a long last column 👍👍\n");
    }

    #[test]
    fn a_terminal_gets_no_line_longer_than_itself() {
        let narrow = table(&look(ColourUse::Off, Some(30)), &rows());
        assert_eq!(narrow, "a  修复  x\\u{202e}y\n   b     a long last column …\n");
    }

    #[test]
    fn columns_are_left_out_in_their_order_and_then_the_widest_is_cut() {
        let row = [
            "● running",
            "a-chat-with-a-long-handle",
            "claude",
            "3 m",
            "grove · feature-auth",
            "the last words",
        ];
        let rows = vec![row.map(|word| cell(OutputTone::Plain, word)).into()];
        let spare = SpareColumns {
            narrow: &[2, 4, 3],
            empty: &[],
            last: READABLE,
        };
        let drawn = |width| table_without(&look(ColourUse::Off, Some(width)), &rows, spare);
        assert_eq!(drawn(120).trim_end(), row.join("  "));
        for width in [80, 60, 40] {
            let line = drawn(width);
            assert!(line.trim_end().width() <= width, "{width}: {line}");
        }
        assert_eq!(
            drawn(60).trim_end(),
            "● running  a-chat-with-a-long-handle  the last words"
        );
        assert!(drawn(40).starts_with("● running  a-chat-with-"), "{}", drawn(40));
    }

    #[test]
    fn colour_changes_no_column() {
        let colourful = table(&look(ColourUse::On, None), &rows());
        assert!(
            colourful.starts_with("\x1b[32ma\x1b[0m  \x1b[32m修复\x1b[0m  "),
            "{colourful}"
        );
    }
}
