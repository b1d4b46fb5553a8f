//! A list to choose one of.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::model::text::fit_path;
use crate::screen::dialog::{ChoiceItem, Choose};
use crate::screen::tab::changes::choice::DiffList;

use super::dialog::draw_frame;
use super::field::{self, Typed};
use super::scene::{CursorAt, Scene};
use super::text::{after, but_last, clear, fit_ends, inset, put, put_right, row, shown};

pub fn draw(scene: &Scene, choose: &Choose, whole: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let theme = scene.theme;
    let placed = choose.place(whole);
    draw_frame(scene, placed.area, choose.list.title(), buf);
    let cursor = choose.field.as_ref().and_then(|field| {
        put(buf, placed.typed, ">", theme.accent);
        let typed = Typed {
            area: after(placed.typed, 2),
            placeholder: "type a few letters",
            focused: true,
        };
        field::draw(field, &typed, theme, buf)
    });
    let rows = usize::from(placed.list.height);
    let (first, count) = (choose.first(rows), choose.shown().len());
    let cut: NameCut = match choose.list {
        DiffList::Attempts => fit_ends,
        DiffList::Files
        | DiffList::Reviewers
        | DiffList::Remarks
        | DiffList::Sets
        | DiffList::Turns
        | DiffList::Checkpoints
        | DiffList::Commits
        | DiffList::Keep => fit_path,
    };
    for (line, (at, item)) in choose.shown().enumerate().skip(first).take(rows).enumerate() {
        draw_item(scene, (item, cut), at == choose.at, row(placed.list, line), buf);
    }
    if count == 0 {
        put(buf, after(placed.list, 2), choose.nothing, theme.dim);
    }
    cursor
}

/// How what has no room is cut.
type NameCut = fn(&str, usize) -> Cow<'_, str>;

fn draw_item(scene: &Scene, (item, cut): (&ChoiceItem, NameCut), chosen: bool, line: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let style = |style| if chosen { theme.selection } else { style };
    if chosen {
        clear(buf, line, theme.selection);
        put(buf, line, "▌", theme.accent);
    }
    let inside = after(inset(line, 1), 1);
    let rest = put_right(buf, inside, &item.note, style(theme.dim));
    let mut rest = but_last(rest, 2);
    if let Some(letter) = item.letter {
        put(buf, rest, &letter.to_string(), style(theme.key));
        rest = after(rest, 3);
    }
    let text = shown(&item.text);
    put(buf, rest, &cut(&text, usize::from(rest.width)), style(theme.text));
}
