//! A screen as text: plain for people and searches, or with colours as our own SGR sequences.

use std::fmt::Write;

use super::screen::{Cell, Colour, Row, Screen, Style, Underline};

impl Screen {
    /// Plain text, a line a row, without the blanks at a line's end and without control characters.
    pub fn text(&self) -> String {
        let mut out = String::with_capacity(self.rows.len() * usize::from(self.cols));
        for row in &self.rows {
            row.push_text(0, row.cells.len(), &mut out);
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
        }
        out
    }

    /// The same with colours and styles, as SGR sequences and nothing else. Each line ends reset.
    pub fn ansi(&self) -> String {
        let mut out = String::new();
        for row in &self.rows {
            row.push_ansi(&mut out);
            out.push('\n');
        }
        out
    }
}

impl Row {
    /// Appends the characters of the cells `from..to`, marks included, blanks kept.
    pub fn push_text(&self, from: usize, to: usize, out: &mut String) {
        for (col, cell) in self.cells.iter().enumerate().take(to).skip(from) {
            self.push_cell(col, *cell, out);
        }
    }

    fn push_cell(&self, col: usize, cell: Cell, out: &mut String) {
        if cell.style.has(Style::SPACER) {
            return;
        }
        out.push(cell.symbol);
        if cell.style.has(Style::MARKED) {
            out.push_str(self.marks(col as u16));
        }
    }

    pub(super) fn push_ansi(&self, out: &mut String) {
        let last = self.cells.iter().rposition(|cell| *cell != Cell::default());
        let mut pen = Cell::default();
        for (col, cell) in self.cells.iter().enumerate().take(last.map_or(0, |last| last + 1)) {
            if !same_style(pen, *cell) {
                push_style(*cell, out);
                pen = *cell;
            }
            self.push_cell(col, *cell, out);
        }
        if !same_style(pen, Cell::default()) {
            out.push_str("\x1b[0m");
        }
    }
}

const DRAWN: [(Style, u8); 6] = [
    (Style::BOLD, 1),
    (Style::DIM, 2),
    (Style::ITALIC, 3),
    (Style::INVERSE, 7),
    (Style::HIDDEN, 8),
    (Style::STRIKE, 9),
];

fn same_style(one: Cell, other: Cell) -> bool {
    one.foreground == other.foreground
        && one.background == other.background
        && one.underline == other.underline
        && one.underline_colour == other.underline_colour
        && DRAWN
            .iter()
            .all(|(style, _)| one.style.has(*style) == other.style.has(*style))
}

/// Writing to a `String` cannot fail, so the results below are dropped.
fn push_style(cell: Cell, out: &mut String) {
    out.push_str("\x1b[0");
    for (style, code) in DRAWN {
        if cell.style.has(style) {
            let _ = write!(out, ";{code}");
        }
    }
    match cell.underline {
        Underline::None => {}
        Underline::Single => out.push_str(";4"),
        Underline::Double => out.push_str(";4:2"),
        Underline::Curly => out.push_str(";4:3"),
        Underline::Dotted => out.push_str(";4:4"),
        Underline::Dashed => out.push_str(";4:5"),
    }
    push_colour(38, cell.foreground, out);
    push_colour(48, cell.background, out);
    push_colour(58, cell.underline_colour, out);
    out.push('m');
}

fn push_colour(code: u8, colour: Colour, out: &mut String) {
    let _ = match colour {
        Colour::Default => Ok(()),
        Colour::Indexed(index) => write!(out, ";{code};5;{index}"),
        Colour::Rgb(r, g, b) => write!(out, ";{code};2;{r};{g};{b}"),
    };
}
