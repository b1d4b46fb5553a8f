//! The signs of the chats beside a terminal that has no room for their names.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::config::theme;
use crate::screen::need::Need;
use crate::screen::numbers;
use crate::screen::rail::{self, RailSign};
use crate::screen::view::Mode;

use super::super::header::counts;
use super::super::scene::Scene;
use super::super::sign;
use super::super::text::{after, but_last, clear, put, row as line_of};
use super::row::{as_edge, flag};

pub fn draw(scene: &Scene, rail: Rect, rule: Rect, buf: &mut Buffer) {
    clear(buf, rail, scene.theme.background.patch(scene.theme.text));
    draw_border(scene, rail, rule, buf);
    let inside = but_last(rail, 1);
    let needy = counts(scene.state).needs_you;
    if needy > 0 {
        let count = if needy > 9 { "+".into() } else { needy.to_string() };
        put(buf, line_of(inside, 0), &format!("◆{count}"), scene.theme.waiting);
    }
    for sign in rail::placed(scene.view, inside) {
        draw_chat(scene, &sign, buf);
    }
}

fn draw_border(scene: &Scene, rail: Rect, rule: Rect, buf: &mut Buffer) {
    for y in rail.top()..rail.bottom() {
        let line = match (y == rule.y && rule.height > 0, scene.view.mode) {
            (false, _) => "│",
            (true, Mode::Agent) => "┝",
            (true, Mode::Outside) => "├",
        };
        let border = after(line_of(rail, usize::from(y - rail.y)), rail.width.saturating_sub(1));
        put(buf, border, line, scene.theme.border);
    }
}

/// Its number or mark, and its sign; the selected one has a bar at its edge.
fn draw_chat(scene: &Scene, RailSign { row, chat, area }: &RailSign, buf: &mut Buffer) {
    let (chat, area) = (*chat, *area);
    let theme = scene.theme;
    let is_selected = scene.view.chat.as_ref() == Some(chat);
    let tint = theme.waiting_ground();
    let ground = match (is_selected, row.need, tint) {
        (true, ..) => theme.selection,
        (false, Need::Waiting, Some(tint)) => Style::new().bg(tint),
        (false, ..) => Style::new(),
    };
    let over = |style: Style| theme::over(style, ground.bg).add_modifier(ground.add_modifier);
    buf.set_style(area.intersection(buf.area), ground);
    let number = numbers::of(scene.state, chat).map(|number| number.to_string());
    let (mark, style) = match (is_selected, scene.view.sidebar.marked.contains(chat), &number) {
        (_, true, _) => ("*", over(theme.accent)),
        (true, false, Some(number)) => (number.as_str(), as_edge(over(theme.dim))),
        (true, false, None) => ("▌", over(theme.dim)),
        (false, false, number) => (number.as_deref().unwrap_or_default(), over(theme.dim)),
    };
    put(buf, area, mark, style);
    let sign = sign::of(scene.state, chat, theme);
    let style = match !is_selected && row.need == Need::Waiting && tint.is_none() {
        true => flag(theme),
        false => over(sign.style),
    };
    put(buf, after(area, 1), sign.shape, style);
}
