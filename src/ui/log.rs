//! The engine's log, on the whole screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::domain::event::Level;
use crate::screen::dialog::Log;

use super::dialog::draw_frame;
use super::scene::Scene;
use super::text::{after, put, row};

pub fn draw(scene: &Scene, log: &Log, whole: Rect, buf: &mut Buffer) {
    draw_frame(scene, whole, "Log of the engine", buf);
    let inside = Log::inside(whole);
    let seen = Log::seen(whole);
    let lines = &scene.state.domain.live.log;
    if lines.is_empty() {
        put(buf, inside, "nothing was logged yet", scene.theme.dim);
    }
    let first = lines.len().saturating_sub(seen + log.back);
    for (at, line) in lines.iter().skip(first).take(seen).enumerate() {
        let area = row(inside, at);
        let (word, style) = match line.level {
            Level::Error => ("error", scene.theme.failed),
            Level::Warn => ("warn ", scene.theme.waiting),
            Level::Info => ("info ", scene.theme.dim),
        };
        let text = line.at.to_string();
        // The time of day is what one looks for; the date is the day's for all but a few.
        let time = text.get(11..19).unwrap_or(&text);
        let used = put(buf, area, time, scene.theme.dim);
        let rest = after(area, used + 2);
        let used = put(buf, rest, word, style);
        put(buf, after(rest, used + 2), &line.text, scene.theme.text);
    }
}
