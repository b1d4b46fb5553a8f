//! Columns that line up, whatever is in them.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::output::{Look, Tone};
use crate::model::text::visible;

const GAP: &str = "  ";
/// The last column keeps this much, however narrow the terminal is.
const LEAST: usize = 10;

pub struct Cell {
    text: String,
    tone: Tone,
}

/// A cell of a table. Nothing in it is hidden from the reader.
pub fn cell(tone: Tone, text: &str) -> Cell {
    Cell {
        text: visible(text),
        tone,
    }
}

/// Lines, each as wide as the terminal at most: what is too long is cut in the last column.
pub fn table(look: &Look, rows: &[Vec<Cell>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.text.width()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let before: usize = widths.iter().rev().skip(1).map(|width| width + GAP.len()).sum();
    let last = look.width.map(|all| all.saturating_sub(before).max(LEAST));
    let mut lines = String::new();
    for row in rows {
        let mut pending = 0;
        for (column, cell) in row.iter().enumerate() {
            let text = match last {
                Some(most) if column + 1 == columns => cut(&cell.text, most),
                Some(_) | None => cell.text.clone(),
            };
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

/// At most so many columns of it, with a sign where something is missing.
fn cut(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
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
    use super::super::output::Colours;
    use super::*;
    use crate::model::Timestamp;

    fn rows() -> Vec<Vec<Cell>> {
        let row = |words: [&str; 3]| words.map(|word| cell(Tone::Good, word)).into();
        vec![
            row(["a", "修复", "x\u{202e}y"]),
            row(["", "b", "a long last column 👍👍"]),
        ]
    }

    fn look(colours: Colours, width: Option<usize>) -> Look {
        Look {
            colours,
            width,
            now: Timestamp(0),
        }
    }

    #[test]
    fn wide_characters_line_up_and_hidden_ones_are_spelled_out() {
        let plain = table(&look(Colours::Off, None), &rows());
        assert_eq!(plain, "a  修复  x\\u{202e}y\n   b     a long last column 👍👍\n");
    }

    #[test]
    fn a_terminal_gets_no_line_longer_than_itself() {
        let narrow = table(&look(Colours::Off, Some(30)), &rows());
        assert_eq!(narrow, "a  修复  x\\u{202e}y\n   b     a long last column …\n");
    }

    #[test]
    fn colour_changes_no_column() {
        let colourful = table(&look(Colours::On, None), &rows());
        assert!(
            colourful.starts_with("\x1b[32ma\x1b[0m  \x1b[32m修复\x1b[0m  "),
            "{colourful}"
        );
    }
}
