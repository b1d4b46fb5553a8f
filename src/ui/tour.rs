//! A step of the tour: what it is about stays as it is, all else steps back.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

use crate::screen::dialog::tables::{TOUR, TourKey};
use crate::screen::dialog::{Tour, TourSight};
use crate::screen::tour::{beside, target};
use crate::screen::wrap::wrap;

use super::dialog::draw_frame;
use super::scene::Scene;
use super::text::{inset, put, row};
use super::veil;

/// Instead of the veil of other dialogs.
pub fn veil(scene: &Scene, tour: &Tour, whole: Rect, buf: &mut Buffer) {
    let shown = target(scene.view, tour.place()).unwrap_or_default();
    let shown = shown.intersection(buf.area);
    let kept: Vec<Cell> = shown.positions().map(|at| buf[at].clone()).collect();
    veil::draw(scene.theme, whole, buf);
    for (at, cell) in shown.positions().zip(kept) {
        buf[at] = cell;
    }
}

pub fn draw(scene: &Scene, tour: &Tour, whole: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let about = target(scene.view, tour.place());
    let area = beside(about, whole);
    draw_frame(scene, area, &tour.title(), buf);
    let inside = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(2),
        ..inset(area, 2)
    };
    let sight = match about {
        Some(_) => TourSight::Shown,
        None => TourSight::Hidden,
    };
    let (headline, words) = tour.words(&scene.state.keymap, sight);
    put(buf, row(inside, 0), headline, theme.header);
    let last = usize::from(inside.height.saturating_sub(1));
    for (at, line) in wrap(&words, inside.width.into())
        .iter()
        .enumerate()
        .take(last.saturating_sub(1))
    {
        put(buf, row(inside, at + 1), line, theme.text);
    }
    let key = |key: TourKey| TOUR.key(key);
    let keys = format!(
        "{} {} · {} leave",
        key(TourKey::Next),
        tour.next_word(),
        key(TourKey::Leave)
    );
    put(buf, row(inside, last), &keys, theme.dim);
    if let Some(about) = about {
        draw_pointer(scene, about, area, buf);
    }
}

/// At the side of the box where what it is about lies.
fn draw_pointer(scene: &Scene, about: Rect, area: Rect, buf: &mut Buffer) {
    let (x, y) = (area.x + area.width / 2, area.y + area.height / 2);
    let at = match () {
        () if about.right() <= area.x => Some((area.x, y, "◀")),
        () if about.x >= area.right() => Some((area.right() - 1, y, "▶")),
        () if about.bottom() <= area.y => Some((x, area.y, "▲")),
        () if about.y >= area.bottom() => Some((x, area.bottom() - 1, "▼")),
        () => None,
    };
    if let Some((x, y, sign)) = at {
        let cell = Rect::new(x, y, 1, 1);
        put(buf, cell, sign, scene.theme.accent);
    }
}
