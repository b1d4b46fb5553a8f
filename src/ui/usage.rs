//! What agents used: a page of tables.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use crate::config::theme::Theme;
use crate::model::usage::{TokenCount, short};
use crate::screen::dialog::UsagePage;
use crate::screen::usage::{UsageCells, UsageLine};
use crate::screen::wrap::width;

use super::dialog::draw_frame;
use super::scene::Scene;
use super::text::{after, but_last, put, put_right, row, shown, up_to};

/// The width of a column of figures, with the gap before it.
const FIGURE: u16 = 8;
const COST: u16 = 15;
/// What a label keeps, however narrow it is.
const LABEL: u16 = 22;
const NAME: u16 = 15;
const BAR: u16 = 20;

pub fn draw(scene: &Scene, page: &UsagePage, whole: Rect, buf: &mut Buffer) {
    draw_frame(scene, whole, "Usage", buf);
    for placed in page.tabs(whole) {
        let style = match placed.tab == page.tab {
            true => scene.theme.accent.add_modifier(Modifier::BOLD),
            false => scene.theme.dim,
        };
        put(buf, placed.area, &placed.words, style);
    }
    let body = UsagePage::body(whole);
    let most = page.lines.len().saturating_sub(body.height.into());
    let first = page.scroll.min(most);
    draw_lines(scene.theme, &page.lines[first..], body, buf);
}

/// As many of the lines as fit, a row each. Whatever shows the usage of a chat draws it by this.
pub fn draw_lines(theme: &Theme, lines: &[UsageLine], area: Rect, buf: &mut Buffer) {
    // A figure far from its name belongs to nothing.
    let area = up_to(area, WIDEST);
    for (at, line) in lines.iter().enumerate().take(area.height.into()) {
        let place = row(area, at);
        match line {
            UsageLine::Heading(text) => drop(put(buf, place, text, theme.header)),
            UsageLine::Head(label) => draw_head(theme, label, place, buf),
            UsageLine::Row(cells) => draw_row(theme, cells, place, buf),
            UsageLine::Fact(name, words, full) => draw_fact(theme, (name, words, *full), place, buf),
            UsageLine::Words(words) => drop(put(buf, place, words, theme.dim)),
            UsageLine::Gap => {}
        }
    }
}

const WIDEST: u16 = 110;

/// The heading of a column, and what stands in it.
type Figure = (&'static str, fn(&TokenCount) -> u64);

/// The columns of figures that there is room for, the last one first: the cost, the sum, then the kinds.
fn columns(wide: u16) -> Vec<Figure> {
    let all: [Figure; 5] = [
        ("TOKENS", TokenCount::total),
        ("OUT", |tokens| tokens.output),
        ("IN", |tokens| tokens.input),
        ("WRITTEN", |tokens| tokens.cache_write),
        ("CACHED", |tokens| tokens.cache_read),
    ];
    let room = usize::from(wide.saturating_sub(LABEL + COST) / FIGURE);
    match room {
        // The kinds of a cache come together or not at all.
        0..3 => all[..1].to_vec(),
        3..5 => all[..3].to_vec(),
        5.. => all.to_vec(),
    }
}

fn draw_head(theme: &Theme, label: &str, area: Rect, buf: &mut Buffer) {
    put_right(buf, area, "COST", theme.dim);
    let mut rest = but_last(area, COST);
    for (name, _) in columns(area.width) {
        put_right(buf, rest, name, theme.dim);
        rest = but_last(rest, FIGURE);
    }
    put(buf, rest, label, theme.dim);
}

fn draw_row(theme: &Theme, cells: &UsageCells, area: Rect, buf: &mut Buffer) {
    let plain = if cells.is_sum { theme.header } else { theme.text };
    let cost = if cells.cost.ends_with("unknown") {
        theme.waiting
    } else {
        plain
    };
    put_right(buf, area, &cells.cost, cost);
    let mut rest = but_last(area, COST);
    for (_, figure) in columns(area.width) {
        put_right(buf, rest, &short(figure(&cells.tokens)), plain);
        rest = but_last(rest, FIGURE);
    }
    let note = u16::try_from(width(&shown(&cells.note))).unwrap_or(0);
    let label = but_last(rest, if note > 0 { note + 2 } else { 0 });
    let used = put(buf, label, &cells.label, plain);
    if note > 0 {
        put(buf, after(rest, used + 2), &cells.note, theme.dim);
    }
}

fn draw_fact(theme: &Theme, (name, words, full): (&str, &str, Option<u64>), area: Rect, buf: &mut Buffer) {
    put(buf, area, name, theme.dim);
    let rest = after(area, NAME);
    let used = put(buf, rest, words, theme.text);
    let room = after(rest, used + 2);
    if let Some(percent) = full.filter(|_| room.width >= BAR) {
        let filled = u16::try_from(percent * u64::from(BAR) / 100).unwrap_or(BAR).min(BAR);
        let style = match percent {
            95.. => theme.failed,
            80.. => theme.waiting,
            _ => theme.accent,
        };
        put(buf, room, &"█".repeat(filled.into()), style);
        put(buf, after(room, filled), &"░".repeat((BAR - filled).into()), theme.dim);
    }
}
