//! What agents may ask of parlour over MCP, parsed.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::inbox::Which;
use super::request::{ScheduleAsk, Until};
use super::text::visible;
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

/// Open a repository or directory in a chat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenDir {
    /// A URL, a path, or the bare name of a project parlour knows.
    pub path_or_url: String,
    #[serde(default)]
    pub branch: Option<String>,
    #[serde(default)]
    pub base: Option<String>,
    /// What the branch of a repository is called after where none is named: the chat of a worker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch_after: Option<String>,
    #[serde(default)]
    pub mode: Option<Mode>,
    #[serde(default)]
    pub label: Option<String>,
    /// The directory itself is worked in, and no clone of it. For a person alone: no tool takes it.
    #[serde(default)]
    pub in_place: bool,
    /// Where a relative path starts: the shell's directory. An agent's calls start in its chat.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
    /// Who asks. Neither the wire nor a file says it, but the engine's doors.
    #[serde(skip)]
    pub by: atom::Who,
}

impl OpenDir {
    /// What is done until it is open, in words; a login in a URL is nobody's to read.
    pub fn doing(&self) -> String {
        let place = &self.path_or_url;
        let Some((scheme, rest)) = place.split_once("://") else {
            let remote = place.find(':').is_some_and(|colon| !place[..colon].contains('/'));
            let verb = if remote { "cloning" } else { "opening" };
            return format!("{verb} {}", visible(place));
        };
        let host = rest.find('/').unwrap_or(rest.len());
        let login = rest[..host].rfind('@').map_or(0, |at| at + 1);
        format!("cloning {scheme}://{}", visible(&rest[login..]))
    }
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
