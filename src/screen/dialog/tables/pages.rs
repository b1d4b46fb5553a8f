//! The keys of the pages of usage, of the search, of the key help and of the tour, and those that show the keys of a dialog.

use super::super::super::keymap::bind;
use super::moves::{in_text, while_typing};
use super::{ChooseKey, DialogTable, MoveKey};

/// What agents used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageKey {
    Close,
    Next,
    Before,
    Move(MoveKey),
}

pub static USAGE: DialogTable<UsageKey> = DialogTable::moving(
    "On the page of usage",
    {
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
        ]
    },
    UsageKey::Move,
    &in_text(["A line up", "A line down", "First line", "Last line"]),
);

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
    Close,
    Left,
    Right,
    Move(MoveKey),
}

pub static HELP: DialogTable<HelpKey> = DialogTable::moving(
    "In the key help",
    {
        use HelpKey as K;
        &[
            bind(K::Run, &["enter"], "Run what is chosen, else close", "run"),
            bind(K::Close, &["esc", "ctrl+c"], "Close", "close"),
            bind(K::Left, &["left"], "Column at the left", "left"),
            bind(K::Right, &["right"], "Column at the right", "right"),
        ]
    },
    HelpKey::Move,
    &while_typing(["Key above", "Key below", "First key", "Last key"]),
);

/// Full text over all transcripts. What is typed goes into the field.
pub static HISTORY: DialogTable<ChooseKey> = DialogTable::moving(
    "In the search of all transcripts",
    &[
        bind(
            ChooseKey::Choose,
            &["enter"],
            "To that moment in its transcript",
            "go there",
        ),
        bind(ChooseKey::Close, &["esc", "ctrl+c"], "Close", "close"),
    ],
    ChooseKey::Move,
    &while_typing(["Entry above", "Entry below", "First entry", "Last entry that was read"]),
);

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
