//! What workers run for a person.

use crate::model::script::{ScriptEnd, ScriptEnding};
use crate::model::{Handle, ScriptKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::domain::size::Size;
use crate::model::output::OpenedWith;
use crate::model::script::Order;
use crate::model::{ChatId, ClientId, WorkId};

/// Work on the programs of a chat that a person has run: scripts and editors.
#[derive(Clone, Debug, PartialEq)]
pub enum ScriptWork {
    Approve {
        chat: ChatId,
        order: Order,
        definition: String,
    },
    /// A person does not want the setup of this project to run.
    DenySetup { chat: ChatId, project: String },
    /// Runs it to its end, under this number.
    Run {
        number: WorkId,
        chat: ChatId,
        order: Order,
        env: BTreeMap<String, String>,
        size: Size,
    },
    /// Runs a person's editor, pager or shell to its end, under this number.
    Edit {
        number: WorkId,
        chat: ChatId,
        with: OpenedWith,
        dir: Option<String>,
        /// A file there, at this line.
        file: Option<(PathBuf, u32)>,
        /// The process that leads the terminal which named it: its path is as seen from where that terminal's program is.
        leader: Option<u32>,
        /// In place of a file: a prompt that a person writes.
        prompt: Option<String>,
        env: BTreeMap<String, String>,
        size: Size,
    },
    /// Runs the login of a chat's CLI to its end, under this number.
    LogIn {
        number: WorkId,
        chat: ChatId,
        env: BTreeMap<String, String>,
        size: Size,
    },
    /// Opens a person's browser.
    Browse { url: String, env: BTreeMap<String, String> },
    /// Ends a script, an editor or a command of an agent.
    Stop(WorkId),
}

impl ScriptWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            ScriptWork::Approve { .. }
            | ScriptWork::DenySetup { .. }
            | ScriptWork::Run { .. }
            | ScriptWork::Edit { .. }
            | ScriptWork::LogIn { .. } => true,
            ScriptWork::Stop(_) | ScriptWork::Browse { .. } => false,
        }
    }
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ScriptDone {
    Approved(Agreed),
    Denied,
    Ended(ScriptEnd),
    /// An editor has ended in which this was written.
    Written {
        how: ScriptEnding,
        text: String,
    },
    Stopped,
    Browsed,
}

/// What a person agreed to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agreed {
    pub chat: Handle,
    pub project: String,
    pub kind: ScriptKind,
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum ScriptThen {
    /// What was agreed to is the answer.
    Answer,
    /// A person approved this script: it is started.
    Approved(ChatId, Order),
    /// A script has ended, or was never begun.
    Ended,
    /// An editor has ended, or was never started.
    Edited,
    /// A login has ended, or was never started. This person's agents go on in this environment.
    LoggedIn(BTreeMap<String, String>),
    /// The same as of an editor, of a prompt that this person writes.
    Written(ClientId),
    /// This was to be opened in a browser.
    Browsed(String),
    Nothing,
}
