//! What agents may ask of parlour over MCP, parsed.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Mode;

/// A tool call of one agent. Who calls is told by its token, never by the arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolCall {
    OpenDir(OpenDir),
    ListProjects,
    SaveProjectSetup { project: String, files: Vec<String> },
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
    #[serde(default)]
    pub mode: Option<Mode>,
    #[serde(default)]
    pub label: Option<String>,
    /// Where a relative path starts: the shell's directory. An agent's calls start in its chat.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
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
