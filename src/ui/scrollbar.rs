//! How far down one is in what is longer than its place: a thumb on the border beside it, or in its last column, and how
//! much lies below.
//!
//! It hides no text: where something is written, that stays. A screen reader is told lines instead, so there is none.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::scrollbar::ScrollBar;

use super::scene::Scene;
use super::text::put_right;

const THUMB: &str = "▐";

/// Comes after what it scrolls is drawn.
pub fn draw(scene: &Scene, bar: &ScrollBar, buf: &mut Buffer) {
    draw_thumb(scene, bar, buf);
    draw_rest(scene, bar.extent.below(), bar.foot, buf);
}

/// How much lies below, at the right; returns the room that is left.
pub fn draw_rest(scene: &Scene, below: usize, foot: Rect, buf: &mut Buffer) -> Rect {
    match below {
        0 => foot,
        _ if foot.is_empty() => foot,
        _ => put_right(buf, foot, &format!(" ↓ {below} more "), scene.theme.accent),
    }
}

fn draw_thumb(scene: &Scene, bar: &ScrollBar, buf: &mut Buffer) {
    if !bar.is_needed() || scene.view.over.reader.is_some() {
        return;
    }
    for y in bar.thumb() {
        let Some(cell) = buf.cell_mut((bar.track.x, y)) else {
            continue;
        };
        match cell.symbol() {
            "│" => _ = cell.set_symbol("┃"),
            " " => _ = cell.set_symbol(THUMB).set_style(scene.theme.border),
            _ => {}
        }
    }
}
