//! What workers do with what a tree of chats shares.

use serde::{Deserialize, Serialize};

use crate::model::atom::{self, AtomRequester, Release};
use crate::model::request::NewChat;
use crate::model::{Chat, ChatId, Declared};

use super::state::GraphAnswer;

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

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TeamDone {
    /// What the chat's agent says of itself is written.
    Declared(Box<Chat>),
    /// The root of the tree, with its work graph as it now is.
    Atoms(Box<Chat>),
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum TeamThen {
    Nothing,
    /// What the agent said is the answer.
    Declared,
    /// This of the graph is the answer.
    Answer(GraphAnswer),
    /// An atom was written for the dialog of a person.
    Saved,
    /// The atom of a chat being made is claimed: its directories are still to open.
    Continue(ChatId, Box<NewChat>),
    /// The atom of a chat that an agent's call makes is claimed.
    Dispatch(ChatId),
    /// Nobody wants the chat any more that was being made.
    Discard(ChatId),
}
