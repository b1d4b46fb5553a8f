//! The MCP servers of a chat, or the one that is to be agreed to.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::screen::dialog::{Confirm, Servers, place};
use crate::model::listed::{Listed, Whence};
use crate::model::text::one_line;

use super::dialog::{draw_buttons, draw_frame};
use super::screen::Scene;
use super::text::{after, clear, inset, put, put_right, row};

/// Columns of a name and of where it comes from, where there is room.
const NAME: u16 = 18;
const FROM: u16 = 34;

pub fn draw(scene: &Scene, servers: &Servers, whole: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let placed = place::servers(whole);
    let name = scene.state.disk.chats.get(&servers.chat);
    let name = name.map_or(String::new(), |chat| one_line(&chat.record.name, 40));
    let foot = inset(row(placed.area, usize::from(placed.area.height.saturating_sub(1))), 2);
    if let Some(confirm) = &servers.confirm {
        draw_frame(scene, placed.area, "Let a project start this?", buf);
        return draw_confirm(scene, confirm, &placed, foot, buf);
    }
    draw_frame(scene, placed.area, &format!("MCP servers of {name}"), buf);
    let list = servers.list.as_deref().unwrap_or_default();
    let rows = usize::from(placed.list.height);
    let first = servers.first(rows);
    for (line, (at, one)) in list.iter().enumerate().skip(first).take(rows).enumerate() {
        draw_row(scene, one, at == servers.at, row(placed.list, line), buf);
    }
    let lines = servers.detail(scene.state, placed.detail.width.into());
    for (at, line) in lines.iter().take(placed.detail.height.into()).enumerate() {
        let failed = at == 0 && servers.problem.is_some();
        let style = if failed { theme.failed } else { theme.dim };
        put(buf, row(placed.detail, at), line, style);
    }
    let below = list.len().saturating_sub(first + rows);
    if below > 0 {
        put_right(buf, foot, &format!(" ↓ {below} more "), theme.accent);
    }
}

fn draw_row(scene: &Scene, one: &Listed, chosen: bool, line: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let style = |plain: Style| if chosen { theme.selection } else { plain };
    if chosen {
        clear(buf, line, theme.selection);
        put(buf, line, "▌", theme.accent);
    }
    let inside = inset(line, 1);
    let mark = match (one.on, one.source) {
        (true, Whence::Config | Whence::Clone | Whence::Tool) => "[x]",
        (false, _) => "[ ]",
        // Not parlour's to switch off.
        (true, Whence::Parlour | Whence::Own) => " • ",
    };
    put(buf, inside, mark, style(if one.on { theme.accent } else { theme.dim }));
    let column = |from: u16, wide: u16| Rect {
        width: wide.min(inside.width.saturating_sub(from)),
        ..after(inside, from)
    };
    put(buf, column(4, NAME), &one.name, style(theme.text));
    let from = match one.source {
        Whence::Parlour => "parlour's own",
        Whence::Tool => "a tool of parlour's own",
        Whence::Config | Whence::Own | Whence::Clone => &one.from,
    };
    let wide = FROM.min(inside.width.saturating_sub(NAME + 5) / 2).max(14);
    put(buf, column(NAME + 5, wide), from, style(theme.dim));
    let because = one.because.as_deref().unwrap_or_default();
    put(buf, after(inside, NAME + wide + 6), because, style(theme.waiting));
}

fn draw_confirm(scene: &Scene, confirm: &Confirm, placed: &place::PlacedServers, foot: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let lines = confirm.lines(placed.text.width.into());
    let rows = usize::from(placed.text.height);
    let scroll = confirm.form.scroll;
    for (at, line) in lines.iter().skip(scroll).take(rows).enumerate() {
        put(buf, row(placed.text, at), line, theme.text);
    }
    let live = !confirm.form.is_unread(scene.state.now);
    let at = live.then_some(confirm.form.at);
    draw_buttons(scene, &place::AGREE, at, placed.buttons, buf);
    let below = lines.len().saturating_sub(scroll + rows);
    if below > 0 {
        put_right(buf, foot, &format!(" ↓ {below} more "), theme.accent);
    }
}
