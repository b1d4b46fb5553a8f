//! What workers do with the sums of usage.

use serde::{Deserialize, Serialize};

use crate::model::usage::ChatUsage;
use crate::model::{ChatId, Zone};

#[derive(Clone, Debug, PartialEq)]
pub enum UsageWork {
    /// Reads what is kept of these chats, and in each transcript what lies behind that, up to this entry at least. With `all`,
    /// what is kept of chats that are gone comes along.
    Read {
        chats: Vec<(ChatId, u64)>,
        zone: Zone,
        all: bool,
    },
    Keep(Vec<(ChatId, ChatUsage)>),
}

impl UsageWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            UsageWork::Keep(_) => true,
            UsageWork::Read { .. } => false,
        }
    }
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum UsageDone {
    /// The chats that were asked for, and all whose sums are known.
    Read(Vec<ChatId>, Vec<(ChatId, ChatUsage)>),
    Kept,
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum UsageThen {
    /// They are what is known of these chats from now on.
    Read,
    /// Others can be kept.
    Kept,
}
