//! Breaking shaded text into rows of a given width, at spaces where there are any.

use unicode_segmentation::UnicodeSegmentation;

use crate::model::text::visible;
use crate::screen::wrap::{grapheme_width, width};

use super::row::{Piece, Shade};

/// A tab of text that is no code.
const TAB: &str = "    ";

/// One line of text as it may be shown: tabs are spaces, and what is hidden is spelled out.
pub fn shown(line: &str) -> String {
    let line = line.strip_suffix('\r').unwrap_or(line);
    visible(&line.replace('\t', TAB))
}

/// The pieces of one paragraph in rows of at most `most` cells.
pub fn flow(pieces: &[Piece], most: usize) -> Vec<Vec<Piece>> {
    let mut flow = Flow {
        most: most.max(2),
        rows: Vec::new(),
        row: Vec::new(),
        used: 0,
    };
    for word in words(pieces) {
        flow.put(&word);
    }
    flow.end()
}

/// What is not broken where it fits: the parts of a word, which may differ in shade.
fn words(pieces: &[Piece]) -> Vec<Vec<(&str, Shade)>> {
    let mut words: Vec<Vec<(&str, Shade)>> = Vec::new();
    let mut goes_on = false;
    for piece in pieces {
        for part in piece.text.split_inclusive(' ') {
            match words.last_mut().filter(|_| goes_on) {
                Some(word) => word.push((part, piece.shade)),
                None => words.push(vec![(part, piece.shade)]),
            }
            goes_on = !part.ends_with(' ');
        }
    }
    words
}

struct Flow {
    most: usize,
    rows: Vec<Vec<Piece>>,
    row: Vec<Piece>,
    used: usize,
}

impl Flow {
    fn put(&mut self, word: &[(&str, Shade)]) {
        let whole: usize = word.iter().map(|(part, _)| width(part)).sum();
        let space = word
            .last()
            .map_or(0, |(part, _)| width(part) - width(part.trim_end_matches(' ')));
        // A space that falls on the edge needs no room.
        let fits = self.used + whole - space <= self.most;
        if !fits && self.used > 0 {
            self.end_row();
        }
        for (part, shade) in word {
            match self.used + width(part) <= self.most {
                true => self.push(part, *shade),
                false => self.break_up(part, *shade),
            }
        }
    }

    fn break_up(&mut self, part: &str, shade: Shade) {
        for grapheme in part.graphemes(true) {
            if self.used + grapheme_width(grapheme) > self.most {
                if grapheme == " " {
                    continue;
                }
                self.end_row();
            }
            self.push(grapheme, shade);
        }
    }

    fn push(&mut self, text: &str, shade: Shade) {
        self.used += width(text);
        match self.row.last_mut() {
            Some(last) if last.shade == shade => last.text.push_str(text),
            Some(_) | None => self.row.push(Piece::new(text, shade)),
        }
    }

    fn end_row(&mut self) {
        if let Some(last) = self.row.last_mut() {
            last.text.truncate(last.text.trim_end_matches(' ').len());
        }
        self.rows.push(std::mem::take(&mut self.row));
        self.used = 0;
    }

    fn end(mut self) -> Vec<Vec<Piece>> {
        if !self.row.is_empty() || self.rows.is_empty() {
            self.end_row();
        }
        self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::TextInk;
    use super::*;

    fn rows(pieces: &[(&str, TextInk)], most: usize) -> Vec<String> {
        let pieces: Vec<Piece> = pieces.iter().map(|(text, ink)| Piece::new(*text, *ink)).collect();
        let text = |row: Vec<Piece>| row.into_iter().map(|piece| piece.text).collect::<String>();
        flow(&pieces, most).into_iter().map(text).collect()
    }

    #[test]
    fn rows_break_at_spaces_and_a_word_of_two_shades_stays_whole() {
        assert_eq!(rows(&[("one two three", TextInk::Text)], 8), ["one two", "three"]);
        assert_eq!(
            rows(
                &[
                    ("see `", TextInk::Text),
                    ("a.rs", TextInk::Code),
                    ("`, now", TextInk::Text)
                ],
                8
            ),
            ["see", "`a.rs`,", "now"]
        );
        assert_eq!(rows(&[("abcdefghij", TextInk::Text)], 4), ["abcd", "efgh", "ij"]);
        assert_eq!(rows(&[("修复登录", TextInk::Text)], 5), ["修复", "登录"]);
        assert_eq!(rows(&[("", TextInk::Text)], 5), [""]);
        assert_eq!(rows(&[("one, two", TextInk::Text)], 4), ["one,", "two"]);
    }

    #[test]
    fn nothing_hidden_is_left() {
        assert_eq!(shown("a\tb\u{202e}c\x1b[31m\r"), "a    b\\u{202e}c\\u{1b}[31m");
    }
}
