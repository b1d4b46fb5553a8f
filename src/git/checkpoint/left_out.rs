//! What a checkpoint does not hold, and why.

use std::path::PathBuf;

use crate::fs;

/// Something in the working tree that the checkpoint does not hold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Omission {
    /// In the clone.
    pub path: PathBuf,
    pub reason: Reason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A repository within the clone, or a submodule.
    Nested,
    /// An untracked file over the size limit.
    Large,
    Unreadable,
    /// A socket, a FIFO or a device.
    Special,
    /// Another file system.
    Mount,
    Deep,
    /// A name that git cannot store.
    Name,
}

impl Reason {
    const ALL: [(Reason, u8, &'static str); 7] = [
        (Reason::Nested, b'n', "a repository of its own"),
        (Reason::Large, b'l', "untracked and too large"),
        (Reason::Unreadable, b'u', "cannot be read"),
        (Reason::Special, b's', "not a file"),
        (Reason::Mount, b'm', "on another file system"),
        (Reason::Deep, b'd', "nested too deeply"),
        (Reason::Name, b'g', "git cannot store its name"),
    ];

    pub fn words(self) -> &'static str {
        let found = Reason::ALL.iter().find(|(reason, ..)| *reason == self);
        found.map_or("", |(.., words)| words)
    }

    /// Of what could not be read, and never can be as it is. None where nothing is known of it: it may be like any other.
    pub(super) fn of_unread(error: &fs::Error) -> Option<Reason> {
        match error.is_dead_mount() {
            true => Some(Reason::Mount),
            false => error.is_of_the_file().then_some(Reason::Unreadable),
        }
    }

    pub(super) fn letter(self) -> u8 {
        let found = Reason::ALL.iter().find(|(reason, ..)| *reason == self);
        found.map_or(b'?', |(_, letter, _)| *letter)
    }

    pub(super) fn of_letter(letter: u8) -> Option<Reason> {
        let found = Reason::ALL.iter().find(|(_, known, _)| *known == letter);
        found.map(|(reason, ..)| *reason)
    }
}
