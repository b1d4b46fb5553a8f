//! The last row: where keys go, and the ones that matter now.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::foot;
use crate::screen::wrap::width;

use super::scene::Scene;
use super::text::{after, clear, put};

pub fn draw(scene: &Scene, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = scene.theme;
    clear(buf, area, theme.background.patch(theme.text));
    let foot = foot::arrange(scene.state, scene.view);
    let style = match foot.is_inside {
        true => theme.mode.agent,
        false => theme.mode.outside,
    };
    put(buf, area, foot.badge, style);
    if let Some((name, place)) = &foot.name {
        put(buf, *place, name, theme.header);
    }
    if let Some(words) = foot.ignored {
        put(buf, foot.rest, words, theme.waiting);
    }
    if let Some(offer) = &foot.offer {
        put(buf, offer.area, &offer.words, theme.accent);
    }
    if let Some(calls) = &foot.calls {
        let style = if calls.is_urgent { theme.waiting } else { theme.text };
        put(buf, calls.area, &calls.words, style);
    }
    if let Some((cause, place)) = &foot.problem {
        put(buf, *place, cause, theme.failed);
    }
    for (hint, place) in &foot.hints {
        put(buf, *place, &hint.label, theme.key);
        let words = after(*place, u16::try_from(width(&hint.label) + 1).unwrap_or(u16::MAX));
        put(buf, words, hint.words, theme.dim);
    }
}
