//! Putting text into cells: cut by width, never by bytes, and with nothing hidden in it.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use crate::model::text::{is_hidden, visible};
pub use crate::screen::layout::{after, up_to};
use crate::screen::wrap::{grapheme_width, width};

/// The text with everything spelled out that a person would not see, or that would move what they see.
pub fn shown(text: &str) -> Cow<'_, str> {
    match text.chars().any(is_hidden) {
        true => visible(text).into(),
        false => text.into(),
    }
}

/// The text as it fits into `most` cells; what was cut off is said by an ellipsis.
pub fn fit(text: &str, most: usize) -> Cow<'_, str> {
    let text = shown(text);
    if width(&text) <= most {
        return text;
    }
    let mut used = 0;
    let mut cut = String::new();
    for grapheme in text.graphemes(true) {
        used += grapheme_width(grapheme);
        if used >= most {
            break;
        }
        cut.push_str(grapheme);
    }
    if most > 0 {
        cut.push('…');
    }
    cut.into()
}

/// Writes into the first row of `area`, and says how many columns it took.
pub fn put(buf: &mut Buffer, area: Rect, text: &str, style: Style) -> u16 {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return 0;
    }
    let text = fit(text, area.width.into());
    let (end, _) = buf.set_stringn(area.x, area.y, &text, area.width.into(), style);
    end - area.x
}

/// Writes at the right end of the first row of `area`; says what is left of the row.
pub fn put_right(buf: &mut Buffer, area: Rect, text: &str, style: Style) -> Rect {
    let text = fit(text, area.width.into());
    let wide = u16::try_from(width(&text)).unwrap_or(area.width).min(area.width);
    let rest = area.width - wide;
    put(
        buf,
        Rect {
            x: area.x + rest,
            width: wide,
            ..area
        },
        &text,
        style,
    );
    Rect { width: rest, ..area }
}

/// As much of a text as has room, with its middle cut out: of names that begin alike the end tells which is which.
pub fn fit_ends(text: &str, most: usize) -> Cow<'_, str> {
    let text = shown(text);
    if width(&text) <= most || most < 3 {
        return fit(&text, most).into_owned().into();
    }
    let ends_in = (most - 1) / 2;
    let mut used = 0;
    let mut from = text.len();
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += grapheme_width(grapheme);
        if used > ends_in {
            break;
        }
        from = at;
    }
    let end = &text[from..];
    format!("{}{end}", fit(&text, most - width(end))).into()
}

/// Writes in the middle of the first row of `area`.
pub fn put_middle(buf: &mut Buffer, area: Rect, text: &str, style: Style) {
    let text = fit(text, area.width.into());
    let wide = u16::try_from(width(&text)).unwrap_or(area.width).min(area.width);
    let before = (area.width - wide) / 2;
    put(
        buf,
        Rect {
            x: area.x + before,
            width: area.width - before,
            ..area
        },
        &text,
        style,
    );
}

/// One row of an area, counted from its top; empty where it has no such row.
pub fn row(area: Rect, at: usize) -> Rect {
    let at = u16::try_from(at).unwrap_or(u16::MAX);
    match at < area.height {
        true => Rect {
            y: area.y + at,
            height: 1,
            ..area
        },
        false => Rect { height: 0, ..area },
    }
}

/// Without its last `columns`.
pub fn but_last(area: Rect, columns: u16) -> Rect {
    Rect {
        width: area.width.saturating_sub(columns),
        ..area
    }
}

/// Without its first `rows`.
pub fn below(area: Rect, rows: usize) -> Rect {
    let rows = u16::try_from(rows).unwrap_or(u16::MAX).min(area.height);
    Rect {
        y: area.y + rows,
        height: area.height - rows,
        ..area
    }
}

/// Without its first and last columns.
pub fn inset(area: Rect, columns: u16) -> Rect {
    but_last(after(area, columns), columns)
}

/// Empties an area for something that lies over what is there. A wide character cut in two by its edge goes too.
pub fn clear(buf: &mut Buffer, area: Rect, style: Style) {
    let area = area.intersection(buf.area);
    for y in area.top()..area.bottom() {
        if let Some(left) = area.left().checked_sub(1).and_then(|x| buf.cell_mut((x, y)))
            && width(left.symbol()) > 1
        {
            left.set_symbol(" ");
        }
        for x in area.left()..area.right() {
            buf[(x, y)].reset();
        }
    }
    buf.set_style(area, style);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_between_graphemes_and_says_so() {
        assert_eq!(fit("Fix auth bug", 12), "Fix auth bug");
        assert_eq!(fit("Fix auth bug", 8), "Fix aut…");
        assert_eq!(fit("修复登录", 6), "修复…");
        assert_eq!(fit("abc", 1), "…");
        assert_eq!(fit("abc", 0), "");
    }

    #[test]
    fn names_that_begin_alike_keep_their_ends() {
        assert_eq!(fit_ends("edit-in-lib-do-2", 16), "edit-in-lib-do-2");
        assert_eq!(fit_ends("edit-in-lib-do-2", 11), "edit-…-do-2");
        assert_eq!(fit_ends("修复登录页面", 7), "修复…面");
        assert_eq!(fit_ends("abcd", 3), "a…d");
        assert_eq!(fit_ends("abcd", 2), "a…");
    }

    #[test]
    fn nothing_hidden_reaches_a_cell() {
        assert_eq!(fit("a\x1b[31mb\u{202e}c", 40), "a\\u{1b}[31mb\\u{202e}c");
    }
}
