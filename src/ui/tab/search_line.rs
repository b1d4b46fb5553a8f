//! The row of a tab in which one types what to search for, and reads what came of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::tab::search_line::{SearchLine, Sought};
use crate::ui::field;
use crate::ui::scene::Scene;
use crate::ui::text::{inset, put, put_right};

/// `told` says what came of it, at the right.
pub(super) fn draw<F>(
    scene: &Scene,
    search: &SearchLine<F>,
    told: impl FnOnce(&Sought<F>) -> String,
    area: Rect,
    buf: &mut Buffer,
) {
    let (theme, area) = (scene.theme, inset(area, 1));
    if let Some(typing) = &search.typing {
        let (words, style) = field::searched(typing, '/', (theme.accent, theme.dim));
        put(buf, area, &words, style);
    } else if let Some(sought) = &search.sought {
        let rest = put_right(buf, area, &told(sought), theme.dim);
        put(buf, rest, &format!("/{}", sought.words), theme.accent);
    }
}
