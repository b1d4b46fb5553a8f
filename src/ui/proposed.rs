//! A command that a repository wants to be run, before a person has agreed to it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::dialog::{Proposed, place};

use super::dialog::{draw_buttons, draw_frame};
use super::scene::Scene;
use super::text::{inset, put, row};

pub fn draw(scene: &Scene, proposed: &Proposed, whole: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let placed = proposed.place(whole);
    draw_frame(scene, placed.area, "Run what the repository brings?", buf);
    let lines = proposed.lines(placed.text.width.into());
    let rows = usize::from(placed.text.height);
    let form = &proposed.form;
    for (at, line) in lines.iter().skip(form.scroll).take(rows).enumerate() {
        put(buf, row(placed.text, at), line, theme.text);
    }
    let at = (!form.is_unread(scene.state.domain.now)).then_some(form.at);
    draw_buttons(scene, &place::RUN_IT, at, placed.buttons, buf);
    let foot = inset(row(placed.area, usize::from(placed.area.height.saturating_sub(1))), 2);
    if form.is_busy() {
        put(buf, foot, " starting… ", theme.dim);
    }
}
