//! The keys of pages that list what lies on disk.

use super::super::super::keymap::bind;
use super::{DialogTable, ListKey};

/// What chats, caches and the trash take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskKey {
    Open,
    Restore,
    Remove,
    Prune,
    Close,
    Move(ListKey),
}

pub static DISK: DialogTable<DiskKey> = DialogTable::new("Among what lies on disk", {
    use DiskKey as K;
    &[
        bind(K::Open, &["enter"], "Go to the chat, or to the trash", "open"),
        bind(K::Restore, &["u"], "Restore a deleted chat", "restore"),
        bind(K::Remove, &["x"], "Delete it, after a question", "delete"),
        bind(
            K::Prune,
            &["p"],
            "Remove repositories that no chat uses",
            "remove unused",
        ),
        bind(K::Close, &["esc", "q", "ctrl+c"], "Close", "close"),
        bind(K::Move(ListKey::Up), &["up", "k", "backtab"], "One above", "up"),
        bind(K::Move(ListKey::Down), &["down", "j", "tab"], "One below", "down"),
        bind(K::Move(ListKey::PageUp), &["pageup"], "A page up", "page up"),
        bind(K::Move(ListKey::PageDown), &["pagedown"], "A page down", "page down"),
        bind(K::Move(ListKey::First), &["g", "home"], "The largest", "first"),
        bind(K::Move(ListKey::Last), &["G", "end"], "The smallest", "last"),
    ]
});

/// The files that new clones get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupKey {
    Add,
    Remove,
    Close,
    Move(ListKey),
}

pub static SETUP: DialogTable<SetupKey> = DialogTable::new("Among setup files", {
    use SetupKey as K;
    &[
        bind(K::Add, &["a", "enter"], "Add files of this chat's clone", "add"),
        bind(K::Remove, &["x"], "Remove, after a question", "remove"),
        bind(K::Close, &["esc", "q", "ctrl+c"], "Close", "close"),
        bind(K::Move(ListKey::Up), &["up", "k", "backtab"], "File above", "up"),
        bind(K::Move(ListKey::Down), &["down", "j", "tab"], "File below", "down"),
        bind(K::Move(ListKey::PageUp), &["pageup"], "A page up", "page up"),
        bind(K::Move(ListKey::PageDown), &["pagedown"], "A page down", "page down"),
        bind(K::Move(ListKey::First), &["g", "home"], "First file", "first"),
        bind(K::Move(ListKey::Last), &["G", "end"], "Last file", "last"),
    ]
});
