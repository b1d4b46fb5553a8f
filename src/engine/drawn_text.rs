//! Reads text from the cells of a drawn screen.

use ratatui::buffer::Buffer;

use crate::domain::effect::DrawnText;
use crate::screen::wrap::width;

/// The text of these cells, line by line, without blanks at the ends of lines.
pub fn read(drawn: &Buffer, wanted: &DrawnText) -> String {
    let lines = wanted.rows.iter().map(|row| line(drawn, *row));
    let text: Vec<String> = lines.collect();
    text.join("\n").trim_end().to_owned()
}

fn line(drawn: &Buffer, (y, from, to): (u16, u16, u16)) -> String {
    let mut text = String::new();
    let mut x = from;
    while x <= to {
        let Some(cell) = drawn.cell((x, y)) else {
            break;
        };
        text.push_str(cell.symbol());
        // A wide character has the cells behind its own too.
        let wide = u16::try_from(width(cell.symbol())).unwrap_or(1);
        x = x.saturating_add(wide.max(1));
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    fn text(lines: &[&str], rows: &[(u16, u16, u16)]) -> String {
        let mut drawn = Buffer::empty(Rect::new(0, 0, 20, 4));
        for (y, line) in (0..).zip(lines) {
            drawn.set_string(0, y, *line, Style::new());
        }
        read(&drawn, &DrawnText { rows: rows.to_vec() })
    }

    #[test]
    fn lines_are_read_without_blanks_at_their_ends() {
        let lines = ["one two", "  three", "", "four"];
        assert_eq!(text(&lines, &[(0, 4, 6)]), "two");
        assert_eq!(
            text(&lines, &[(0, 4, 19), (1, 0, 19), (2, 0, 19), (3, 0, 1)]),
            "two\n  three\n\nfo"
        );
        assert_eq!(text(&lines, &[(1, 0, 19), (2, 0, 19)]), "  three");
        assert_eq!(text(&lines, &[(9, 0, 3)]), "");
    }

    #[test]
    fn wide_characters_are_read_once() {
        assert_eq!(text(&["世界 ok"], &[(0, 0, 6)]), "世界 ok");
        assert_eq!(text(&["世界 ok"], &[(0, 2, 3)]), "界");
    }
}
