//! The palette: what is typed, and the commands that match with their keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::dialog::{Palette, PaletteEntry, palette};
use crate::screen::wrap::width;

use super::picker::{self, PickerWords};
use super::scene::{CursorAt, Scene};
use super::text::{after, but_last, clear, fit, inset, put, put_right, row};

pub fn draw(scene: &Scene, palette: &Palette, whole: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let theme = scene.theme;
    let placed = palette::place(whole);
    let words = PickerWords {
        title: "Commands",
        sign: ">",
        placeholder: "type a few letters",
    };
    let cursor = picker::draw_typed(scene, &palette.picker, &words, &placed, buf);
    let entries = palette.entries(&scene.around());
    let rows = usize::from(placed.list.height);
    let first = palette.first(rows);
    for (line, (at, entry)) in entries.iter().enumerate().skip(first).take(rows).enumerate() {
        draw_entry(scene, entry, at == palette.picker.at, row(placed.list, line), buf);
    }
    if entries.is_empty() {
        put(buf, placed.list, "  no matching command", theme.dim);
    }
    cursor
}

fn draw_entry(scene: &Scene, entry: &PaletteEntry, chosen: bool, line: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let (text, key) = match (chosen, entry.why_not) {
        (true, None) => (theme.selection, theme.selection),
        (false, None) => (theme.text, theme.key),
        (_, Some(_)) => (theme.dim, theme.dim),
    };
    let inside = inset(line, 1);
    if chosen {
        clear(buf, line, theme.selection);
        put(buf, line, "▌", theme.accent);
    }
    // What it is comes before why it is not to be had now.
    let beside = match entry.why_not {
        Some(why) => fit(why, usize::from(inside.width).saturating_sub(width(entry.title) + 3)),
        None => entry.keys.as_str().into(),
    };
    let rest = put_right(buf, inside, &beside, key);
    let title = but_last(rest, 2);
    let mut area = after(title, 1);
    let mut from = 0;
    for mark in &entry.marks {
        // Two typed words may be one of the title.
        let (Some(before), Some(found)) = (entry.title.get(from..mark.start), entry.title.get(mark.clone())) else {
            continue;
        };
        area = after(area, put(buf, area, before, text));
        area = after(area, put(buf, area, found, text.patch(theme.found)));
        from = mark.end;
    }
    put(buf, area, entry.title.get(from..).unwrap_or_default(), text);
}
