//! A row as it is written to a file: its text, and how its cells look by runs, instead of each cell by itself.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::screen::{Cell, Colour, Row, Style, Underline};

#[derive(Serialize, Deserialize)]
struct Packed {
    /// The symbols, without the default cells at the row's end.
    text: String,
    cols: usize,
    /// How many cells look so, from the left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    looks: Vec<(usize, CellStyle)>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    wrapped: bool,
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    marks: Box<[(u16, Box<str>)]>,
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    links: Box<[(u16, u16, Box<str>)]>,
}

/// All of a cell but its symbol.
#[derive(Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct CellStyle {
    #[serde(skip_serializing_if = "is_default")]
    foreground: Colour,
    #[serde(skip_serializing_if = "is_default")]
    background: Colour,
    #[serde(skip_serializing_if = "is_default")]
    underline_colour: Colour,
    #[serde(skip_serializing_if = "is_default")]
    underline: Underline,
    #[serde(skip_serializing_if = "is_default")]
    style: Style,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl CellStyle {
    fn of(cell: &Cell) -> CellStyle {
        CellStyle {
            foreground: cell.foreground,
            background: cell.background,
            underline_colour: cell.underline_colour,
            underline: cell.underline,
            style: cell.style,
        }
    }

    fn cell(self, symbol: char) -> Cell {
        Cell {
            symbol,
            foreground: self.foreground,
            background: self.background,
            underline_colour: self.underline_colour,
            underline: self.underline,
            style: self.style,
        }
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Packed::from(self).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Row, D::Error> {
        Packed::deserialize(from).map(Row::from)
    }
}

impl From<&Row> for Packed {
    fn from(row: &Row) -> Packed {
        let last = row.cells.iter().rposition(|cell| *cell != Cell::default());
        let written = &row.cells[..last.map_or(0, |last| last + 1)];
        let runs = written.chunk_by(|one, next| CellStyle::of(one) == CellStyle::of(next));
        let mut looks: Vec<(usize, CellStyle)> = runs.map(|run| (run.len(), CellStyle::of(&run[0]))).collect();
        if looks.last().is_some_and(|(_, look)| is_default(look)) {
            looks.pop();
        }
        Packed {
            text: written.iter().map(|cell| cell.symbol).collect(),
            cols: row.cells.len(),
            looks,
            wrapped: row.wrapped,
            marks: row.marks.clone(),
            links: row.links.clone(),
        }
    }
}

impl From<Packed> for Row {
    fn from(packed: Packed) -> Row {
        let looks = packed.looks.iter().flat_map(|(count, look)| vec![*look; *count]);
        let mut cells: Vec<Cell> = packed
            .text
            .chars()
            .zip(looks.chain(std::iter::repeat(CellStyle::default())))
            .map(|(symbol, look)| look.cell(symbol))
            .collect();
        cells.resize(packed.cols, Cell::default());
        Row {
            cells: cells.into(),
            wrapped: packed.wrapped,
            marks: packed.marks,
            links: packed.links,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_the_same_after_it_was_written_and_read() {
        let mut row = Row::blank(80);
        for (at, symbol) in "a wide 漢 and plain".chars().enumerate() {
            row.cells[at + 3].symbol = symbol;
        }
        row.cells[4].foreground = Colour::Rgb(1, 2, 3);
        row.cells[5].foreground = Colour::Rgb(1, 2, 3);
        row.cells[9].style = Style::BOLD.with(Style::WIDE);
        row.cells[30].background = Colour::Indexed(4);
        row.wrapped = true;
        row.marks = [(4, "\u{301}".into())].into();
        row.links = [(3, 9, "https://example.org/".into())].into();
        for row in [row, Row::blank(0), Row::blank(7)] {
            let written = serde_json::to_string(&row).unwrap();
            assert_eq!(serde_json::from_str::<Row>(&written).unwrap(), row, "{written}");
        }
        assert_eq!(
            serde_json::to_string(&Row::blank(80)).unwrap(),
            r#"{"text":"","cols":80}"#
        );
    }
}
