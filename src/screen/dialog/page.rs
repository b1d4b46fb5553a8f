//! Something to read: keys that scroll it.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use super::super::hint::Hint;
use super::super::scrollbar::{Extent, ScrollBar};
use super::place;
use super::tables::{PAGE, PageKey};
use super::wish::Reply;

/// Scrolls by a key. At most `most` lines are scrolled away, and `seen` are seen at once.
pub fn press(at: &mut usize, key: KeyEvent, most: usize, seen: usize) -> Reply {
    *at = match PAGE.command(key) {
        Some(PageKey::Close) => return Reply::Close,
        Some(PageKey::Up) => at.saturating_sub(1),
        Some(PageKey::Down) => *at + 1,
        Some(PageKey::PageUp) => at.saturating_sub(seen),
        Some(PageKey::PageDown) => *at + seen,
        Some(PageKey::First) => 0,
        Some(PageKey::Last) => most,
        None => *at,
    }
    .min(most);
    Reply::Stay
}

/// Beside a page in the middle of so many lines.
pub fn bar(whole: Rect, scroll: usize, all: usize) -> ScrollBar {
    let (area, inside) = place::page(whole, all);
    let seen = usize::from(inside.height);
    let first = scroll.min(all.saturating_sub(seen));
    ScrollBar::on_frame(area, inside, Extent { first, seen, all })
}

pub fn hints() -> Vec<Hint> {
    vec![
        PAGE.hint(&[PageKey::Close], "close"),
        PAGE.hint(&[PageKey::Up, PageKey::Down], "scroll"),
        PAGE.hint(&[PageKey::PageDown], "page"),
        PAGE.hint(&[PageKey::First, PageKey::Last], "ends"),
    ]
}
