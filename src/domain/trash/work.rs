//! What workers do with what was deleted.

use crate::model::deleted::Deleted;
use crate::model::{Chat, ChatId, Losses, Timestamp};
use serde::{Deserialize, Serialize};

/// Work on what was deleted.
#[derive(Clone, Debug, PartialEq)]
pub enum TrashWork {
    /// A chat in the trash by id, handle or name; without one, what was deleted last.
    Restore(Option<String>),
    /// What was deleted last, if that was after this time.
    RestoreLast { since: Option<Timestamp> },
    /// All that is there, or what lay below one of these chats.
    List { below: Option<Vec<ChatId>> },
    /// Removes for good what is in the trash: one chat, or all.
    Purge(Option<String>),
    /// What removing this for good would lose, or all that is in the trash.
    Losses(Option<String>),
    /// Removes what has been in the trash for long enough.
    LetGo,
}

impl TrashWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            TrashWork::Restore(_) | TrashWork::RestoreLast { .. } | TrashWork::Purge(_) | TrashWork::LetGo => true,
            TrashWork::List { .. } | TrashWork::Losses(_) => false,
        }
    }
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TrashDone {
    Restored(Box<Chat>),
    /// Nothing was deleted after the time that was asked about.
    NothingSince,
    /// What is in the trash, newest first.
    Listed(Vec<Deleted>),
    Purged(Vec<ChatId>),
    Losses(Losses),
    LetGo,
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum TrashThen {
    /// A chat came back.
    Restored,
    /// The list is the answer.
    List,
    /// The list is for the dialog of a person.
    Show,
    /// Chats were deleted for good.
    Purged,
    /// What was deleted long ago may be gone.
    LetGo,
    /// What removing it for good would lose, or all that is in the trash, was found out: refuse with it.
    Refuse(Option<String>),
}
