//! Why the status of a chat is what it is: a page of facts.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::dialog::{ExplainPage, place};

use super::dialog::draw_frame;
use super::piece::{self, RowLook};
use super::scene::Scene;
use super::scrollbar::{self, Extent};
use super::text::{inset, put_right, row};

pub fn draw(scene: &Scene, page: &ExplainPage, whole: Rect, buf: &mut Buffer) {
    let (area, inside) = place::page(whole, page.lines.len());
    draw_frame(scene, area, &format!("Status of {}", page.name()), buf);
    let high = usize::from(inside.height);
    let first = page.scroll.min(page.lines.len().saturating_sub(high));
    for (at, line) in page.lines.iter().skip(first).take(high).enumerate() {
        piece::draw(scene.theme, line, RowLook::default(), row(inside, at), buf);
    }
    scrollbar::on_frame(
        scene,
        area,
        inside,
        Extent {
            first,
            seen: high,
            all: page.lines.len(),
        },
        buf,
    );
    let below = page.lines.len().saturating_sub(first + high);
    if below > 0 {
        let foot = row(area, usize::from(area.height.saturating_sub(1)));
        put_right(buf, inset(foot, 2), &format!(" ↓ {below} more "), scene.theme.accent);
    }
}
