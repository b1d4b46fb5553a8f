//! The whole output of a call, on the whole screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::model::called;
use crate::model::entry::Cut;
use crate::screen::dialog::{Output, place};
use crate::screen::wrap::width;

use super::dialog::draw_frame;
use super::scene::Scene;
use super::text::{after, put, put_right, row};

pub fn draw(scene: &Scene, output: &Output, whole: Rect, buf: &mut Buffer) {
    let title = format!("Output of {}", called(&output.of.tool));
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
        mark(scene, output, text, row(inside, at), buf);
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
    let cut = match output.of.cut {
        Some(Cut::Cli) => " · cut by the CLI",
        Some(Cut::Parlour) => " · the rest was too long to keep",
        None => "",
    };
    let words = format!(" {percent}% of {} bytes{cut} ", piece.whole);
    put_right(buf, foot, &words, scene.theme.dim);
    let search = match (&output.search.typing, output.search.missed) {
        (Some(typing), _) => format!(" /{}▏ ", typing.text()),
        (None, true) => format!(" no more of: {} ", output.search.words),
        (None, false) if output.search.words.is_empty() => return,
        (None, false) => format!(" /{} · n next · N previous ", output.search.words),
    };
    put(buf, after(foot, 1), &search, scene.theme.accent);
}

/// The words that were looked for stand out.
fn mark(scene: &Scene, output: &Output, text: &str, area: Rect, buf: &mut Buffer) {
    let words = output.search.words.as_str();
    let any_case = !words.chars().any(char::is_uppercase);
    let folded = match any_case {
        true => text.to_ascii_lowercase(),
        false => text.to_string(),
    };
    for (at, found) in folded.match_indices(words).filter(|(_, found)| !found.is_empty()) {
        let before = u16::try_from(width(&text[..at])).unwrap_or(u16::MAX);
        put(
            buf,
            after(area, before),
            &text[at..at + found.len()],
            scene.theme.accent,
        );
    }
}
