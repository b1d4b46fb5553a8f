//! Where the commands behind the leader stand: in columns, down which one reads, and in pages where not all have room.

use crossterm::event::KeyEvent;
use ratatui::layout::{Margin, Rect};

use super::keymap::{Action, Keymap, ScreenAction, shown};
use super::layout::holds;
use super::surface::Surface;
use super::wrap::width;

/// A key and two words.
const COLUMN: u16 = 22;
/// Columns before the words where all are as wide: the key, at the right, and a space.
const KEY: u16 = 7;

/// A key, and what it does in two words.
#[derive(Clone)]
pub struct MenuEntry {
    pub key: KeyEvent,
    pub label: String,
    pub words: &'static str,
}

pub struct LeaderMenu {
    pub area: Rect,
    /// Those of the page that is seen.
    pub columns: Vec<MenuColumn>,
    pub page: usize,
    pub pages: usize,
}

/// Entries below each other.
pub struct MenuColumn {
    pub at: Rect,
    /// The cells of its keys, which stand at the right of them.
    pub keys: u16,
    pub entries: Vec<MenuEntry>,
}

/// On the screen above the last row. Pages go round.
pub fn place(keymap: &Keymap, whole: Rect, page: usize) -> LeaderMenu {
    let entries = entries(keymap);
    let (room, high) = (whole.width.saturating_sub(4), whole.height.saturating_sub(2).max(1));
    let needed = u16::try_from(entries.len().div_ceil(high.into())).unwrap_or(u16::MAX);
    let columns = (room / COLUMN).max(needed).max(1);
    let rows = entries.len().div_ceil(columns.into()).max(1);
    let columns: Vec<Vec<MenuEntry>> = entries.chunks(rows).map(<[MenuEntry]>::to_vec).collect();
    let pages = pages(&columns, room);
    let page = page % pages.len().max(1);
    let high = u16::try_from(rows + 2).unwrap_or(u16::MAX).min(whole.height);
    let area = Rect {
        y: whole.bottom() - high,
        height: high,
        ..whole
    };
    let inside = area.inner(Margin::new(2, 1));
    let before: usize = pages.iter().take(page).map(Vec::len).sum();
    let mut x = inside.x;
    let widths = pages.get(page).map(Vec::as_slice).unwrap_or_default();
    let seen = columns.into_iter().skip(before).zip(widths);
    let placed = seen.map(|(entries, (keys, wide))| {
        let at = Rect {
            x,
            width: wide.saturating_sub(1).min(inside.right().saturating_sub(x)),
            ..inside
        };
        x = x.saturating_add(*wide);
        MenuColumn {
            at,
            keys: *keys,
            entries,
        }
    });
    LeaderMenu {
        area,
        columns: placed.collect(),
        page,
        pages: pages.len().max(1),
    }
}

fn entries(keymap: &Keymap) -> Vec<MenuEntry> {
    let commands = Surface::Leader.tables().flat_map(|table| table.commands());
    let listed = commands.filter(|command| command.command != Action::Screen(ScreenAction::HowToLeave));
    let entries = listed.filter_map(|command| {
        let key = keymap.keys_at(Surface::Leader, command.command).next()?;
        Some(MenuEntry {
            key,
            label: shown(key),
            words: command.short,
        })
    });
    entries.collect()
}

impl LeaderMenu {
    /// The key of the entry that is seen at this place.
    pub fn key_at(&self, x: u16, y: u16) -> Option<KeyEvent> {
        let column = self.columns.iter().find(|column| holds(column.at, x, y))?;
        let entry = column.entries.get(usize::from(y - column.at.y))?;
        Some(entry.key)
    }
}

/// The cells of the keys of each column, and of the whole of it, by pages: all columns as wide where there is room, else each
/// as wide as what is in it. What has no room then stands on another page, whole.
fn pages(columns: &[Vec<MenuEntry>], room: u16) -> Vec<Vec<(u16, u16)>> {
    let cells = |widths: &mut dyn Iterator<Item = usize>| u16::try_from(widths.max().unwrap_or(0)).unwrap_or(u16::MAX);
    let natural = columns.iter().map(|column| {
        let keys = cells(&mut column.iter().map(|entry| width(&entry.label)));
        let words = cells(&mut column.iter().map(|entry| width(entry.words)));
        (keys, keys.saturating_add(words).saturating_add(2))
    });
    let natural: Vec<(u16, u16)> = natural.collect();
    let count = u16::try_from(natural.len()).unwrap_or(u16::MAX).max(1);
    let each = COLUMN.min(room / count);
    if natural.iter().all(|(keys, wide)| KEY + wide - keys <= each + 1) {
        return vec![vec![(KEY - 1, each); natural.len()]];
    }
    let mut pages: Vec<Vec<(u16, u16)>> = Vec::new();
    let mut used = 0;
    for (keys, wide) in natural {
        // Nothing stands behind the last one.
        match pages.last_mut() {
            Some(page) if used + wide - 1 <= room => page.push((keys, wide)),
            Some(_) | None => {
                pages.push(vec![(keys, wide)]);
                used = 0;
            }
        }
        used += wide;
    }
    pages
}
