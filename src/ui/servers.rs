//! The MCP servers of a chat, or the one that is to be agreed to.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::model::server_entry::{ServerEntry, Whence};
use crate::model::text::one_line;
use crate::screen::dialog::{Servers, place};
use crate::screen::wrap::width;

use super::dialog::{ButtonLook, draw_frame, draw_question};
use super::scene::Scene;
use super::text::{after, clear, inset, put, row, shown, up_to};

/// Where a name begins.
const NAME_AT: u16 = 4;
/// Columns that where it comes from keeps, however long the names are.
const FROM: u16 = 14;

pub fn draw(scene: &Scene, servers: &Servers, whole: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    if let (Some(question), Some(confirm)) = (servers.question(whole), &servers.confirm) {
        draw_frame(scene, question.placed.area, "Let a project start this?", buf);
        let lines = confirm.lines(question.placed.text.width.into());
        return draw_question(scene, (&question, &confirm.form), &lines, ButtonLook::Plain, buf);
    }
    let placed = place::servers(whole);
    let name = one_line(servers.name(), 40);
    draw_frame(scene, placed.area, &format!("MCP servers of {name}"), buf);
    let list = servers.list.as_deref().unwrap_or_default();
    let lines = servers.detail(&scene.around(), placed.detail.width.into());
    let placed = placed.with_detail(list.len(), lines.len());
    let rows = usize::from(placed.list.height);
    let first = servers.first(rows);
    let wide = columns(list, placed.list.width.saturating_sub(1 + NAME_AT));
    for (line, (at, one)) in list.iter().enumerate().skip(first).take(rows).enumerate() {
        draw_row(scene, one, at == servers.at, wide, row(placed.list, line), buf);
    }
    for (at, line) in lines.iter().take(placed.detail.height.into()).enumerate() {
        let failed = at == 0 && servers.problem.is_some();
        let style = if failed { theme.failed } else { theme.dim };
        put(buf, row(placed.detail, at), line, style);
    }
}

/// How wide the columns of names and of where they come from are: as wide as what is in them, as far as there is room.
fn columns(list: &[ServerEntry], room: u16) -> (u16, u16) {
    let widest = |of: fn(&ServerEntry) -> &str| {
        let widths = list.iter().map(|one| width(&shown(of(one))));
        u16::try_from(widths.max().unwrap_or(0)).unwrap_or(u16::MAX)
    };
    let name = widest(|one| &one.name).min(room.saturating_sub(FROM + 1));
    let left = room.saturating_sub(name + 1);
    let because = widest(|one| one.because.as_deref().unwrap_or_default());
    let from = widest(from).min(left.saturating_sub(because.saturating_add(1)).max(FROM));
    (name, from.min(left))
}

fn from(one: &ServerEntry) -> &str {
    match one.source {
        Whence::Parlour => "parlour's own",
        Whence::Tool => one.does().unwrap_or("a tool of parlour's own"),
        Whence::Config | Whence::Own | Whence::Clone => &one.from,
    }
}

fn draw_row(scene: &Scene, one: &ServerEntry, chosen: bool, (name, wide): (u16, u16), line: Rect, buf: &mut Buffer) {
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
    let column = |from: u16, wide: u16| up_to(after(inside, from), wide);
    put(buf, column(NAME_AT, name), &one.name, style(theme.text));
    let from_at = NAME_AT + name + 1;
    put(buf, column(from_at, wide), from(one), style(theme.dim));
    let because = one.because.as_deref().unwrap_or_default();
    put(buf, after(inside, from_at + wide + 1), because, style(theme.waiting));
}
