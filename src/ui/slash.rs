//! What a prompt that begins with `/` may become, under headings.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::dialog::Slash;
use crate::screen::dialog::slash::{self, SlashEntry, SlashLine};
use crate::screen::wrap::width;

use super::picker::{self, PickerWords};
use super::scene::{CursorAt, Scene};
use super::text::{after, but_last, clear, inset, put, put_right, row};

/// Columns between a title and what it does.
const GAP: u16 = 2;

pub fn draw(scene: &Scene, slash: &Slash, whole: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let theme = scene.theme;
    let placed = slash::place(whole);
    let words = PickerWords {
        title: "Prompt",
        sign: "/",
        placeholder: "a template or a command",
    };
    let cursor = picker::draw_typed(scene, &slash.picker, &words, &placed, buf);
    let lines = slash.lines(&scene.around());
    let rows = usize::from(placed.list.height);
    let first = slash.first(&lines, rows);
    let mut entry = slash::entries_in(&lines[..first.min(lines.len())]);
    for (at, line) in lines.iter().skip(first).take(rows).enumerate() {
        let area = row(placed.list, at);
        match line {
            SlashLine::Heading(words) => drop(put(buf, inset(area, 1), words, theme.header)),
            SlashLine::Nothing(words) => drop(put(buf, after(inset(area, 1), 2), words, theme.dim)),
            SlashLine::Entry(shown) => {
                draw_entry(scene, shown, entry == slash.picker.at, area, buf);
                entry += 1;
            }
        }
    }
    if lines.is_empty() {
        put(
            buf,
            after(placed.list, 2),
            "nothing is called that: Enter makes it a prompt",
            theme.dim,
        );
    }
    cursor
}

fn draw_entry(scene: &Scene, entry: &SlashEntry, chosen: bool, line: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let style = |style| match (chosen, entry.is_possible) {
        (_, false) => theme.dim,
        (true, true) => theme.selection,
        (false, true) => style,
    };
    if chosen {
        clear(buf, line, theme.selection);
        put(buf, line, "▌", theme.accent);
    }
    let inside = after(inset(line, 1), 2);
    let rest = but_last(put_right(buf, inside, &entry.note, style(theme.dim)), GAP);
    let taken = put(buf, rest, &entry.title, style(theme.text));
    let wide = u16::try_from(width(&entry.title)).unwrap_or(taken).min(taken);
    put(buf, after(rest, wide + GAP), &entry.about, style(theme.dim));
}
