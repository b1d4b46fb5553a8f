//! Conversations from the shell: which chat a directory has, and the turn that a query waits for.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::ChatId;
use super::id::ChatName;
use super::path_text;

/// What the shell asks about them.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "kebab-case")]
pub enum QueryRequest {
    /// From now on this directory is the chat's.
    Bind {
        chat: ChatName,
        #[serde(with = "path_text")]
        dir: PathBuf,
        /// A query was answered in it; nobody chose the chat for this directory.
        #[serde(default)]
        asked: bool,
    },
    Unbind {
        #[serde(with = "path_text")]
        dir: PathBuf,
    },
    /// It is the chat of the last query, wherever that was made.
    Asked { chat: ChatName },
    /// Streams the transcript behind this number until the turn of a prompt is over, and between its lines what its agent asks
    /// (`{"asks"}`, null once it goes on) and what its prompt waits for (`{"waiting"}`).
    Turn {
        chat: ChatName,
        #[serde(default)]
        after: u64,
        /// The name that was given to its prompt.
        #[serde(default)]
        prompt: String,
    },
    /// The chat as it is, with the number of its last entry.
    Look { chat: ChatName },
    /// A person has its answer: it counts as seen, unless it came to rest once more behind this number.
    Seen {
        chat: ChatName,
        #[serde(default)]
        seq: u64,
    },
    /// Interrupts its turn, as a person does who presses Esc. They know of its end.
    Interrupt { chat: ChatName },
}

impl QueryRequest {
    pub fn is_control(&self) -> bool {
        match self {
            QueryRequest::Bind { .. }
            | QueryRequest::Unbind { .. }
            | QueryRequest::Asked { .. }
            | QueryRequest::Seen { .. }
            | QueryRequest::Interrupt { .. } => true,
            QueryRequest::Turn { .. } | QueryRequest::Look { .. } => false,
        }
    }
}

/// What is written down of a directory's conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Binding {
    To(ChatId, PathBuf),
    /// A query of this directory was answered in the chat. The screen goes on to show what it showed there.
    Asked(ChatId, PathBuf),
    /// The directory has none any more.
    None(PathBuf),
    /// The chat is that of the last query.
    LastQuery(ChatId),
}
