//! The whole output of a call, on the whole screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::screen::dialog::{Output, place};
use crate::model::called;

use super::dialog::draw_frame;
use super::screen::Scene;
use super::text::{put, put_right, row};

pub fn draw(scene: &Scene, output: &Output, whole: Rect, buf: &mut Buffer) {
    let title = format!("Output of {} · Esc closes", called(&output.tool));
    draw_frame(scene, whole, &title, buf);
    let inside = place::output(whole);
    let Some(piece) = &output.piece else {
        put(buf, inside, "reading it…", scene.theme.dim);
        return;
    };
    let seen = usize::from(inside.height);
    let rows = output.rows(inside.width.into());
    let first = output.top.min(rows.len().saturating_sub(seen));
    for (at, text) in rows.iter().skip(first).take(seen).enumerate() {
        put(buf, row(inside, at), text, scene.theme.text);
    }
    // How far down one is, by the bytes above the last row that is seen.
    let above = rows.iter().take(first + seen).map(|row| row.len() + 1).sum::<usize>() as u64;
    let at = match first + seen >= rows.len() {
        true => piece.to,
        false => (piece.from + above).min(piece.to),
    };
    let percent = (at * 100).checked_div(piece.whole).unwrap_or(100);
    let foot = Rect {
        x: inside.x,
        width: inside.width,
        ..row(whole, usize::from(whole.height.saturating_sub(1)))
    };
    let words = format!(" {percent}% of {} bytes ", piece.whole);
    put_right(buf, foot, &words, scene.theme.dim);
}
