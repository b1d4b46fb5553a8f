//! What a surface is in lines, and how these are put on the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::config::theme::Theme;
use crate::screen::dialog::Field;
use crate::screen::reader::place::ReaderRows;
use crate::screen::wrap::{width, wrap};
use crate::term::CursorShape;

use super::super::field::{self, Typed};
use super::super::scene::CursorAt;
use super::super::text::{after, fit, put, row, shown};

pub(super) struct ReaderPage<'a> {
    /// Where the person is.
    pub title: String,
    pub focus: ReaderFocus<'a>,
    /// All else, from top to bottom.
    pub lines: Vec<String>,
    /// The line of these that the focus is on: it is kept in sight.
    pub at: usize,
}

/// What the next key works on.
pub(super) enum ReaderFocus<'a> {
    /// Words, the second ones in a row of their own; the cursor stands behind so many columns of the first.
    Words { text: String, more: String, cursor: u16 },
    /// What is typed into a field, and what is chosen beside it.
    Field {
        label: String,
        field: &'a Field,
        more: String,
    },
}

impl ReaderFocus<'_> {
    pub fn words(text: impl Into<String>, more: impl Into<String>) -> ReaderFocus<'static> {
        ReaderFocus::Words {
            text: text.into(),
            more: more.into(),
            cursor: 0,
        }
    }
}

/// Draws title, focus and lines; says where the cursor is.
pub(super) fn draw(page: &ReaderPage, rows: &ReaderRows, theme: &Theme, buf: &mut Buffer) -> CursorAt {
    put(buf, rows.title, &page.title, theme.header);
    draw_lines(page, rows.lines, theme, buf);
    let cursor = draw_focus(&page.focus, rows.focus, theme, buf);
    cursor.unwrap_or(CursorAt {
        x: rows.focus.x,
        y: rows.focus.y,
        shape: CursorShape::Block,
        blinking: false,
    })
}

fn draw_focus(focus: &ReaderFocus, area: Rect, theme: &Theme, buf: &mut Buffer) -> Option<CursorAt> {
    match focus {
        ReaderFocus::Words { text, more, cursor } => {
            let both = match more.is_empty() {
                true => text.clone(),
                false => format!("{text}\n{more}"),
            };
            put_wrapped(&both, area, theme, buf);
            (*cursor > 0).then(|| CursorAt {
                x: area.x + (*cursor).min(area.width.saturating_sub(1)),
                y: area.y,
                shape: CursorShape::Bar,
                blinking: false,
            })
        }
        ReaderFocus::Field { label, field, more } => {
            let label = format!("{label}: ");
            let used = put(buf, area, &label, theme.accent);
            put(buf, row(area, 1), more, theme.text);
            let typed = Typed {
                area: row(after(area, used), 0),
                placeholder: "",
                focused: true,
            };
            field::draw(field, &typed, theme, buf)
        }
    }
}

/// As much as there is room for; that something is missing is said by an ellipsis.
pub(super) fn put_wrapped(text: &str, area: Rect, theme: &Theme, buf: &mut Buffer) {
    let wide = usize::from(area.width);
    let lines = wrap(&shown_lines(text), wide);
    for (at, line) in lines.iter().take(area.height.into()).enumerate() {
        let is_cut = at + 1 == usize::from(area.height) && lines.len() > at + 1;
        let line = match is_cut {
            true => format!("{}…", fit(line, wide.saturating_sub(1)).trim_end_matches('…')),
            false => line.clone(),
        };
        put(buf, row(area, at), &line, theme.text);
    }
}

fn shown_lines(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(shown).collect();
    lines.join("\n")
}

/// A screenful of the lines: the one that the focus is on lies. It is left only when the focus leaves it, so that what is
/// shown does not move at every step.
fn draw_lines(page: &ReaderPage, area: Rect, theme: &Theme, buf: &mut Buffer) {
    let height = usize::from(area.height);
    let wide = usize::from(area.width);
    let (mut lines, mut at) = (Vec::new(), 0);
    for (number, line) in page.lines.iter().enumerate() {
        if number == page.at {
            at = lines.len();
        }
        match width(line) > wide {
            true => lines.extend(wrap(line, wide)),
            false => lines.push(line.clone()),
        }
    }
    if height == 0 {
        return;
    }
    let first = at / height * height;
    // The last screenful is whole.
    let first = first.min(lines.len().saturating_sub(height));
    for (at, line) in lines.iter().skip(first).take(height).enumerate() {
        put(buf, row(area, at), line, theme.text);
    }
}
