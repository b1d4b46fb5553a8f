//! A chat's name, typed on its row in the sidebar; where that is not in sight, on the first row above the terminal. Why it
//! cannot be kept stands below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::screen::dialog::{NAME_PLACEHOLDER, Rename};
use crate::screen::header::inside;
use crate::screen::layout;
use crate::screen::wrap::wrap;

use super::field::{self, Typed};
use super::scene::{CursorAt, Scene};
use super::text::{clear, inset, put, row, up_to};
use super::{dialog, sidebar};

/// Lines of what went wrong.
const LINES: usize = 6;
/// Columns of a name above the terminal.
const WIDEST: u16 = 80;

pub fn draw(scene: &Scene, rename: &Rename, buf: &mut Buffer) -> Option<CursorAt> {
    let Some((area, around)) = place(scene, rename) else {
        return dialog::draw(scene, rename, buf);
    };
    let theme = scene.theme;
    clear(buf, area, theme.background.patch(theme.text));
    let typed = Typed {
        area,
        placeholder: NAME_PLACEHOLDER,
        focused: true,
    };
    let cursor = field::draw(rename.typed(), &typed, theme, buf);
    buf.set_style(area, Style::new().add_modifier(Modifier::UNDERLINED));
    if let Some(problem) = rename.problem() {
        let mut lines = wrap(&problem.to_string(), usize::from(around.width.saturating_sub(2)));
        lines.truncate(LINES);
        draw_problem(scene, &lines, (area.y, around), buf);
    }
    cursor
}

/// The row of the name, and the column of the screen that it is in.
fn place(scene: &Scene, rename: &Rename) -> Option<(Rect, Rect)> {
    let arranged = layout::arrange(scene.view);
    let in_list = arranged.sidebar.as_ref().and_then(|bar| {
        let name = sidebar::name_of(scene, bar, rename.chat())?;
        Some((name, bar.list))
    });
    let above = || {
        let header = inside(arranged.header);
        let line = row(header, 0);
        let area = up_to(line, WIDEST);
        let below = Rect {
            height: arranged.whole.bottom().saturating_sub(header.y),
            ..area
        };
        (!area.is_empty()).then_some((area, below))
    };
    in_list.or_else(above)
}

/// Below the name; above it where there is no room.
fn draw_problem(scene: &Scene, lines: &[String], (y, around): (u16, Rect), buf: &mut Buffer) {
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let below = around.bottom().saturating_sub(y + 1);
    let top = match below >= height {
        true => y + 1,
        false => y.saturating_sub(height),
    };
    let area = Rect {
        y: top,
        height,
        ..around
    }
    .intersection(buf.area);
    clear(buf, area, scene.theme.background.patch(scene.theme.text));
    for (at, line) in lines.iter().enumerate() {
        put(buf, inset(row(area, at), 1), line, scene.theme.failed);
    }
}

/// Whether it is typed in a box of its own, as other dialogs are.
pub fn is_in_a_box(scene: &Scene, rename: &Rename) -> bool {
    place(scene, rename).is_none()
}
