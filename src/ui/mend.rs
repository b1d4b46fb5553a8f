//! What can be done about an error, below its words.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::dialog::MendMenu;

use super::dialog::draw_frame;
use super::scene::Scene;
use super::text::{after, but_last, clear, inset, put, put_right, row};

pub fn draw(scene: &Scene, menu: &MendMenu, whole: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let placed = menu.place(whole);
    draw_frame(scene, placed.area, "Error", buf);
    for (at, line) in menu.words(placed.words.width).iter().enumerate() {
        put(buf, row(placed.words, at), line, theme.failed);
    }
    for (at, item) in menu.items.iter().enumerate() {
        let line = row(placed.list, at);
        let is_chosen = at == menu.at;
        let style = |style| if is_chosen { theme.selection } else { style };
        if is_chosen {
            clear(buf, line, theme.selection);
            put(buf, line, "▌", theme.accent);
        }
        let rest = put_right(buf, after(inset(line, 1), 1), &item.note, style(theme.dim));
        put(buf, rest, &item.letter.to_string(), style(theme.key));
        put(buf, but_last(after(rest, 3), 2), &item.text, style(theme.text));
    }
}
