//! The keys of the settings screen.

use super::super::super::keymap::bind;
use super::moves::{HALF_DOWN, HALF_UP};
use super::{DialogTable, MoveKey};

/// Among the settings; the same keys choose one of the values of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsKey {
    Act,
    Search,
    Reset,
    Add,
    Remove,
    Undo,
    Start,
    Editor,
    Switch,
    Sections,
    Rows,
    Close,
    Move(MoveKey),
}

pub static SETTINGS: DialogTable<SettingsKey> = DialogTable::moving(
    "Among the settings",
    {
        use SettingsKey as K;
        &[
            bind(
                K::Act,
                &["enter", "space"],
                "Change it: switch, choose or type",
                "change",
            ),
            bind(K::Search, &["/"], "Search all settings", "search"),
            bind(K::Reset, &["r"], "Its default again", "default"),
            bind(K::Add, &["n"], "Add an entry to a list", "add"),
            bind(K::Remove, &["x"], "Remove an entry from a list", "remove"),
            bind(K::Undo, &["u"], "Undo the last change made here", "undo"),
            bind(
                K::Start,
                &["t"],
                "Start a server or an agent once, to see whether it works",
                "test",
            ),
            bind(K::Editor, &["e"], "Open config.json in your editor", "editor"),
            bind(
                K::Switch,
                &["tab", "backtab"],
                "Between sections and settings",
                "switch",
            ),
            bind(K::Sections, &["left", "h"], "To the sections", "sections"),
            bind(K::Rows, &["right", "l"], "To the settings of the section", "settings"),
            bind(K::Close, &["esc", "q", ",", "ctrl+c"], "Back, or close", "close"),
        ]
    },
    SettingsKey::Move,
    // Tab leads to the sections.
    &[
        bind(MoveKey::Up, &["up", "k"], "One above", "up"),
        bind(MoveKey::Down, &["down", "j"], "One below", "down"),
        bind(MoveKey::PageUp, &["pageup"], "A page up", "page up"),
        bind(MoveKey::PageDown, &["pagedown"], "A page down", "page down"),
        HALF_UP,
        HALF_DOWN,
        bind(MoveKey::First, &["g", "home"], "First one", "first"),
        bind(MoveKey::Last, &["G", "end"], "Last one", "last"),
    ],
);

/// A value is being typed, or what to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingTypedKey {
    Keep,
    Cancel,
    Start,
}

pub static SETTING_TYPED: DialogTable<SettingTypedKey> = DialogTable::new(
    "While a setting is typed",
    &[
        bind(SettingTypedKey::Keep, &["enter"], "Keep it", "keep"),
        bind(
            SettingTypedKey::Cancel,
            &["esc", "ctrl+c"],
            "As it was before",
            "cancel",
        ),
        bind(
            SettingTypedKey::Start,
            &["ctrl+t"],
            "Start a server or an agent as it is typed",
            "test",
        ),
    ],
);
