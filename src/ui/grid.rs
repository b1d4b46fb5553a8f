//! The grid: what its tiles show beside the one that is typed into.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::chat as chats;
use crate::model::PaneId;
use crate::screen::grid::tiles::{Tile, tiles};
use crate::screen::reading::Reading;
use crate::screen::view::Mode;
use crate::screen::{header as places, layout, numbers};

use super::header::project;
use super::scene::Scene;
use super::sign;
use super::terminal::{self, BareScreen};
use super::text::{after, but_last, put, put_right};

pub fn draw(scene: &Scene, buf: &mut Buffer) {
    let tiles = tiles(scene.view);
    for tile in &tiles {
        draw_title(scene, tile, buf);
        if Some(&tile.chat) != scene.view.chat.as_ref() {
            draw_screen(scene, tile, buf);
        }
    }
    for tile in &tiles {
        draw_edge(scene, tile, buf);
    }
}

/// The line at its right.
fn draw_edge(scene: &Scene, tile: &Tile, buf: &mut Buffer) {
    for y in tile.title.top()..tile.pane.bottom() {
        let at = (tile.title.right(), y);
        if let Some(cell) = buf.cell_mut(at).filter(|_| at.0 < scene.view.size.cols) {
            cell.set_symbol("│").set_style(scene.theme.border);
        }
    }
}

/// `1 ● Fix auth bug  grove · feature-auth      running: Bash`
fn draw_title(scene: &Scene, tile: &Tile, buf: &mut Buffer) {
    let Some(chat) = scene.state.domain.disk.chats.get(&tile.chat) else {
        return;
    };
    let theme = scene.theme;
    let is_selected = scene.view.chat.as_ref() == Some(&tile.chat);
    let ground = match (is_selected, scene.view.mode) {
        (true, Mode::Agent) => theme.mode.agent,
        (true, Mode::Outside) => theme.selection,
        (false, _) => Style::new(),
    };
    let over = |style: Style| match is_selected {
        true => ground,
        false => style,
    };
    buf.set_style(tile.title.intersection(buf.area), ground);
    let sign = sign::of(scene.state, &tile.chat, theme);
    let mut area = tile.title;
    let all = scene.view.shown_grid().map_or(0, |grid| grid.chats.len());
    // The key that leads to it, as in the list.
    let number = numbers::of(scene.state, &tile.chat).map(|number| format!(" {number}"));
    area = after(
        area,
        put(buf, area, number.as_deref().unwrap_or_default(), over(theme.dim)),
    );
    let place = match tiles(scene.view).len() < all {
        true => format!(" ({} of {all}) ", tile.place),
        false => " ".into(),
    };
    area = after(area, put(buf, area, &place, over(theme.dim)));
    area = after(area, put(buf, area, sign.shape, over(sign.style)) + 1);
    let asks = match places::alone(scene.state, chat) {
        Some(places::Alone::Calls(what)) => what,
        Some(places::Alone::Queue(_)) | None => sign.word.into(),
    };
    let half = after(area, area.width / 2);
    let rest = put_right(buf, but_last(half, 1), &asks, over(sign.style));
    area.width = (area.width / 2 + rest.width).saturating_sub(1);
    area = after(
        area,
        put(buf, area, chats::label(&scene.state.domain, chat), over(theme.header)) + 2,
    );
    let place = chat.projects.first().map(project).unwrap_or_default();
    put(buf, area, &place, over(theme.dim));
}

fn draw_screen(scene: &Scene, tile: &Tile, buf: &mut Buffer) {
    let screen = scene.state.domain.live.screen(&PaneId::Agent(tile.chat.clone()));
    let Some(screen) = screen else {
        let words = sign::in_words(scene.state, &tile.chat, scene.theme);
        let middle = Rect {
            y: tile.pane.y + tile.pane.height / 2,
            height: tile.pane.height.min(1),
            ..tile.pane
        };
        put(buf, after(middle, 2), &words, scene.theme.dim);
        return;
    };
    let reading = Reading::default();
    let area = tile.pane.intersection(buf.area);
    let bare = BareScreen {
        screen: screen.clone(),
        area,
        crop: layout::crop(screen, area, &reading),
        focused: false,
    };
    terminal::draw(&bare, &reading, scene.theme, buf);
}
