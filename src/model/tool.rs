//! What agents may ask of parlour over MCP, parsed.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::inbox::Which;
use super::open_dir::OpenDir;
use super::request::{ScheduleAsk, Until};
use super::{Declared, Deed, Mode, atom};

/// The names of all tools that parlour offers to agents: what is called so, and is of its own server, runs unasked.
pub const OWN: [&str; 24] = [
    "open_dir",
    "list_projects",
    "save_project_setup",
    "dispatch",
    "get_status",
    "wait_for",
    "list_children",
    "get_parent_output",
    "report_to_parent",
    "send_message",
    "read_inbox",
    "set_status",
    "add_atoms",
    "list_atoms",
    "claim_atom",
    "update_atom",
    "schedule_chat",
    "list_schedules",
    "cancel_schedule",
    "run_schedule",
    "read_file",
    "write_file",
    "apply_patch",
    "shell",
];

/// A tool call of one agent. Who calls is told by its token, never by the arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolCall {
    OpenDir(OpenDir),
    ListProjects,
    SaveProjectSetup {
        project: String,
        files: Vec<String>,
    },
    Work(atom::Ask),
    Dispatch(Dispatch),
    /// A chat by id, handle or session.
    GetStatus(String),
    /// Of the caller, where none is named.
    ListChildren(Option<String>),
    /// The parent's last words, so many lines of them.
    GetParentOutput(usize),
    WaitFor(WaitFor),
    ReportToParent(String),
    SendMessage {
        to: String,
        message: String,
    },
    ReadInbox(Which),
    SetStatus(Declared),
    Schedule(ScheduleAsk),
    /// Of an agent whose CLI has no tools of its own.
    Deed(Deed),
}

/// Wait until the chats named have come to something, or all children where none is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitFor {
    pub chats: Vec<String>,
    pub until: Until,
    /// In seconds.
    pub timeout: Option<u64>,
}

/// Make a chat below the caller's, and start its agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dispatch {
    pub prompt: String,
    pub project: Option<String>,
    pub branch: Option<String>,
    pub base: Option<String>,
    pub llm: Option<String>,
    pub role: Option<String>,
    pub name: Option<String>,
    /// Claimed for the new chat.
    pub atom: Option<atom::AtomKey>,
}

/// What `open_dir` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    pub name: String,
    pub path: PathBuf,
    pub branch: Option<String>,
    /// The branch was made by this call.
    pub created: bool,
    /// What else the caller should know: served from the cache while offline, setup files skipped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A project of a chat with what git says of it, for `list_projects`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tallied {
    pub name: String,
    pub path: PathBuf,
    pub branch: Option<String>,
    pub mode: Mode,
    pub kind: super::Kind,
    pub dirty: u64,
    pub ahead: u64,
    pub behind: u64,
}
