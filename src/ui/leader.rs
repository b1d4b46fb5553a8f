//! After the leader: the commands and their keys, above the last row.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, BorderType, Borders, Widget};

use crate::screen::keymap::{Action, ScreenAction};
use crate::screen::layout::Layout;
use crate::screen::surface::Surface;
use crate::screen::wrap::width;

use super::scene::Scene;
use super::text::{after, clear, inset, put, row};

/// A key and two words.
const COLUMN: u16 = 22;

pub fn draw(scene: &Scene, layout: &Layout, buf: &mut Buffer) {
    let keymap = &scene.state.keymap;
    let commands = Surface::Leader.tables().flat_map(|table| table.commands());
    let listed = commands.filter(|command| command.command != Action::Screen(ScreenAction::HowToLeave));
    let mut entries: Vec<(String, &str)> = listed
        .map(|command| (keymap.key_at(Surface::Leader, command.command), command.short))
        .collect();
    entries.retain(|(key, _)| !key.is_empty());
    let whole = Rect {
        height: layout.whole.height - layout.foot.height,
        ..layout.whole
    };
    let (wide, fits) = (whole.width.saturating_sub(4), whole.height.saturating_sub(2).max(1));
    let needed = u16::try_from(entries.len().div_ceil(fits.into())).unwrap_or(u16::MAX);
    let columns = (wide / COLUMN).max(needed).max(1);
    // Words are cut before a command is left out.
    let column_width = COLUMN.min(wide / columns);
    let rows = entries.len().div_ceil(columns.into());
    let high = u16::try_from(rows + 2).unwrap_or(u16::MAX).min(whole.height);
    let area = Rect {
        y: whole.bottom() - high,
        height: high,
        ..whole
    };
    clear(buf, area, scene.theme.background.patch(scene.theme.text));
    let title = " Commands ";
    Block::new()
        .borders(Borders::ALL)
        .border_type(BorderType::Rounded)
        .border_style(scene.theme.focus)
        .title(title)
        .title_style(scene.theme.accent)
        .render(area, buf);
    let inside = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(2),
        ..inset(area, 2)
    };
    // Down the columns, as one reads a menu.
    for (at, (key, words)) in entries.iter().enumerate() {
        let column = u16::try_from(at / rows.max(1)).unwrap_or(u16::MAX);
        let line = row(after(inside, column.saturating_mul(column_width)), at % rows.max(1));
        let line = Rect {
            width: line.width.min(column_width.saturating_sub(1)),
            ..line
        };
        let pad = 6u16.saturating_sub(u16::try_from(width(key)).unwrap_or(6));
        put(buf, after(line, pad), key, scene.theme.key);
        put(buf, after(line, 7), words, scene.theme.text);
    }
}
