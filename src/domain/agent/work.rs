//! What workers do for the agent of a chat.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::domain::size::Size;
use crate::model::ChatId;

/// Work for the agent of a chat.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentWork {
    /// Prepare the agent's files and start it.
    Start {
        chat: ChatId,
        env: BTreeMap<String, String>,
        size: Size,
    },
    /// The agent CLI's session id changed: it is written down before it is used.
    Session { chat: ChatId, session: String },
    /// What a project says to the agent that came into it.
    Instruct(ChatId, Arrival),
    /// As [`AgentWork::Instruct`], told by the chat's `AGENTS.md`.
    InstructByFile(ChatId, Arrival),
    Detect {
        path: String,
        env: BTreeMap<String, String>,
    },
    /// Writes consent into `config.json` and trust into the CLI's own state.
    Trust { llm: String, env: BTreeMap<String, String> },
}

impl AgentWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            AgentWork::Start { .. }
            | AgentWork::Session { .. }
            | AgentWork::InstructByFile(..)
            | AgentWork::Trust { .. } => true,
            AgentWork::Instruct(..) | AgentWork::Detect { .. } => false,
        }
    }
}

/// An agent came into a project, or into directories of one that may have instructions of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub project: String,
    pub cwd: PathBuf,
    /// It was in another project before, or in none.
    pub enters: bool,
    /// Directories on the way from the project to `cwd`, told of for the first time.
    pub below: Vec<PathBuf>,
}
