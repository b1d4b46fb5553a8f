//! Breaking text into lines of a given width. Shared with drawing, because a dialog's height depends on it.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Cells that a piece of text takes. Control characters take none: make them visible first.
pub fn width(text: &str) -> usize {
    match text.bytes().all(|b| (b' '..=b'~').contains(&b)) {
        true => text.len(),
        false => text.graphemes(true).map(grapheme_width).sum(),
    }
}

/// A grapheme takes at most two cells, however many code points it joins.
pub fn grapheme_width(grapheme: &str) -> usize {
    grapheme.width().min(2)
}

/// Lines of at most `most` cells, broken at spaces where there are any. Line breaks in the text stay.
pub fn wrap(text: &str, most: usize) -> Vec<String> {
    let most = most.max(2);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        let mut used = 0;
        for word in paragraph.split_inclusive(' ') {
            let wide = width(word);
            // A space that falls on the edge needs no room.
            if used + width(word.trim_end()) <= most {
                line.push_str(word);
                used += wide;
                continue;
            }
            if used > 0 {
                lines.push(std::mem::take(&mut line).trim_end().to_string());
                used = 0;
            }
            for grapheme in word.graphemes(true) {
                let wide = grapheme_width(grapheme);
                if used + wide > most {
                    lines.push(std::mem::take(&mut line));
                    used = 0;
                }
                line.push_str(grapheme);
                used += wide;
            }
        }
        lines.push(line.trim_end().to_string());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_long_words_anywhere() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("one, two", 4), ["one,", "two"]);
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("a\n\nb", 4), ["a", "", "b"]);
    }

    #[test]
    fn wide_characters_never_stick_out() {
        assert_eq!(wrap("修复登录", 5), ["修复", "登录"]);
    }
}
