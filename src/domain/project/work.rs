//! What workers do with the directories of a chat.

use serde::{Deserialize, Serialize};

use crate::model::open_dir::OpenDir;
use crate::model::request::NewChat;
use crate::model::tool::OpenDirAnswer;
use crate::model::{CallId, Chat, ChatId};

/// Work on the directories of a chat.
#[derive(Clone, Debug, PartialEq)]
pub enum ProjectWork {
    Open {
        chat: ChatId,
        open: OpenDir,
        /// Where a bare name is looked for before the caches: the parent.
        parent: Option<ChatId>,
        /// Who waits: it hears of progress.
        call: Option<CallId>,
    },
    /// As `Open`, of a project that another chat has: from its clone.
    OpenFrom {
        chat: ChatId,
        from: ChatId,
        open: OpenDir,
        call: Option<CallId>,
    },
    SaveSetup {
        chat: ChatId,
        project: String,
        files: Vec<String>,
    },
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ProjectDone {
    Opened(Box<Chat>, OpenDirAnswer),
    /// These files are kept for later clones.
    Saved(Vec<String>),
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum ProjectThen {
    /// It is the answer.
    Answer,
    /// It was opened for a chat being made: these are still to open.
    Continue(ChatId, Box<NewChat>),
    /// It was opened for a chat that an agent's call makes.
    Dispatch(ChatId),
    /// Nobody wants the chat any more that was being made.
    Discard(ChatId),
    /// Nobody wants it any more: that it failed is no news.
    GivenUp,
}
