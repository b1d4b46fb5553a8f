//! What a chat works on: opening it, looking at it, keeping its setup.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entry::{ToolOf, changes, reads};
use crate::model::atom::Who;
use crate::model::open_dir::OpenDir;
use crate::model::{AreaMode, Kind};

pub(super) fn tools() -> [ToolOf<ProjectCall>; 3] {
    [
        ToolOf {
            name: "open_dir",
            does: "Open a git repository or directory in this chat. A repository is cloned into projects/NAME, yours to \
                   change; the original stays untouched. Another directory is linked; changes there may be asked about. \
                   Work in the returned path. Repeat a call that answers \"still running\".",
            when: Some(
                "bring a repository (URL, path or known name) or a directory in here, always instead of `git clone` or \
                 working elsewhere",
            ),
            ..changes::<OpenDir, OpenDirAnswer, _>()
        },
        ToolOf {
            name: "list_projects",
            does: "Open projects: path, branch, changed files (dirty), commits ahead and behind.",
            when: Some("what is open, with branch and uncommitted or unpushed work"),
            ..reads::<ListProjects, Projects, _>()
        },
        ToolOf {
            name: "save_project_setup",
            does: "Keep a project's files that git does not (.env): every later open_dir has them.",
            when: Some("keep files that git ignores but the project needs (`.env`) for later clones"),
            ..changes::<SaveProjectSetup, Saved, _>()
        },
    ]
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ProjectCall {
    Open(OpenDir),
    List,
    SaveSetup(SaveProjectSetup),
}

/// What `open_dir` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenDirAnswer {
    pub name: String,
    pub path: PathBuf,
    pub branch: Option<String>,
    /// The branch is new.
    #[schemars(description = "")]
    pub created: bool,
    /// What else the caller should know: served from the cache while offline, setup files skipped.
    #[schemars(description = "")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
struct ListProjects {}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Projects {
    projects: Vec<Tallied>,
}

/// A project of a chat with what git says of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tallied {
    pub name: String,
    pub path: PathBuf,
    pub branch: Option<String>,
    pub mode: AreaMode,
    pub kind: Kind,
    pub dirty: u64,
    pub ahead: u64,
    pub behind: u64,
}

/// Files of a project that every later clone of it gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SaveProjectSetup {
    /// As list_projects names it
    pub project: String,
    /// Relative to the project
    pub files: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Saved {
    saved: Vec<String>,
}

impl From<OpenDir> for ProjectCall {
    fn from(open: OpenDir) -> ProjectCall {
        ProjectCall::Open(OpenDir { by: Who::Agent, ..open })
    }
}

impl From<ListProjects> for ProjectCall {
    fn from(ListProjects {}: ListProjects) -> ProjectCall {
        ProjectCall::List
    }
}

impl From<SaveProjectSetup> for ProjectCall {
    fn from(asked: SaveProjectSetup) -> ProjectCall {
        ProjectCall::SaveSetup(asked)
    }
}
