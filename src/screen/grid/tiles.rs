//! Where the chats of a grid stand on the screen.

use ratatui::layout::Rect;

use crate::domain::event::Size;
use crate::model::ChatId;

use super::super::view::View;

/// Less of a screen is not read.
const NARROWEST: u16 = 50;
const LOWEST: u16 = 10;

/// A chat's place: a row that names it, and its screen below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    pub chat: ChatId,
    /// Its place in the grid, from 1 on.
    pub place: usize,
    pub title: Rect,
    pub pane: Rect,
}

/// The tiles of the grid that is shown, as many as there is room for: those around the selected one.
pub fn tiles(view: &View) -> Vec<Tile> {
    let Some(grid) = view.shown_grid() else {
        return Vec::new();
    };
    let body = body(view.size);
    let (across, down) = shape(grid.chats.len(), body);
    let page = across * down;
    let selected = grid.chats.iter().position(|chat| Some(chat) == view.chat.as_ref());
    let first = selected.unwrap_or(0) / page * page;
    let on_page = grid.chats.iter().enumerate().skip(first).take(page);
    let cell = |at: usize| {
        let (column, line) = (at % across, at / across);
        let cut = |all: u16, parts: usize, part: usize| {
            let at = |part: usize| u16::try_from(usize::from(all) * part / parts).unwrap_or(all);
            (at(part), at(part + 1) - at(part))
        };
        let (x, wide) = cut(body.width, across, column);
        let (y, high) = cut(body.height, down, line);
        // A line stands between columns.
        let gap = u16::from(column + 1 < across);
        Rect::new(body.x + x, body.y + y, wide.saturating_sub(gap), high)
    };
    on_page
        .map(|(at, chat)| {
            let area = cell(at - first);
            Tile {
                chat: chat.clone(),
                place: at + 1,
                title: Rect {
                    height: area.height.min(1),
                    ..area
                },
                pane: Rect {
                    y: area.y + area.height.min(1),
                    height: area.height.saturating_sub(1),
                    ..area
                },
            }
        })
        .collect()
}

/// From one tile to another on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileWay {
    Left,
    Right,
    Up,
    Down,
}

/// The chat whose tile stands next to the selected one on that side.
pub fn beside(view: &View, way: TileWay) -> Option<ChatId> {
    let tiles = tiles(view);
    let here = tiles.iter().find(|tile| Some(&tile.chat) == view.chat.as_ref())?.title;
    let is_there = |tile: &&Tile| {
        let there = tile.title;
        match way {
            TileWay::Left => there.y == here.y && there.x < here.x,
            TileWay::Right => there.y == here.y && there.x > here.x,
            TileWay::Up => there.x == here.x && there.y < here.y,
            TileWay::Down => there.x == here.x && there.y > here.y,
        }
    };
    let far = |tile: &&Tile| tile.title.x.abs_diff(here.x) + tile.title.y.abs_diff(here.y);
    let next = tiles.iter().filter(is_there).min_by_key(far)?;
    Some(next.chat.clone())
}

/// How many stand beside and below each other: as large as they can be, in the shape of a terminal.
fn shape(count: usize, body: Rect) -> (usize, usize) {
    let most = |all: u16, least: u16| usize::from(all / least).max(1);
    let (most_across, most_down) = (most(body.width, NARROWEST), most(body.height, LOWEST));
    let shapes = (1..=most_across).map(|across| (across, count.div_ceil(across).clamp(1, most_down)));
    let size = |(across, down): &(usize, usize)| {
        let (wide, high) = (usize::from(body.width) / across, usize::from(body.height) / down);
        // What is seen at once counts first.
        (across * down >= count, (wide * 3).min(high * 10), across * down)
    };
    shapes.max_by_key(size).unwrap_or((1, 1))
}

/// All but the last row.
pub fn body(size: Size) -> Rect {
    Rect::new(0, 0, size.cols, size.rows - u16::from(size.rows >= 3))
}

/// Terminals in sight beside the selected one, and their sizes.
pub fn others(view: &View) -> Vec<(ChatId, Size)> {
    let tiles = tiles(view)
        .into_iter()
        .filter(|tile| Some(&tile.chat) != view.chat.as_ref());
    let size = |pane: Rect| Size {
        cols: pane.width,
        rows: pane.height,
    };
    tiles.map(|tile| (tile.chat, size(tile.pane))).collect()
}
