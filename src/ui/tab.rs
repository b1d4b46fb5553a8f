//! Which file draws which tab.

mod board;
pub(super) mod changes;
mod checkpoints;
mod graph;
mod search_line;
mod todos;
mod transcript;

use ratatui::buffer::Buffer;

use crate::screen::keymap::PaneSheet;

use super::scene::{CursorAt, Scene};

/// A tab that is no terminal; says where the cursor is, if a prompt is written in it.
pub(super) fn draw(scene: &Scene, sheet: PaneSheet, buf: &mut Buffer) -> Option<CursorAt> {
    match sheet {
        PaneSheet::Transcript => return transcript::draw(scene, buf),
        PaneSheet::Changes => changes::draw(scene, buf),
        PaneSheet::Checkpoints => checkpoints::draw(scene, buf),
        PaneSheet::Work => board::draw(scene, buf),
        PaneSheet::Todos => todos::draw(scene, buf),
    }
    None
}
