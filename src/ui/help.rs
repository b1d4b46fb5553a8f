//! All keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::dialog::{Help, HelpLine};

use super::dialog::draw_frame;
use super::scene::Scene;
use super::text::{after, inset, put, put_right, row};

/// Columns of the keys, right-aligned.
const KEYS: u16 = 16;

pub fn draw(scene: &Scene, help: &Help, whole: Rect, buf: &mut Buffer) {
    let (area, seen) = Help::place(&scene.state.keymap, whole);
    draw_frame(scene, area, "All keys", buf);
    let inside = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(2),
        ..inset(area, 2)
    };
    let lines = Help::lines(&scene.state.keymap);
    for (at, line) in lines.iter().skip(help.scroll).take(seen).enumerate() {
        let area = row(inside, at);
        match line {
            HelpLine::Heading(words) => put(buf, area, words, scene.theme.accent),
            HelpLine::Words(words) => put(buf, area, words, scene.theme.dim),
            HelpLine::Key { keys, title, name } => {
                let column = Rect {
                    width: KEYS.min(area.width),
                    ..area
                };
                put_right(buf, column, keys, scene.theme.key);
                // Whoever wants another key has to be able to read the name.
                let rest = put_right(buf, after(area, KEYS + 2), name, scene.theme.dim);
                let apart = if name.is_empty() { 0 } else { 2 };
                let title_area = Rect {
                    width: rest.width.saturating_sub(apart),
                    ..rest
                };
                put(buf, title_area, title, scene.theme.text)
            }
            HelpLine::Gap => 0,
        };
    }
    let below = lines.len().saturating_sub(help.scroll + seen);
    if below > 0 && area.height > 0 {
        let foot = row(area, usize::from(area.height - 1));
        put_right(buf, inset(foot, 2), &format!(" ↓ {below} more "), scene.theme.accent);
    }
}
