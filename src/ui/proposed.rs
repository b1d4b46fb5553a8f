//! A command that a repository wants to be run, before a person has agreed to it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::screen::dialog::{Proposed, Stop, place};

use super::dialog::draw_frame;
use super::screen::Scene;
use super::text::{inset, put, put_right, row};

pub fn draw(scene: &Scene, proposed: &Proposed, whole: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let placed = proposed.place(whole);
    draw_frame(scene, placed.area, "Run what the repository brings?", buf);
    let lines = proposed.lines(placed.text.width.into());
    let rows = usize::from(placed.text.height);
    for (at, line) in lines.iter().skip(proposed.scroll).take(rows).enumerate() {
        put(buf, row(placed.text, at), line, theme.text);
    }
    for (stop, words, area) in place::buttons(&place::RUN_IT, placed.buttons) {
        let style = if stop == Stop::No { theme.selection } else { theme.text };
        put(buf, area, &format!("  {words}  "), style);
    }
    let foot = inset(row(placed.area, usize::from(placed.area.height.saturating_sub(1))), 2);
    let words = match proposed.busy {
        true => " it is written down, and starts ",
        false => " y runs it · Enter, n or Esc does not ",
    };
    put(buf, foot, words, theme.dim);
    let below = lines.len().saturating_sub(proposed.scroll + rows);
    if below > 0 {
        put_right(buf, foot, &format!(" ↓ {below} more "), theme.accent);
    }
}
