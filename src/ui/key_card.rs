//! The keys of a dialog, over it: each table of it below its heading.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::dialog::key_card::{self, KeyCardLine};
use crate::screen::dialog::place::{self, PlacedPage};
use crate::screen::dialog::{Dialog, KeyCard};

use super::dialog::draw_frame;
use super::scene::Scene;
use super::scrollbar;
use super::text::{after, put, row};

/// Between the keys and what they do.
const GAP: usize = 2;

pub fn draw(scene: &Scene, card: &KeyCard, open: &Dialog, whole: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let lines = key_card::lines(open.contract());
    let PlacedPage { area, inside } = place::page(whole, lines.len());
    draw_frame(scene, area, "Keys of this dialog", buf);
    let high = usize::from(inside.height);
    let columns = key_card::key_columns(&lines) + GAP;
    let first = card.scroll.min(lines.len().saturating_sub(high));
    for (at, line) in lines.iter().skip(first).take(high).enumerate() {
        let area = row(inside, at);
        match line {
            KeyCardLine::Heading(words) => _ = put(buf, area, words, theme.header),
            KeyCardLine::Key { keys, title } => {
                let used = usize::from(put(buf, area, keys, theme.key));
                let indent = u16::try_from(columns.max(used + GAP)).unwrap_or(u16::MAX);
                put(buf, after(area, indent), title, theme.text);
            }
            KeyCardLine::Gap => {}
        }
    }
    scrollbar::draw(scene, &card.bar(open.contract(), whole), buf);
}
