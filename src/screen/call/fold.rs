//! Breaking code and output into rows, between words where there are any: nothing is taken from it, and its indentation
//! stays.

use unicode_segmentation::UnicodeSegmentation;

use super::super::tab::transcript::row::{Piece, Shade};
use super::super::wrap::{grapheme_width, width};

/// A line in rows of at most `most` cells. Further rows begin as far in as the line does.
pub(super) fn fold(pieces: Vec<Piece>, most: usize) -> Vec<Vec<Piece>> {
    let most = most.max(2);
    let whole: usize = pieces.iter().map(|piece| width(&piece.text)).sum();
    if whole <= most {
        return vec![pieces];
    }
    let hang = match pieces.first() {
        Some(first) => (first.text.len() - first.text.trim_start_matches(' ').len()).min(most / 2),
        None => 0,
    };
    let cells = pieces.iter().flat_map(|piece| {
        let graphemes = piece.text.graphemes(true);
        graphemes.map(|grapheme| FoldCell {
            grapheme,
            shade: piece.shade,
        })
    });
    let indent = FoldCell {
        grapheme: " ",
        shade: pieces.first().map(|piece| piece.shade).unwrap_or_default(),
    };
    let (mut rows, mut row, mut used): (Vec<Vec<FoldCell>>, Vec<FoldCell>, usize) = (Vec::new(), Vec::new(), 0);
    for cell in cells {
        let wide = grapheme_width(cell.grapheme);
        if used + wide > most {
            let rest = row.split_off(breaks_at(&row, hang));
            rows.push(std::mem::take(&mut row));
            row.extend(std::iter::repeat_n(indent, hang));
            row.extend(rest);
            used = row.iter().map(|cell| grapheme_width(cell.grapheme)).sum();
        }
        row.push(cell);
        used += wide;
    }
    rows.push(row);
    rows.iter().map(|row| joined(row)).collect()
}

#[derive(Clone, Copy)]
struct FoldCell<'p> {
    grapheme: &'p str,
    shade: Shade,
}

/// Behind the last space of a full row, unless that leaves most of it empty: then at its end.
fn breaks_at(row: &[FoldCell], hang: usize) -> usize {
    let space = row.iter().rposition(|cell| cell.grapheme == " ").map_or(0, |at| at + 1);
    let is_text = row[..space].iter().any(|cell| cell.grapheme != " ");
    match is_text && space > hang.max(row.len() / 2) {
        true => space,
        false => row.len(),
    }
}

fn joined(row: &[FoldCell]) -> Vec<Piece> {
    let parts = row.chunk_by(|one, next| one.shade == next.shade);
    let piece = |part: &[FoldCell]| {
        let text: String = part.iter().map(|cell| cell.grapheme).collect();
        Piece::new(text, part[0].shade)
    };
    parts.map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::tab::transcript::row::TextInk;

    fn rows(text: &str, most: usize) -> Vec<String> {
        let join = |row: Vec<Piece>| row.into_iter().map(|piece| piece.text).collect();
        fold(vec![Piece::new(text, TextInk::Text)], most)
            .into_iter()
            .map(join)
            .collect()
    }

    #[test]
    fn indentation_stays_and_nothing_is_lost() {
        assert_eq!(rows("    let x = 1;", 20), ["    let x = 1;"]);
        assert_eq!(rows("    let x = 1;", 10), ["    let x ", "    = 1;"]);
        assert_eq!(rows("          deep", 8), ["        ", "      de", "    ep"]);
        assert_eq!(rows("修复登录", 5), ["修复", "登录"]);
    }

    #[test]
    fn words_stay_whole_unless_most_of_a_row_would_be_empty() {
        assert_eq!(rows("two of them unwrap.", 12), ["two of them ", "unwrap."]);
        assert_eq!(rows("No such file", 10), ["No such ", "file"]);
        assert_eq!(rows("a https://example", 10), ["a https://", "example"]);
    }
}
