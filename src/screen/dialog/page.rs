//! Something to read: keys that scroll it.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use super::super::hint::Hint;
use super::super::scrollbar::{Extent, ScrollBar};
use super::place::{self, PlacedPage};
use super::tables::{MoveKey, PAGE, PageKey};
use super::wish::Reply;

/// Scrolls by a key. At most `most` lines are scrolled away, and `seen` are seen at once.
pub fn press(at: &mut usize, key: KeyEvent, most: usize, seen: usize) -> Reply {
    match PAGE.command(key) {
        Some(PageKey::Close) => return Reply::Close,
        Some(PageKey::Move(key)) => *at = key.go(*at, most, seen).min(most),
        None => *at = (*at).min(most),
    }
    Reply::Stay
}

/// Beside a page in the middle of so many lines.
pub fn bar(whole: Rect, scroll: usize, all: usize) -> ScrollBar {
    let PlacedPage { area, inside } = place::page(whole, all);
    let seen = usize::from(inside.height);
    let first = scroll.min(all.saturating_sub(seen));
    ScrollBar::on_frame(area, inside, Extent { first, seen, all })
}

pub fn hints() -> Vec<Hint> {
    vec![
        PAGE.hint(&[PageKey::Close], "close").way_out(),
        PAGE.hint(&[MoveKey::Up, MoveKey::Down].map(PageKey::Move), "scroll"),
        PAGE.hint(&[PageKey::Move(MoveKey::PageDown)], "page"),
        PAGE.hint(&[MoveKey::First, MoveKey::Last].map(PageKey::Move), "ends"),
    ]
}
