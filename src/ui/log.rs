//! The engine's log, on the whole screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::domain::event::{Level, LogLine};
use crate::screen::dialog::{LOG_HEAD as HEAD, Log};

use super::dialog::draw_frame;
use super::scene::Scene;
use super::text::{after, put, row};

pub fn draw(scene: &Scene, log: &Log, whole: Rect, buf: &mut Buffer) {
    draw_frame(scene, whole, "Log of the engine", buf);
    let inside = Log::inside(whole);
    let seen = Log::seen(whole);
    let rows = Log::rows(&scene.state.domain, whole);
    if rows.is_empty() {
        put(buf, inside, "nothing was logged yet", scene.theme.dim);
    }
    let first = rows.len().saturating_sub(seen + log.back);
    for (at, (line, words)) in rows.iter().skip(first).take(seen).enumerate() {
        let area = row(inside, at);
        if let Some(line) = line {
            draw_head(scene, line, area, buf);
        }
        put(buf, after(area, HEAD), words, scene.theme.text);
    }
}

/// When it was, and how bad.
fn draw_head(scene: &Scene, line: &LogLine, area: Rect, buf: &mut Buffer) {
    let (word, style) = match line.level {
        Level::Error => ("error", scene.theme.failed),
        Level::Warn => ("warn ", scene.theme.waiting),
        Level::Info => ("info ", scene.theme.dim),
    };
    let text = line.at.to_string();
    // The time of day is what one looks for; the date is the day's for all but a few.
    let time = text.get(11..19).unwrap_or(&text);
    let used = put(buf, area, time, scene.theme.dim);
    put(buf, after(area, used + 2), word, style);
}
