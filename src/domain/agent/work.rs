//! What workers do for the agent of a chat.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::domain::size::Size;
use crate::model::{Capabilities, Chat, ChatId, Installed, Problem, Sandbox, UnusableAgent};

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

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum AgentDone {
    /// Its process is on its way; `Said(Started)` follows.
    Started(Box<StartedAgent>),
    /// Its session is written down.
    Session(Box<Chat>),
    /// What it is to be told of the project that it came into.
    Instructions(Option<String>),
    InstructedByFile,
    Detected(Vec<Installed>, Vec<UnusableAgent>),
    Trusted,
}

/// An agent whose files are ready.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartedAgent {
    pub chat: Chat,
    pub capabilities: Capabilities,
    /// What could not be prepared, though the agent starts without it.
    pub problems: Vec<Problem>,
    /// The id of the prompt that went along with the start.
    pub prompt: Option<String>,
    /// It can be stopped and go on later.
    pub resumes: bool,
    pub sandbox: Sandbox,
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentThen {
    Nothing,
    /// Nobody asked for it: it is noted of this chat.
    Noted(ChatId),
    /// The agent of this chat starts.
    Started(ChatId),
    /// The agent of a new chat starts.
    StartedFirst(ChatId, Vec<String>),
    /// The agent of a duplicate starts; this is said of what came along.
    StartedDuplicate(ChatId, Vec<String>),
    /// The agent of a chat starts that an agent's call makes.
    Dispatch(ChatId),
    /// A hook is answered with the instructions.
    Instruct,
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
