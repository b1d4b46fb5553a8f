//! A row of a remark, below the lines that it is about.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::model::remark::RemarkState;
use crate::screen::tab::changes::remarks::{INDENT, RemarkRow, words};
use crate::ui::scene::Scene;
use crate::ui::text::{after, clear, put};

pub fn draw(scene: &Scene, (number, line): (usize, usize), is_here: bool, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let changes = &scene.view.changes;
    let (Some(placed), Some(file)) = (changes.remarks.get(number), &changes.file) else {
        return;
    };
    let width = usize::from(area.width.saturating_sub(INDENT + 2));
    let words = words(file, placed, width);
    let Some(shown) = words.get(line) else {
        return;
    };
    let is_open = placed.remark.state != RemarkState::Resolved;
    let (text, style) = match shown {
        RemarkRow::Head(text) if is_open => (text, theme.header),
        RemarkRow::Head(text) | RemarkRow::Answer(text) => (text, theme.dim),
        RemarkRow::Words(text) => (text, theme.text),
    };
    let bar = if is_open { theme.accent } else { theme.border };
    let place = after(area, INDENT - 2);
    let style = match is_here {
        true => {
            clear(buf, area, theme.selection);
            theme.selection
        }
        false => style,
    };
    put(buf, place, "┃", if is_here { style } else { bar });
    put(buf, after(place, 2), text, style);
}
