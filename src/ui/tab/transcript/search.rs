//! The row in which one types what to search for, and reads what came of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::ui::field;
use crate::ui::scene::Scene;
use crate::ui::text::{inset, put, put_right};

pub fn draw(scene: &Scene, area: Rect, buf: &mut Buffer) {
    let area = inset(area, 1);
    let (theme, transcript) = (scene.theme, &scene.view.transcript);
    if let Some(typing) = &transcript.search.typing {
        let (words, style) = field::searched(typing, (theme.accent, theme.dim));
        put(buf, area, &words, style);
        return;
    }
    let Some(sought) = &transcript.search.sought else {
        return;
    };
    let words = if transcript.is_seeking() { "searching…" } else { "" };
    let rest = put_right(buf, area, words, theme.dim);
    put(buf, rest, &format!("/{}", sought.words), theme.accent);
}
