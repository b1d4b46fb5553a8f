//! A command that a repository wants to be run, before a person has agreed to it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::dialog::Proposed;

use super::dialog::{ButtonLook, draw_frame, draw_question};
use super::scene::Scene;
use super::text::{inset, put, row};

pub fn draw(scene: &Scene, proposed: &Proposed, whole: Rect, buf: &mut Buffer) {
    let (question, form) = (proposed.question(whole), &proposed.form);
    let placed = &question.placed;
    draw_frame(scene, placed.area, "Run what the repository brings?", buf);
    let lines = proposed.lines(placed.text.width.into());
    draw_question(scene, (&question, form), &lines, ButtonLook::Plain, buf);
    let foot = inset(row(placed.area, usize::from(placed.area.height.saturating_sub(1))), 2);
    if form.is_busy() {
        put(buf, foot, " starting… ", scene.theme.dim);
    }
}
