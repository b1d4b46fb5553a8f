//! The queue of questions, one shown whole.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::screen::dialog::{Approvals, place};
use crate::app::{chat, gate};
use crate::model::called;
use crate::model::text::one_line;

use super::dialog::draw_frame;
use super::screen::Scene;
use super::text::{after, inset, put, put_right, row};

pub fn draw(scene: &Scene, approvals: &Approvals, whole: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let lines = approvals.lines(scene.state, place::read_width(whole));
    let placed = place::approvals(whole, lines.len());
    draw_frame(scene, placed.area, "What agents ask", buf);
    let open = gate::open(scene.state);
    let at = approvals.place(scene.state);
    let foot = inset(row(placed.area, usize::from(placed.area.height.saturating_sub(1))), 2);
    let Some((chat, question)) = open.get(at) else {
        put(buf, placed.head, "No agent asks anything.", theme.dim);
        put(buf, foot, " Esc closes ", theme.dim);
        return;
    };
    let name = scene
        .state
        .disk
        .chats
        .get(chat)
        .map(|chat| one_line(&chat.record.name, 60));
    let used = put(buf, placed.head, "◆ ", theme.waiting);
    let name = name.unwrap_or_else(|| chat::handle(scene.state, chat));
    let used = used + put(buf, after(placed.head, used), &name, theme.accent);
    put(
        buf,
        after(placed.head, used),
        &format!(" asks to use {}", called(&question.tool)),
        theme.text,
    );
    let others = if open.len() > 1 { "↑↓ turns · " } else { "" };
    let place = format!("{others}{} of {} ", at + 1, open.len());
    put_right(buf, placed.head, &place, theme.dim);
    let seen = usize::from(placed.text.height);
    let first = approvals.scroll.min(lines.len().saturating_sub(seen));
    for (line, text) in lines.iter().skip(first).take(seen).enumerate() {
        put(buf, row(placed.text, line), text, theme.text);
    }
    put(
        buf,
        foot,
        " y allows once · n refuses · Enter goes in · Esc closes ",
        theme.dim,
    );
    let below = lines.len().saturating_sub(first + seen);
    if below > 0 {
        put_right(buf, foot, &format!(" ↓ {below} more "), theme.accent);
    }
}
