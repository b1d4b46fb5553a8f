//! What a chat works on: opening it, looking at it, keeping its setup.

use std::path::PathBuf;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::offer::{Offer, Reads, given, offer};
use crate::model::atom::Who;
use crate::model::{Kind, Mode, ToolCall, open_dir};

pub fn offers() -> Vec<Offer> {
    vec![
        offer::<OpenDir, Opened>(
            "open_dir",
            "Open a git repository or directory in this chat. A repository is cloned into projects/NAME, yours to \
             change; the original stays untouched. A directory that is none is linked, and changes in it may be asked \
             about. Work in the path that is returned. A call that answers \"still running\" is \
             repeated unchanged.",
            Reads::No,
        ),
        offer::<ListProjects, Projects>(
            "list_projects",
            "The projects open in this chat: path, branch, count of changed files (dirty), commits ahead of and \
             behind the remote.",
            Reads::Only,
        ),
        offer::<SaveProjectSetup, Saved>(
            "save_project_setup",
            "Keep files of a project that git does not, such as .env, so that every later open_dir of it has them.",
            Reads::No,
        ),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OpenDir {
    /// URL, absolute path, or the name of a known project
    path_or_url: String,
    /// Checked out; made from base where it does not exist
    branch: Option<String>,
    /// Default: the default branch
    base: Option<String>,
    /// Default: rw where you may
    #[schemars(schema_with = "mode")]
    #[serde(default)]
    mode: Option<Mode>,
    /// What a person sees instead of the name
    label: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Opened {
    name: String,
    path: PathBuf,
    branch: Option<String>,
    /// The branch is new
    created: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListProjects {}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Projects {
    projects: Vec<Project>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Project {
    name: String,
    path: PathBuf,
    branch: Option<String>,
    #[schemars(schema_with = "mode")]
    mode: Mode,
    #[schemars(schema_with = "kind")]
    kind: Kind,
    dirty: u64,
    ahead: u64,
    behind: u64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SaveProjectSetup {
    /// As list_projects names it
    project: String,
    /// Relative to the project
    files: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Saved {
    saved: Vec<String>,
}

/// The words of the model's own types, which know nothing of schemas.
fn mode(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": [Mode::Rw, Mode::Ro]})
}

fn kind(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": [Kind::Git, Kind::Local]})
}

impl From<OpenDir> for ToolCall {
    fn from(asked: OpenDir) -> ToolCall {
        ToolCall::OpenDir(open_dir::OpenDir {
            path_or_url: asked.path_or_url,
            branch: given(asked.branch),
            base: given(asked.base),
            branch_after: None,
            mode: asked.mode,
            label: given(asked.label),
            in_place: false,
            cwd: None,
            by: Who::Agent,
        })
    }
}

impl From<ListProjects> for ToolCall {
    fn from(ListProjects {}: ListProjects) -> ToolCall {
        ToolCall::ListProjects
    }
}

impl From<SaveProjectSetup> for ToolCall {
    fn from(asked: SaveProjectSetup) -> ToolCall {
        ToolCall::SaveProjectSetup {
            project: asked.project,
            files: asked.files,
        }
    }
}
