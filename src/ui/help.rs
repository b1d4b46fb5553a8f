//! All keys, in columns.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::dialog::{Help, HelpEntry, HelpLine};
use crate::screen::wrap::width;

use super::dialog::draw_frame;
use super::field::{self, Typed};
use super::scene::{CursorAt, Scene};
use super::text::{after, clear, fit, put, put_right, row};

/// Columns of the keys, right-aligned.
const KEYS: u16 = 14;

pub fn draw(scene: &Scene, help: &Help, buf: &mut Buffer) -> Option<CursorAt> {
    let theme = scene.theme;
    let placed = help.placed(&scene.around());
    draw_frame(scene, placed.area, "All keys", buf);
    put(buf, placed.typed, "/", theme.accent);
    let typed = Typed {
        area: after(placed.typed, 2),
        placeholder: "type to find a key by what it does",
        focused: true,
    };
    let cursor = field::draw(&help.field, &typed, theme, buf);
    let chosen = help.at.and_then(|at| placed.spot(at));
    let rows = usize::from(placed.list.height);
    for (at, column) in placed.columns.iter().enumerate() {
        let area = placed.column(at);
        let seen = column.iter().enumerate().skip(help.scroll).take(rows);
        for (line, (place, of)) in seen.enumerate() {
            draw_line(scene, of, chosen == Some((at, place)), row(area, line), buf);
        }
    }
    match help.at.and_then(|at| placed.entry(at)) {
        Some(entry) => draw_detail(scene, entry, placed.detail, buf),
        None if placed.columns.iter().all(Vec::is_empty) => {
            put(buf, placed.list, "no key does that", theme.dim);
        }
        None => {}
    }
    cursor
}

fn draw_line(scene: &Scene, line: &HelpLine, chosen: bool, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    match line {
        HelpLine::Heading(words) => {
            put(buf, area, words, theme.accent);
        }
        HelpLine::Words(words) => {
            put(buf, area, words, theme.dim);
        }
        HelpLine::Gap => {}
        HelpLine::Entry(entry) => {
            let (keys, title) = match (chosen, entry.action) {
                (true, _) => (theme.selection, theme.selection),
                (false, Some(_)) => (theme.key, theme.text),
                (false, None) => (theme.key, theme.dim),
            };
            if chosen {
                clear(buf, area, theme.selection);
            }
            let column = Rect {
                width: KEYS.min(area.width),
                ..area
            };
            put_right(buf, column, &entry.keys, keys);
            let rest = after(area, KEYS + 2);
            let used = put(buf, rest, entry.title, title);
            // Whoever wants another key has to be able to read the name.
            if width(entry.name) + usize::from(used) + 2 <= usize::from(rest.width) {
                put_right(buf, rest, entry.name, if chosen { title } else { theme.dim });
            }
        }
    }
}

/// All of it, with its name in the settings, or why it cannot be run.
fn draw_detail(scene: &Scene, entry: &HelpEntry, area: Rect, buf: &mut Buffer) {
    let said = match (entry.why_not, entry.name) {
        (Some(why), "") => why.to_string(),
        (Some(why), name) => format!("{why} · {name}"),
        (None, name) => name.to_string(),
    };
    let what = format!("{}  {}", entry.keys, entry.title);
    let said = fit(&said, usize::from(area.width).saturating_sub(width(&what) + 2));
    let rest = put_right(buf, area, &said, scene.theme.dim);
    put(buf, rest, &what, scene.theme.text);
}
