//! The keys of the pages of usage, of the search, of the key help and of the tour, and those that show the keys of a dialog.

use super::super::super::keymap::bind;
use super::DialogTable;

/// What agents used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageKey {
    Close,
    Next,
    Before,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
}

pub static USAGE: DialogTable<UsageKey> = DialogTable::new("On the page of usage", {
    use UsageKey as K;
    &[
        bind(K::Close, &["esc", "q", "ctrl+c"], "Close", "close"),
        bind(
            K::Next,
            &["tab", "right", "l"],
            "Next view: days, projects, …",
            "next view",
        ),
        bind(K::Before, &["backtab", "left", "h"], "View before", "view before"),
        bind(K::Up, &["up", "k"], "A line up", "up"),
        bind(K::Down, &["down", "j"], "A line down", "down"),
        bind(K::PageUp, &["pageup"], "A page up", "page up"),
        bind(K::PageDown, &["space", "pagedown"], "A page down", "page"),
        bind(K::First, &["g", "home"], "First line", "first line"),
        bind(K::Last, &["G", "end"], "Last line", "last line"),
    ]
});

/// A step of the tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TourKey {
    Next,
    Before,
    Leave,
}

pub static TOUR: DialogTable<TourKey> = DialogTable::new("On the tour", {
    use TourKey as K;
    &[
        bind(K::Next, &["enter", "right", "space", "l"], "Next step", "next"),
        bind(K::Before, &["left", "backspace", "h"], "Step before", "back"),
        bind(K::Leave, &["esc", "q", "ctrl+c"], "Leave the tour", "leave"),
    ]
});

/// All keys. What is typed goes into the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpKey {
    Run,
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    First,
    Last,
    Close,
}

pub static HELP: DialogTable<HelpKey> = DialogTable::new("In the key help", {
    use HelpKey as K;
    &[
        bind(K::Run, &["enter"], "Run what is chosen, else close", "run"),
        bind(K::Up, &["up", "backtab", "ctrl+p"], "Key above", "up"),
        bind(K::Down, &["down", "tab", "ctrl+n"], "Key below", "down"),
        bind(K::Left, &["left"], "Column at the left", "left"),
        bind(K::Right, &["right"], "Column at the right", "right"),
        bind(K::PageUp, &["pageup"], "A page up", "page up"),
        bind(K::PageDown, &["pagedown"], "A page down", "page down"),
        bind(K::First, &["ctrl+home"], "First key", "first"),
        bind(K::Last, &["ctrl+end"], "Last key", "last"),
        bind(K::Close, &["esc", "ctrl+c"], "Close", "close"),
    ]
});

/// Full text over all transcripts. What is typed goes into the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryKey {
    Go,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Close,
}

pub static HISTORY: DialogTable<HistoryKey> = DialogTable::new("In the search of all transcripts", {
    use HistoryKey as K;
    &[
        bind(K::Go, &["enter"], "To that moment in its transcript", "go there"),
        bind(K::Up, &["up", "backtab", "ctrl+p"], "Entry above", "up"),
        bind(K::Down, &["down", "tab", "ctrl+n"], "Entry below", "down"),
        bind(K::PageUp, &["pageup"], "A page up", "page up"),
        bind(K::PageDown, &["pagedown"], "A page down", "page down"),
        bind(K::First, &["ctrl+home"], "First entry", "first"),
        bind(K::Last, &["ctrl+end"], "Last entry that was read", "last"),
        bind(K::Close, &["esc", "ctrl+c"], "Close", "close"),
    ]
});

/// The keys of the dialog that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyCardKey {
    Show,
    ShowAnywhere,
}

pub static KEY_CARD: DialogTable<KeyCardKey> = DialogTable::new("In any dialog", {
    use KeyCardKey as K;
    &[
        bind(K::Show, &["?"], "Its keys, where no text is typed", "keys"),
        bind(K::ShowAnywhere, &["f1"], "Its keys", "keys"),
    ]
});
