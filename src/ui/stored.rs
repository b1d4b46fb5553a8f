//! A page of what lies on disk: the list, what is said of the chosen one, or the question about it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::screen::dialog::{StoredPage, StoredRow, place};
use crate::screen::wrap::width;

use super::dialog::{ButtonLook, draw_buttons_as, draw_frame};
use super::message::{self, Placeholder};
use super::scene::Scene;
use super::text::{after, but_last, clear, inset, put, put_right, row};

/// Columns between a name and its note.
const GAP: u16 = 2;

pub fn draw(scene: &Scene, stored: &dyn StoredPage, whole: Rect, buf: &mut Buffer) {
    if stored.page().confirm.is_some() {
        return draw_question(scene, stored, whole, buf);
    }
    let placed = place::servers(whole);
    let theme = scene.theme;
    draw_frame(scene, placed.area, &stored.title(), buf);
    let rows = stored.rows();
    let page = stored.page();
    if rows.is_empty() && !page.is_looking() {
        let (headline, words) = stored.empty();
        let said = Placeholder {
            headline: headline.into(),
            words: words.into(),
            ..Placeholder::default()
        };
        message::draw(&said, placed.list, theme, buf);
    }
    let lines = page.detail(stored.about(), placed.detail.width.into());
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

fn draw_question(scene: &Scene, stored: &dyn StoredPage, whole: Rect, buf: &mut Buffer) {
    let Some(form) = &stored.page().confirm else {
        return;
    };
    let question = stored.question();
    let placed = question.placed(whole);
    draw_frame(scene, placed.area, question.title, buf);
    let lines = question.rows(placed.text.width.into());
    for (at, line) in lines.iter().take(placed.text.height.into()).enumerate() {
        put(buf, row(placed.text, at), line, scene.theme.text);
    }
    let live = !form.is_unread(scene.state.domain.now);
    let buttons = (&question.buttons[..], ButtonLook::Danger);
    draw_buttons_as(scene, buttons, live.then_some(form.at), placed.buttons, buf);
}
