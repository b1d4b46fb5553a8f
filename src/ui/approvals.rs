//! The queue of questions, one shown whole.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::domain::approval::queue::queue;
use crate::domain::chat;
use crate::model::text::one_line;
use crate::screen::dialog::{Approvals, place};

use super::dialog::{draw_buttons, draw_frame};
use super::scene::Scene;
use super::text::{after, inset, put, put_right, row};

pub fn draw(scene: &Scene, approvals: &Approvals, whole: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let lines = approvals.lines(&scene.around(), place::read_width(whole));
    let placed = place::approvals(whole, lines.len());
    draw_frame(scene, placed.area, "Approvals", buf);
    let queue = queue(&scene.state.domain);
    let at = approvals.place(&queue);
    let Some(waits) = queue.get(at) else {
        put(buf, placed.head, "Nothing to approve.", theme.dim);
        return;
    };
    let known = scene.state.domain.disk.chats.get(&waits.chat);
    let name = known.map(|known| one_line(chat::label(&scene.state.domain, known), 60));
    let used = put(buf, placed.head, "◆ ", theme.waiting);
    let name = name.unwrap_or_else(|| chat::handle(&scene.state.domain, &waits.chat));
    let used = used + put(buf, after(placed.head, used), &name, theme.accent);
    put(buf, after(placed.head, used), &waits.title(), theme.text);
    let others = if queue.len() > 1 { "↑↓ next · " } else { "" };
    let place = format!("{others}{} of {} ", at + 1, queue.len());
    put_right(buf, placed.head, &place, theme.dim);
    let seen = usize::from(placed.text.height);
    let first = approvals.scroll.min(lines.len().saturating_sub(seen));
    for (line, text) in lines.iter().skip(first).take(seen).enumerate() {
        put(buf, row(placed.text, line), text, theme.text);
    }
    let here = waits.can_be_answered_here();
    let live = !here || !approvals.is_unread(scene.state.domain.now);
    let focus = live.then_some(approvals.on);
    draw_buttons(scene, approvals.buttons(&scene.around()), focus, placed.buttons, buf);
    let below = lines.len().saturating_sub(first + seen);
    if below > 0 {
        let foot = row(placed.area, usize::from(placed.area.height.saturating_sub(1)));
        put_right(buf, inset(foot, 2), &format!(" ↓ {below} more "), theme.accent);
    }
}
