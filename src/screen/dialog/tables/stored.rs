//! The keys of pages that list what lies on disk.

use super::super::super::keymap::bind;
use super::moves::in_list;
use super::{DialogTable, MoveKey};

/// What chats, caches and the trash take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskKey {
    Open,
    Restore,
    Remove,
    Prune,
    Close,
    Move(MoveKey),
}

pub static DISK: DialogTable<DiskKey> = DialogTable::moving(
    "Among what lies on disk",
    {
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
        ]
    },
    DiskKey::Move,
    &in_list(["One above", "One below", "The largest", "The smallest"]),
);

/// The files that new clones get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupKey {
    Add,
    Remove,
    Close,
    Move(MoveKey),
}

pub static SETUP: DialogTable<SetupKey> = DialogTable::moving(
    "Among setup files",
    {
        use SetupKey as K;
        &[
            bind(K::Add, &["a", "enter"], "Add files of this chat's clone", "add"),
            bind(K::Remove, &["x"], "Remove, after a question", "remove"),
            bind(K::Close, &["esc", "q", "ctrl+c"], "Close", "close"),
        ]
    },
    SetupKey::Move,
    &in_list(["File above", "File below", "First file", "Last file"]),
);
