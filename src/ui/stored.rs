//! A page of what lies on disk: the list, what is said of the chosen one, or the question about it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::screen::dialog::{ListPage, StoredList, StoredRow, place};
use crate::screen::wrap::width;

use super::dialog::{ButtonLook, draw_frame, draw_question};
use super::message::{self, Placeholder};
use super::scene::Scene;
use super::text::{after, but_last, clear, inset, put, put_right, row};

/// Columns between a name and its note.
const GAP: u16 = 2;

pub fn draw<L: StoredList>(scene: &Scene, page: &ListPage<L>, whole: Rect, buf: &mut Buffer) {
    if let (Some((asked, question)), Some(form)) = (page.question(whole), &page.confirm) {
        draw_frame(scene, question.placed.area, asked.title, buf);
        let lines = asked.rows(question.placed.text.width.into());
        return draw_question(scene, (&question, form), &lines, ButtonLook::Danger, buf);
    }
    let stored = &page.list;
    let placed = place::servers(whole);
    let theme = scene.theme;
    draw_frame(scene, placed.area, &stored.title(), buf);
    let rows = stored.rows();
    if rows.is_empty() && !page.is_looking() {
        let (headline, words) = stored.empty();
        let said = Placeholder {
            headline: headline.into(),
            words: words.into(),
            ..Placeholder::default()
        };
        message::draw(&said, placed.list, theme, buf);
    }
    let lines = page.detail(placed.detail.width.into());
    let placed = placed.with_detail(rows.len().max(1), lines.len());
    let room = usize::from(placed.list.height);
    let first = page.first(room);
    let notes = rows.iter().map(|row| width(&row.note)).max().unwrap_or(0);
    for (line, (at, one)) in rows.iter().enumerate().skip(first).take(room).enumerate() {
        draw_row(scene, (one, notes), at == page.at, row(placed.list, line), buf);
    }
    for (at, line) in lines.iter().take(placed.detail.height.into()).enumerate() {
        let failed = at == 0 && page.problem.is_some();
        put(
            buf,
            row(placed.detail, at),
            line,
            if failed { theme.failed } else { theme.dim },
        );
    }
}

/// Sizes stand at the right in one column, and what each is before them in another.
fn draw_row(scene: &Scene, (one, notes): (&StoredRow, usize), chosen: bool, line: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let style = |plain: Style| if chosen { theme.selection } else { plain };
    if chosen {
        clear(buf, line, theme.selection);
        put(buf, line, "▌", theme.accent);
    }
    let line = inset(line, 1);
    put_right(buf, line, &one.right, style(theme.text));
    let notes = u16::try_from(notes).unwrap_or(u16::MAX).min(line.width / 3);
    let rest = but_last(line, SIZE + GAP);
    let note = after(rest, rest.width.saturating_sub(notes));
    put(buf, note, &one.note, style(theme.dim));
    put(buf, but_last(rest, notes + GAP), &one.name, style(theme.text));
}

/// Columns of a size, as in `999 kB+`.
const SIZE: u16 = 8;
