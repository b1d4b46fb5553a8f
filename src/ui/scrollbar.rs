//! How far down one is in what is longer than its place: a thumb on the border beside it, or in its last column.
//!
//! It hides no text: where something is written, that stays. A screen reader is told lines instead, so there is none.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Scrollbar, ScrollbarOrientation, ScrollbarState, StatefulWidget};

use super::scene::Scene;
use super::text::put_right;

/// What is seen of something long, in rows, bytes or whatever it is counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub first: usize,
    pub seen: usize,
    pub all: usize,
}

/// On the right border of a frame, beside the list within it.
pub fn on_frame(scene: &Scene, frame: Rect, list: Rect, extent: Extent, buf: &mut Buffer) {
    let track = Rect {
        x: frame.right().saturating_sub(1),
        width: frame.width.min(1),
        ..list
    };
    draw(scene, track, extent, buf);
}

/// As [`on_frame`], with how many rows lie below said at the right of the frame's foot.
pub fn with_rest(scene: &Scene, (frame, list, foot): (Rect, Rect, Rect), extent: Extent, buf: &mut Buffer) {
    on_frame(scene, frame, list, extent, buf);
    let below = extent.all.saturating_sub(extent.first + extent.seen);
    if below > 0 {
        put_right(buf, foot, &format!(" ↓ {below} more "), scene.theme.accent);
    }
}

/// In the last column of a list.
pub fn within(scene: &Scene, list: Rect, extent: Extent, buf: &mut Buffer) {
    on_frame(scene, list, list, extent, buf);
}

/// On a line or in a free column.
pub fn draw(scene: &Scene, track: Rect, extent: Extent, buf: &mut Buffer) {
    let track = track.intersection(buf.area);
    if extent.all <= extent.seen || track.is_empty() || scene.view.over.reader.is_some() {
        return;
    }
    let most = extent.all - extent.seen;
    let mut state = ScrollbarState::new(most + 1)
        .position(extent.first.min(most))
        .viewport_content_length(extent.seen);
    let bar = Scrollbar::new(ScrollbarOrientation::VerticalRight)
        .begin_symbol(None)
        .end_symbol(None)
        .track_symbol(None)
        .thumb_symbol(THUMB);
    let mut drawn = Buffer::empty(track);
    bar.render(track, &mut drawn, &mut state);
    for y in track.top()..track.bottom() {
        let is_thumb = drawn[(track.x, y)].symbol() == THUMB;
        let cell = &mut buf[(track.x, y)];
        match cell.symbol() {
            "│" if is_thumb => _ = cell.set_symbol("┃"),
            " " if is_thumb => _ = cell.set_symbol(THUMB).set_style(scene.theme.border),
            _ => {}
        }
    }
}

const THUMB: &str = "▐";
