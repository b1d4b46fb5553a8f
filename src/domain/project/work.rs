//! What workers do with the directories of a chat.

use crate::model::open_dir::OpenDir;
use crate::model::{CallId, ChatId};

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
        call: CallId,
    },
    SaveSetup {
        chat: ChatId,
        project: String,
        files: Vec<String>,
    },
}
