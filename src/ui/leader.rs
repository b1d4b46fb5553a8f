//! After the leader: the commands and their keys, above the last row.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, BorderType, Borders, Widget};

use crate::screen::layout::Layout;
use crate::screen::leader_menu;
use crate::screen::wrap::width;

use super::scene::Scene;
use super::text::{after, clear, put, row};

pub fn draw(scene: &Scene, layout: &Layout, buf: &mut Buffer) {
    let whole = Rect {
        height: layout.whole.height - layout.foot.height,
        ..layout.whole
    };
    let menu = leader_menu::place(&scene.state.keymap, whole, scene.view.over.menu_page);
    clear(buf, menu.area, scene.theme.background.patch(scene.theme.text));
    let title = match menu.pages {
        1 => " Commands ".to_owned(),
        pages => format!(" Commands, {} of {pages} ", menu.page + 1),
    };
    Block::new()
        .borders(Borders::ALL)
        .border_type(BorderType::Rounded)
        .border_style(scene.theme.focus)
        .title(title)
        .title_style(scene.theme.accent)
        .render(menu.area, buf);
    for column in &menu.columns {
        for (at, entry) in column.entries.iter().enumerate() {
            let line = row(column.at, at);
            let pad = column
                .keys
                .saturating_sub(u16::try_from(width(&entry.label)).unwrap_or(column.keys));
            put(buf, after(line, pad), &entry.label, scene.theme.key);
            put(buf, after(line, column.keys + 1), entry.words, scene.theme.text);
        }
    }
}
