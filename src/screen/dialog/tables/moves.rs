//! What moves in a dialog: through a list, or through a text. In all dialogs of a kind the same keys do it.

use super::super::super::keymap::{KeyLine, bind};

/// What moves the cursor of a list, or scrolls a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKey {
    Up,
    Down,
    PageUp,
    PageDown,
    HalfUp,
    HalfDown,
    First,
    Last,
}

impl MoveKey {
    /// Where it leads from a row of a list with this last row, of which a page shows so many; the same for the first row
    /// that is seen of a text.
    pub fn go(self, at: usize, last: usize, page: usize) -> usize {
        match self {
            MoveKey::Up => at.saturating_sub(1),
            MoveKey::Down => (at + 1).min(last),
            MoveKey::PageUp => at.saturating_sub(page),
            MoveKey::PageDown => (at + page).min(last),
            MoveKey::HalfUp => at.saturating_sub((page / 2).max(1)),
            MoveKey::HalfDown => (at + (page / 2).max(1)).min(last),
            MoveKey::First => 0,
            MoveKey::Last => last,
        }
    }
}

/// The lines of a table that move.
pub(super) type MoveLines = [KeyLine<MoveKey>];

/// Half a page, where no text is typed.
pub(super) const HALF_UP: KeyLine<MoveKey> = bind(MoveKey::HalfUp, &["ctrl+u"], "Half a page up", "half up");
pub(super) const HALF_DOWN: KeyLine<MoveKey> = bind(MoveKey::HalfDown, &["ctrl+d"], "Half a page down", "half down");

/// What up, down, to the first and to the last are called.
type MoveTitles = [&'static str; 4];

/// In a list where letters are commands.
pub(super) const fn in_list([up, down, first, last]: MoveTitles) -> [KeyLine<MoveKey>; 8] {
    [
        bind(MoveKey::Up, &["up", "k", "backtab"], up, "up"),
        bind(MoveKey::Down, &["down", "j", "tab"], down, "down"),
        bind(MoveKey::PageUp, &["pageup"], "A page up", "page up"),
        bind(MoveKey::PageDown, &["pagedown"], "A page down", "page down"),
        HALF_UP,
        HALF_DOWN,
        bind(MoveKey::First, &["g", "home"], first, "first"),
        bind(MoveKey::Last, &["G", "end"], last, "last"),
    ]
}

/// In a list that is narrowed by typing.
pub(super) const fn while_typing([up, down, first, last]: MoveTitles) -> [KeyLine<MoveKey>; 6] {
    [
        bind(MoveKey::Up, &["up", "backtab", "ctrl+p"], up, "up"),
        bind(MoveKey::Down, &["down", "tab", "ctrl+n"], down, "down"),
        bind(MoveKey::PageUp, &["pageup"], "A page up", "page up"),
        bind(MoveKey::PageDown, &["pagedown"], "A page down", "page down"),
        bind(MoveKey::First, &["ctrl+home"], first, "first"),
        bind(MoveKey::Last, &["ctrl+end"], last, "last"),
    ]
}

/// In a text, or in one of several: Space turns its page.
pub(super) const fn in_text([up, down, first, last]: MoveTitles) -> [KeyLine<MoveKey>; 8] {
    [
        bind(MoveKey::Up, &["up", "k"], up, "up"),
        bind(MoveKey::Down, &["down", "j"], down, "down"),
        bind(MoveKey::PageUp, &["pageup"], "A page up", "page up"),
        bind(MoveKey::PageDown, &["space", "pagedown"], "A page down", "page"),
        HALF_UP,
        HALF_DOWN,
        bind(MoveKey::First, &["g", "home"], first, "first"),
        bind(MoveKey::Last, &["G", "end"], last, "last"),
    ]
}

/// What the lines of a text are called that move.
pub(super) const OF_TEXT: MoveTitles = ["A line up", "A line down", "To the beginning", "To the end"];
