//! Breaking code and output into rows: nothing is taken from it, and its indentation stays.

use unicode_segmentation::UnicodeSegmentation;

use super::super::transcript::row::Piece;
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
    let (mut rows, mut row, mut used) = (Vec::new(), Vec::new(), 0);
    for piece in pieces {
        let mut text = String::new();
        for grapheme in piece.text.graphemes(true) {
            let wide = grapheme_width(grapheme);
            if used + wide > most {
                if !text.is_empty() {
                    row.push(Piece::new(std::mem::take(&mut text), piece.shade));
                }
                rows.push(std::mem::take(&mut row));
                used = 0;
                if hang > 0 {
                    row.push(Piece::new(" ".repeat(hang), piece.shade));
                    used = hang;
                }
            }
            text.push_str(grapheme);
            used += wide;
        }
        if !text.is_empty() {
            row.push(Piece::new(text, piece.shade));
        }
    }
    rows.push(row);
    rows
}

#[cfg(test)]
mod tests {
    use super::super::super::transcript::row::TextInk;
    use super::*;

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
}
