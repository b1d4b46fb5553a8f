//! The queue of questions, one of them whole.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::approval::queue::{Waits, queue};
use crate::domain::chat;
use crate::screen::dialog::approvals::{GONE, NOTHING_MORE, name, title};
use crate::screen::dialog::{Approvals, PlacedApprovals, Stop, TypedAnswer};
use crate::screen::scrollbar::{Extent, ScrollBar};
use crate::screen::wrap::{width, wrap};

use super::dialog::{ButtonLook, draw_buttons, draw_frame};
use super::field::{self, Typed};
use super::piece::{self, RowLook};
use super::scene::{CursorAt, Scene};
use super::scrollbar;
use super::text::{after, but_last, clear, inset, put, put_middle, put_right, row, shown};

/// Columns that tell how long it has waited.
const AGE: u16 = 4;

pub fn draw(scene: &Scene, approvals: &Approvals, whole: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let theme = scene.theme;
    let queue = queue(&scene.state.domain);
    let placed = approvals.placed(whole, &scene.state.domain, &queue);
    draw_frame(scene, placed.area, "Approvals", buf);
    let at = approvals.place(&queue);
    let Some(waits) = queue.get(at) else {
        let at = usize::from(placed.area.height / 2);
        let middle = |at| inset(row(placed.area, at), 2);
        match approvals.last_words(&scene.state.domain) {
            Some(last) => {
                put_middle(buf, middle(at.saturating_sub(1)), &last, theme.text);
                put_middle(buf, middle(at + 1), NOTHING_MORE, theme.dim);
            }
            None => put_middle(buf, middle(at), GONE, theme.dim),
        }
        return None;
    };
    let place = format!(" {} of {} ", at + 1, queue.len());
    put_right(buf, inset(row(placed.area, 0), 2), &place, theme.dim);
    draw_line(scene, placed.line, buf);
    draw_list(scene, &queue, at, &placed, buf);
    draw_head(scene, waits, placed.head, buf);
    let rows = approvals.rows();
    let seen = usize::from(placed.text.height);
    let first = approvals.scroll.min(rows.len().saturating_sub(seen));
    for (line, text) in rows.iter().skip(first).take(seen).enumerate() {
        piece::draw(theme, text, RowLook::default(), row(placed.text, line), buf);
    }
    let here = waits.can_be_answered_here();
    let live = !here || !approvals.is_unread(scene.state.domain.now);
    let on = if approvals.typed.is_some() {
        Stop::Yes
    } else {
        approvals.on
    };
    draw_buttons(
        scene,
        (approvals.buttons(&scene.around()), ButtonLook::Plain),
        live.then_some(on),
        placed.buttons,
        buf,
    );
    let typed = approvals.typed.as_ref()?;
    draw_typed(scene, typed, placed.typed, buf)
}

/// The rule or the reason, and what is wrong with it.
fn draw_typed(scene: &Scene, typed: &TypedAnswer, area: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let theme = scene.theme;
    put(buf, row(area, 0), &typed.label(), theme.accent);
    let below = typed.below(area.width);
    let high = typed_rows(area, below.len());
    for at in 0..high {
        put(buf, row(area, 1 + at), "┃", theme.accent);
    }
    let place = Typed {
        area: Rect {
            height: u16::try_from(high).unwrap_or(u16::MAX),
            ..after(row(area, 1), 2)
        },
        placeholder: "",
        focused: true,
    };
    let cursor = field::draw_broken(&typed.field, &place, theme, buf);
    let style = if typed.problem.is_some() {
        theme.failed
    } else {
        theme.dim
    };
    for (at, words) in below.iter().enumerate() {
        put(buf, row(area, 1 + high + at), words, style);
    }
    cursor
}

/// Rows of the field, between its label and what stands below it.
fn typed_rows(area: Rect, below: usize) -> usize {
    usize::from(area.height).saturating_sub(1 + below).max(1)
}

/// All that waits: the chat, what it asks, and for how long.
fn draw_list(scene: &Scene, queue: &[Waits], at: usize, placed: &PlacedApprovals, buf: &mut Buffer) {
    let theme = scene.theme;
    let seen = placed.seen();
    let first = placed.first(at);
    for (line, (number, waits)) in queue.iter().enumerate().skip(first).take(seen).enumerate() {
        let area = placed.item(line);
        let is_chosen = number == at;
        let over = |style: Style| if is_chosen { theme.selection } else { style };
        if is_chosen {
            clear(buf, area, theme.selection);
        }
        let top = row(area, 0);
        let age = waits.since.age(scene.state.domain.now);
        put_right(buf, but_last(top, 1), &age, over(theme.dim));
        let words = but_last(after(top, 2), AGE + 1);
        put(buf, top, if is_chosen { "▌" } else { " " }, over(theme.accent));
        put(buf, after(top, 1), "◆", over(theme.waiting));
        let words = after(words, 1);
        let used = put(buf, words, &name(&scene.state.domain, &waits.chat), over(theme.text));
        let what = match placed.each {
            1 => after(words, used + 1),
            _ => but_last(after(row(area, 1), 3), 1),
        };
        let line = waits.line();
        let line = chat::near(&scene.state.domain, &waits.chat, &line);
        put(buf, what, &line, over(theme.dim));
    }
    let extent = Extent {
        first,
        seen,
        all: queue.len(),
    };
    let bar = match placed.line.width {
        1 => ScrollBar::on_line(placed.line, placed.list, extent),
        _ => ScrollBar::within(placed.list, extent),
    };
    scrollbar::draw(scene, &bar, buf);
}

fn draw_line(scene: &Scene, line: Rect, buf: &mut Buffer) {
    let sign = if line.width > 1 { "─" } else { "│" };
    for y in line.top()..line.bottom() {
        for x in line.left()..line.right() {
            buf.set_string(x, y, sign, scene.theme.border);
        }
    }
}

/// Who asks for what, and where.
fn draw_head(scene: &Scene, waits: &Waits, head: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let mut named = width(&shown(&name(&scene.state.domain, &waits.chat)));
    let whole = shown(&title(&scene.state.domain, waits)).into_owned();
    for (at, line) in wrap(&whole, head.width.into())
        .iter()
        .take(head.height.into())
        .enumerate()
    {
        let row = row(head, at);
        put(buf, row, line, theme.text);
        let bold = u16::try_from(named).unwrap_or(u16::MAX).min(row.width);
        buf.set_style(Rect { width: bold, ..row }, theme.header);
        named = named.saturating_sub(width(line) + 1);
    }
}
