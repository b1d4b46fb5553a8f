//! After the leader: the commands and their keys, above the last row.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::widgets::{Block, BorderType, Borders, Widget};

use crate::screen::keymap::{Action, ScreenAction};
use crate::screen::layout::Layout;
use crate::screen::surface::Surface;
use crate::screen::wrap::width;

use super::scene::Scene;
use super::text::{after, below, clear, put, row, up_to};

/// A key and two words.
const COLUMN: u16 = 22;
/// Columns before the words: the key, at the right, and a space.
const KEY: u16 = 7;

pub fn draw(scene: &Scene, layout: &Layout, buf: &mut Buffer) {
    let keymap = &scene.state.keymap;
    let commands = Surface::Leader.tables().flat_map(|table| table.commands());
    let listed = commands.filter(|command| command.command != Action::Screen(ScreenAction::HowToLeave));
    let mut entries: Vec<(String, &str)> = listed
        .map(|command| (keymap.key_at(Surface::Leader, command.command), command.short))
        .collect();
    entries.retain(|(key, _)| !key.is_empty());
    let whole = Rect {
        height: layout.whole.height - layout.foot.height,
        ..layout.whole
    };
    let (wide, fits) = (whole.width.saturating_sub(4), whole.height.saturating_sub(2).max(1));
    let needed = u16::try_from(entries.len().div_ceil(fits.into())).unwrap_or(u16::MAX);
    let columns = (wide / COLUMN).max(needed).max(1);
    let rows = entries.len().div_ceil(columns.into());
    let widths = widths(&entries, rows, wide);
    let high = u16::try_from(rows + 2).unwrap_or(u16::MAX).min(whole.height);
    let area = below(whole, usize::from(whole.height - high));
    clear(buf, area, scene.theme.background.patch(scene.theme.text));
    let title = " Commands ";
    Block::new()
        .borders(Borders::ALL)
        .border_type(BorderType::Rounded)
        .border_style(scene.theme.focus)
        .title(title)
        .title_style(scene.theme.accent)
        .render(area, buf);
    let inside = area.inner(Margin::new(2, 1));
    // Down the columns, as one reads a menu.
    for (at, (key, words)) in entries.iter().enumerate() {
        let column = at / rows.max(1);
        let (keys, wide) = widths[column];
        let from: u16 = widths[..column].iter().map(|(_, wide)| wide).sum();
        let line = row(after(inside, from), at % rows.max(1));
        let line = up_to(line, wide.saturating_sub(1));
        let pad = keys.saturating_sub(u16::try_from(width(key)).unwrap_or(keys));
        put(buf, after(line, pad), key, scene.theme.key);
        put(buf, after(line, keys + 1), words, scene.theme.text);
    }
}

/// Columns of the keys of each column, and of the whole of it: all as wide where there is room, else each as wide as what
/// is in it. Words are cut before a command is left out.
fn widths(entries: &[(String, &str)], rows: usize, room: u16) -> Vec<(u16, u16)> {
    let cells = |widths: &mut dyn Iterator<Item = usize>| u16::try_from(widths.max().unwrap_or(0)).unwrap_or(u16::MAX);
    let columns = entries.chunks(rows.max(1)).map(|column| {
        let keys = cells(&mut column.iter().map(|(key, _)| width(key)));
        let words = cells(&mut column.iter().map(|(_, words)| width(words)));
        (keys, keys.saturating_add(words).saturating_add(2))
    });
    let mut columns: Vec<(u16, u16)> = columns.collect();
    let count = u16::try_from(columns.len()).unwrap_or(u16::MAX).max(1);
    let each = COLUMN.min(room / count);
    if columns.iter().all(|(keys, wide)| KEY + wide - keys <= each + 1) {
        return vec![(KEY - 1, each); columns.len()];
    }
    // Nothing stands behind the last one.
    let needed = columns.iter().map(|(_, wide)| wide).sum::<u16>().saturating_sub(1);
    for _ in room..needed {
        // The longest words lose a letter.
        let longest = columns.iter_mut().max_by_key(|(keys, wide)| *wide - (*keys).min(*wide));
        if let Some((_, wide)) = longest {
            *wide = wide.saturating_sub(1);
        }
    }
    columns
}
