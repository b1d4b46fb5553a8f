//! A text field: what is typed, broken into its rows, and where the cursor is in it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use crate::config::theme::Theme;
use crate::screen::broken;
use crate::screen::dialog::{Field, Room};
use crate::screen::wrap::{grapheme_width, width};
use crate::term::CursorShape;

use super::scene::CursorAt;
use super::text::{put, row, shown};

/// Where a field is drawn, and how.
pub struct Typed<'a> {
    pub area: Rect,
    pub placeholder: &'a str,
    pub focused: bool,
}

pub fn draw(field: &Field, typed: &Typed, theme: &Theme, buf: &mut Buffer) -> Option<CursorAt> {
    let area = typed.area;
    if area.is_empty() {
        return None;
    }
    if field.is_empty() {
        put(buf, area, typed.placeholder, theme.dim);
    }
    let (rows, (line, column)) = match field.room() {
        Room::Line => one_row(field, area.width.into()),
        Room::Lines => {
            let seen = broken::in_sight(field, area.width.into(), area.height.into());
            (seen.rows, seen.cursor)
        }
    };
    draw_rows(field, typed, (&rows, (line, column)), theme, buf)
}

/// A single line broken into as many rows as there are; where it is longer still, the ends that are cut off are marked.
pub fn draw_broken(field: &Field, typed: &Typed, theme: &Theme, buf: &mut Buffer) -> Option<CursorAt> {
    let area = typed.area;
    if area.is_empty() {
        return None;
    }
    let seen = broken::in_sight(field, area.width.into(), area.height.into());
    let cursor = draw_rows(field, typed, (&seen.rows, seen.cursor), theme, buf);
    let last = Rect {
        x: area.right() - 1,
        y: area.bottom() - 1,
        ..area
    };
    for (is_cut, at) in [(seen.cut.0, area), (seen.cut.1, last)] {
        if is_cut {
            put(
                buf,
                Rect {
                    width: 1,
                    height: 1,
                    ..at
                },
                "…",
                theme.accent,
            );
        }
    }
    cursor
}

fn draw_rows(
    field: &Field,
    typed: &Typed,
    (rows, (line, column)): (&[String], CursorCell),
    theme: &Theme,
    buf: &mut Buffer,
) -> Option<CursorAt> {
    let area = typed.area;
    let style = if field.is_proposed() { theme.dim } else { theme.text };
    for (at, text) in rows.iter().enumerate() {
        put(buf, row(area, at), text, style);
    }
    let at = CursorAt {
        x: area.x + u16::try_from(column).unwrap_or(u16::MAX).min(area.width - 1),
        y: area.y + u16::try_from(line).unwrap_or(u16::MAX).min(area.height - 1),
        shape: CursorShape::Bar,
        blinking: false,
    };
    typed.focused.then_some(at)
}

/// A search as it is typed, with its cursor, in the first of two styles; one that is only proposed, in the second.
pub fn searched(typing: &Field, sign: char, (typed, proposed): (Style, Style)) -> (String, Style) {
    match typing.is_proposed() {
        true => (format!("{sign}▏{}", typing.text()), proposed),
        false => (format!("{sign}{}▏", typing.text()), typed),
    }
}

type CursorCell = (usize, usize);

/// The part of a single line that the cursor is in.
fn one_row(field: &Field, wide: usize) -> (Vec<String>, CursorCell) {
    let text = field.lines().first().map(String::as_str).unwrap_or_default();
    let before: String = text.chars().take(field.cursor().1).collect();
    let column = width(&shown(&before));
    // The cursor needs a cell behind the last character.
    let skipped = (column + 1).saturating_sub(wide);
    let mut gone = 0;
    let text = shown(text);
    let rest: String = text
        .graphemes(true)
        .skip_while(|grapheme| {
            let skip = gone < skipped;
            gone += grapheme_width(grapheme) * usize::from(skip);
            skip
        })
        .collect();
    let mut used = 0;
    let seen = rest.graphemes(true).take_while(|grapheme| {
        used += grapheme_width(grapheme);
        used <= wide
    });
    (vec![seen.collect()], (0, column.saturating_sub(gone)))
}
