//! Toasts, in the corner at the top right, newest last.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::view::Tone;
use crate::screen::wrap::{width, wrap};

use super::scene::Scene;
use super::text::{after, clear, put, row, shown};

const WIDEST: u16 = 56;
const LINES: usize = 4;

pub fn draw(scene: &Scene, whole: Rect, buf: &mut Buffer) {
    let mut top = 1;
    for toast in &scene.view.over.toasts {
        let (style, sign) = match toast.tone {
            Tone::Told => (scene.theme.toast.info, "·"),
            Tone::Failed => (scene.theme.toast.error, "✗"),
        };
        let most = whole.width.saturating_sub(2).min(WIDEST).saturating_sub(4);
        let mut lines = wrap(&shown(&toast.text), most.into());
        if lines.len() > LINES {
            lines.truncate(LINES);
            if let Some(last) = lines.last_mut() {
                last.push('…');
            }
        }
        let wide = lines.iter().map(|line| width(line)).max().unwrap_or(0);
        let wide = u16::try_from(wide + 4).unwrap_or(WIDEST).min(whole.width);
        let high = u16::try_from(lines.len()).unwrap_or(1);
        if top + high > whole.height {
            return;
        }
        let area = Rect {
            x: whole.right() - wide,
            y: top,
            width: wide,
            height: high,
        };
        clear(buf, area, style);
        put(buf, after(area, 1), sign, style);
        for (at, line) in lines.iter().enumerate() {
            put(buf, after(row(area, at), 3), line, style);
        }
        top += high + 1;
    }
}
