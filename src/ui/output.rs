//! The whole output of a call, on the whole screen: its lines with their numbers, in the colours that they were printed in.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::domain::call::called;
use crate::model::bytes;
use crate::model::entry::Cut;
use crate::screen::dialog::{Output, TypedFor, place};
use crate::screen::output::OutputRow;

use super::dialog::draw_frame;
use super::field::{self, Typed};
use super::piece::printed;
use super::scene::{CursorAt, Scene};
use super::text::{after, clear, put, put_right, row};

pub fn draw(scene: &Scene, output: &Output, whole: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let title = format!("Output of {}", called(&output.of.tool));
    draw_frame(scene, whole, &title, buf);
    let inside = place::output(whole);
    if output.window.is_empty() {
        let words = if output.is_reading() {
            "reading it…"
        } else {
            "It is empty."
        };
        put(buf, inside, words, scene.theme.dim);
    }
    let (shape, high) = output.shape(whole);
    let rows = output.window.rows(shape, high);
    for (at, line) in rows.iter().enumerate() {
        draw_row(scene, output, line, row(inside, at), buf);
    }
    let foot = Rect {
        x: inside.x,
        width: inside.width,
        ..row(whole, usize::from(whole.height.saturating_sub(1)))
    };
    let rest = put_right(buf, foot, &place_in_words(output, rows.last()), scene.theme.dim);
    draw_asked(scene, output, rest, buf)
}

fn draw_row(scene: &Scene, output: &Output, line: &OutputRow, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let gutter = output.gutter();
    let is_marked = output.marked.is_some_and(|marked| marked.holds(line.line.at));
    let is_found = output.search.found.is_some_and(|(found, _)| found == line.line.at);
    if is_marked {
        clear(buf, area, theme.selection);
    }
    if let Some(number) = line.number {
        let style = if is_found { theme.accent } else { theme.dim };
        put(buf, area, &format!("{:>1$}", number + 1, gutter - 1), style);
    }
    let mut rest = after(area, u16::try_from(gutter).unwrap_or(u16::MAX));
    if line.part.start == 0 && line.line.before > 0 {
        put(
            buf,
            after(area, u16::try_from(gutter - 1).unwrap_or(u16::MAX)),
            "…",
            theme.accent,
        );
    }
    let found: Vec<_> = match &output.search.needle {
        Some(needle) => needle.places(&line.shown.text).collect(),
        None => Vec::new(),
    };
    let mut from = line.part.start;
    for (text, ink) in line.shown.pieces(line.part.clone()) {
        let mut at = 0;
        for place in &found {
            let start = place.start.clamp(from + at, from + text.len()) - from;
            let end = place.end.clamp(from + start, from + text.len()) - from;
            for (part, is_sought) in [(&text[at..start], false), (&text[start..end], true)] {
                let base = printed(theme, ink);
                let style = match (is_sought, is_marked) {
                    (true, _) => base.patch(theme.found),
                    (false, true) => base.patch(theme.selection),
                    (false, false) => base,
                };
                let used = put(buf, rest, part, style);
                rest = after(rest, used);
            }
            at = end;
        }
        let base = printed(theme, ink);
        let style = if is_marked { base.patch(theme.selection) } else { base };
        let used = put(buf, rest, &text[at..], style);
        rest = after(rest, used);
        from += text.len();
    }
    if line.is_last && line.line.after > 0 {
        let left = format!("… {} more of this line", bytes::in_words(line.line.after));
        match rest.width {
            0 => drop(put_right(buf, area, "…", theme.accent)),
            _ => drop(put(buf, rest, &left, theme.accent)),
        }
    } else if !output.is_wrapped && line.part.end < line.shown.text.len() {
        put_right(buf, area, "›", theme.accent);
    }
}

/// Where what is seen ends.
/// How far down one is: the last row that is seen.
fn place_in_words(output: &Output, last: Option<&OutputRow>) -> String {
    let window = &output.window;
    let seen = output.last_byte(last);
    let percent = (seen * 100).checked_div(window.whole).unwrap_or(100);
    let lines = match (last.and_then(|row| window.number_at(row.line.at)), output.lines) {
        (Some(number), Some(lines)) => format!("line {} of {lines}", number + 1),
        (_, None) if !window.is_empty() => "counting lines…".into(),
        (_, Some(1)) => "1 line".into(),
        (_, Some(lines)) => format!("{lines} lines"),
        (_, None) => String::new(),
    };
    let cut = match output.of.cut {
        Some(Cut::Cli) => " · cut by the CLI",
        Some(Cut::Parlour) => " · the rest was too long to keep",
        None => "",
    };
    format!(" {lines} · {percent} % of {}{cut} ", bytes::in_words(window.whole))
}

/// What is typed, or what came of the last key.
fn draw_asked(scene: &Scene, output: &Output, area: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let area = after(area, 1);
    if let Some((what, field)) = &output.typing {
        let before = match what {
            TypedFor::Search => " /",
            TypedFor::Line => " line ",
            TypedFor::Save => " save as ",
        };
        clear(buf, area, scene.theme.text);
        let used = put(buf, area, before, scene.theme.accent);
        let typed = Typed {
            area: after(area, used),
            placeholder: "",
            focused: true,
        };
        return field::draw(field, &typed, scene.theme, buf);
    }
    let (text, style) = match (&output.said, output.is_reading(), output.marked) {
        (Some(said), ..) => (format!(" {said} "), scene.theme.waiting),
        (None, true, _) if !output.window.is_empty() => (" reading… ".into(), scene.theme.dim),
        (None, _, Some(_)) => (" y copies what is selected ".into(), scene.theme.accent),
        (None, ..) if !output.search.words.is_empty() => (format!(" /{} ", output.search.words), scene.theme.accent),
        (None, ..) => return None,
    };
    put(buf, area, &text, style);
    None
}
