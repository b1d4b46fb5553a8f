//! What workers do with a chat as a whole.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::model::{ChatId, Handle, ScheduleId};

/// Work on a chat as a whole: it is made, renamed, deleted.
#[derive(Clone, Debug, PartialEq)]
pub enum ChatWork {
    Create(NewRecord),
    /// Makes a chat of another one, with its projects and, where its CLI can, its conversation.
    Duplicate {
        from: ChatId,
        new: NewRecord,
        env: BTreeMap<String, String>,
    },
    /// Makes the demo's sample repository, where it is not there yet.
    Sample,
    Rename {
        chat: ChatId,
        name: String,
    },
    /// Makes sure that a chat can go to the trash, before anything is ended for it.
    ReadyTrash(ChatId),
    Trash(ChatId),
    /// A chat that was not made whole and whose agent never ran: nothing of it stays.
    Discard(ChatId),
    /// Makes the directory of a chat again after it vanished.
    Recreate(ChatId),
    Losses(ChatId),
}

impl ChatWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            ChatWork::Create(_)
            | ChatWork::Duplicate { .. }
            | ChatWork::Sample
            | ChatWork::Rename { .. }
            | ChatWork::ReadyTrash(_)
            | ChatWork::Trash(_)
            | ChatWork::Discard(_)
            | ChatWork::Recreate(_) => true,
            ChatWork::Losses(_) => false,
        }
    }
}

/// Which agent CLI a new chat runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    Named(String),
    /// That of its role, else this one.
    Usual(String),
    /// That of its role, else the first that is installed, else the demo.
    Installed,
}

/// What a new chat is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRecord {
    pub id: ChatId,
    pub name: String,
    pub handle: Handle,
    pub llm: Choice,
    pub role: Option<String>,
    /// The PATH of whoever makes it: a chat whose agent CLI is not there is not made. Not looked at where it is not known.
    pub search_path: Option<String>,
    /// Where it is to work: roles that a repository has of its own are looked for there.
    pub around: Vec<PathBuf>,
    pub parent: Option<ChatId>,
    /// How many directories are opened in it before its agent starts.
    pub to_open: usize,
    /// The directory that it is bound to.
    pub bind: Option<PathBuf>,
    /// Whose run it is.
    pub schedule: Option<ScheduleId>,
    pub disabled_servers: Vec<String>,
    /// What its agent is to get first.
    pub prompt: Option<String>,
}
