//! What workers do with what a tree of chats shares.

use crate::model::atom::{self, AtomRequester, Release};
use crate::model::{ChatId, Declared};

/// Work on what a tree of chats shares.
#[derive(Clone, Debug, PartialEq)]
pub enum TeamWork {
    /// What an agent says of itself is written into its directory.
    Declare(ChatId, Declared),
    /// Loads the root of a tree again, with its work graph.
    ReadAtoms(ChatId),
    /// Changes the work graph of a tree.
    Atoms {
        root: ChatId,
        change: atom::AtomChange,
        by: Box<AtomRequester>,
    },
    /// Frees what a chat whose agent has ended had in progress.
    FreeAtoms(ChatId, Release),
}

impl TeamWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            TeamWork::Declare(..) | TeamWork::Atoms { .. } | TeamWork::FreeAtoms(..) => true,
            TeamWork::ReadAtoms(_) => false,
        }
    }
}
