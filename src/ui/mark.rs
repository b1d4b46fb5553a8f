//! Text that the mouse marks.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::scene::Scene;

/// Over all that is drawn.
pub fn draw(scene: &Scene, buf: &mut Buffer) {
    let rows = scene.view.over.mark.iter().flat_map(|mark| mark.rows());
    for (y, from, to) in rows {
        let cells = Rect::new(from, y, (to + 1).saturating_sub(from), 1);
        buf.set_style(cells.intersection(buf.area), scene.theme.selection);
    }
}
