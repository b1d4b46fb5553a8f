//! What workers do with the changes and checkpoints of a chat.

use crate::model::ChatId;
use crate::model::review::{Back, Cause, DiffAsk};

/// Work on the clones of a chat, all together.
#[derive(Clone, Debug, PartialEq)]
pub enum ReviewWork {
    /// Saves them as they are. `prompt` is what the turn begins with.
    Take {
        chat: ChatId,
        cause: Cause,
        prompt: String,
    },
    List(ChatId),
    Diff(ChatId, DiffAsk),
    /// What going back would change.
    Plan {
        chat: ChatId,
        back: Back,
    },
    /// Goes back. Its agent does not run.
    Revert {
        chat: ChatId,
        back: Back,
    },
}

impl ReviewWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            ReviewWork::List(_) => false,
            // A comparison with now stores what it read.
            ReviewWork::Take { .. } | ReviewWork::Diff(..) | ReviewWork::Plan { .. } | ReviewWork::Revert { .. } => {
                true
            }
        }
    }
}
