//! Toasts, at the right below the tabs, newest last. Where they would lie over an open dialog, the newest stands in the last
//! row: what is asked stays readable.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::screen::foot;
use crate::screen::layout::Layout;
use crate::screen::view::{Toast, Tone};
use crate::screen::wrap::{width, wrap};

use super::scene::Scene;
use super::text::{after, clear, put, row, shown};

const WIDEST: u16 = 56;
/// Narrower than this a toast is too high.
const SLIMMEST: u16 = 40;
const LINES: u16 = 4;

/// A toast with its place.
struct PlacedToast<'t> {
    toast: &'t Toast,
    lines: Vec<String>,
    area: Rect,
}

/// The smallest area in which all lies that differs: what a dialog was drawn over.
pub fn drawn_over(behind: &Buffer, buf: &Buffer) -> Rect {
    let differ = behind.content.iter().zip(&buf.content).enumerate();
    let places = differ.filter(|(_, (before, now))| before != now);
    let area = places.fold(None, |area: Option<Rect>, (at, _)| {
        let (x, y) = buf.pos_of(at);
        let cell = Rect::new(x, y, 1, 1);
        Some(area.map_or(cell, |area| area.union(cell)))
    });
    area.unwrap_or_default()
}

/// `covered` is where an open dialog stands.
pub fn draw(scene: &Scene, layout: &Layout, covered: Rect, buf: &mut Buffer) {
    let placed = place(&scene.view.over.toasts, layout);
    if placed.iter().any(|placed| placed.area.intersects(covered)) {
        return draw_in_a_row(scene, layout.foot, buf);
    }
    for PlacedToast { toast, lines, area } in placed {
        let (style, sign) = look(scene, toast);
        clear(buf, area, style);
        put(buf, after(area, 1), sign, style);
        for (at, line) in lines.iter().enumerate() {
            put(buf, after(row(area, at), 3), line, style);
        }
    }
}

/// As many as there is room for. Beside a sidebar, and over what is read the longest.
fn place<'t>(toasts: &'t [Toast], layout: &Layout) -> Vec<PlacedToast<'t>> {
    let whole = layout.whole;
    let beside = whole.right().saturating_sub(layout.free.x).max(SLIMMEST);
    let (mut top, mut placed) = (layout.rule.bottom().max(1), Vec::new());
    for toast in toasts {
        let most = whole.width.saturating_sub(2).min(beside).min(WIDEST).saturating_sub(4);
        let mut lines = wrap(&shown(&toast.text), most.into());
        let most_lines = usize::from(LINES.max(whole.height / 4));
        if lines.len() > most_lines {
            lines.truncate(most_lines);
            if let Some(last) = lines.last_mut() {
                last.push('…');
            }
        }
        let wide = lines.iter().map(|line| width(line)).max().unwrap_or(0);
        let wide = u16::try_from(wide + 4).unwrap_or(WIDEST).min(whole.width);
        let high = u16::try_from(lines.len()).unwrap_or(1);
        if top + high > whole.height {
            break;
        }
        let area = Rect {
            x: whole.right() - wide,
            y: top,
            width: wide,
            height: high,
        };
        placed.push(PlacedToast { toast, lines, area });
        top += high;
    }
    // Below each other they are one block.
    let widest = placed.iter().map(|placed| placed.area.width).max().unwrap_or(0);
    for placed in &mut placed {
        (placed.area.x, placed.area.width) = (whole.right() - widest, widest);
    }
    placed
}

/// The newest, at the right end of the last row. What was told before the dialog is left out: its keys stand there.
fn draw_in_a_row(scene: &Scene, foot: Rect, buf: &mut Buffer) {
    let opened = scene.view.over.guard.dialog_since();
    let newest = scene.view.over.toasts.last();
    let Some(toast) = newest.filter(|toast| opened.is_none_or(|opened| toast.since >= opened)) else {
        return;
    };
    let (style, sign) = look(scene, toast);
    let text = shown(&toast.text);
    let wide = u16::try_from(width(&text) + 4).unwrap_or(u16::MAX).min(foot.width);
    let area = Rect {
        x: foot.right() - wide,
        width: wide,
        ..foot
    };
    // Of a hint that would be cut off nothing is left.
    let hints = foot::arrange(scene.state, scene.view).hints;
    let cut = hints
        .iter()
        .find(|(_, place)| place.x < area.x && area.x < place.right());
    if let Some((_, place)) = cut {
        let under = Rect {
            width: area.x - place.x,
            ..*place
        };
        clear(buf, under, scene.theme.background.patch(scene.theme.text));
    }
    clear(buf, area, style);
    put(buf, after(area, 1), sign, style);
    put(buf, after(area, 3), &text, style);
}

fn look(scene: &Scene, toast: &Toast) -> (Style, &'static str) {
    match toast.tone {
        Tone::Told => (scene.theme.toast.info, "·"),
        Tone::Failed => (scene.theme.toast.error, "✗"),
    }
}
