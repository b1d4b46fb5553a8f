//! On whose word something is done.

use crate::model::ChatId;

/// On whose word a process acts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Author {
    Person,
    /// The agent of a chat, or a command that was run for the chat: a repository's word is no person's either.
    Chat(ChatId),
    /// The engine started it, or something that did, and for whom is not known.
    Unknown,
}
