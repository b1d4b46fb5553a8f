//! Why the status of a chat is what it is: a page of facts.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::dialog::ExplainPage;
use crate::screen::dialog::place::{self, PlacedPage};

use super::dialog::draw_frame;
use super::piece::{self, RowLook};
use super::scene::Scene;
use super::text::row;

pub fn draw(scene: &Scene, page: &ExplainPage, whole: Rect, buf: &mut Buffer) {
    let PlacedPage { area, inside } = place::page(whole, page.lines.len());
    draw_frame(scene, area, &format!("Status of {}", page.name()), buf);
    let high = usize::from(inside.height);
    let first = page.scroll.min(page.lines.len().saturating_sub(high));
    for (at, line) in page.lines.iter().skip(first).take(high).enumerate() {
        piece::draw(scene.theme, line, RowLook::default(), row(inside, at), buf);
    }
}
