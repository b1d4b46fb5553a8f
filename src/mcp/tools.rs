//! The tools: names, descriptions, and what goes in and comes out.
//!
//! Every agent reads all of this at its start, so each word costs. Arguments are read strictly: a misspelt one is
//! answered with the right names instead of being ignored.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::model::{Kind, Mode, ToolCall, tool};

/// The names of all tools, for settings that narrow them.
pub fn names() -> impl Iterator<Item = &'static str> {
    OFFERS.iter().map(|offer| offer.name)
}

/// A tool and the two borders it has.
pub(super) struct Offer {
    pub name: &'static str,
    pub tool: Tool,
    /// Arguments to a call.
    pub parse: fn(JsonObject) -> serde_json::Result<ToolCall>,
    /// The engine's answer to exactly what the schema promises.
    pub shape: fn(Value) -> serde_json::Result<Value>,
}

pub(super) static OFFERS: LazyLock<[Offer; 3]> = LazyLock::new(|| {
    [
        offer::<OpenDir, Opened>(
            "open_dir",
            "Open a git repository or directory in this chat. A repository is cloned into projects/NAME, yours to \
             change; the original stays untouched. Work in the path that is returned. A call that answers \
             \"still running\" is repeated unchanged.",
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
});

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OpenDir {
    /// URL, absolute path, or the name of a known project
    path_or_url: String,
    /// Checked out; made from base where it does not exist
    branch: Option<String>,
    /// Default: the default branch
    base: Option<String>,
    /// Default: rw
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
        ToolCall::OpenDir(tool::OpenDir {
            path_or_url: asked.path_or_url,
            branch: given(asked.branch),
            base: given(asked.base),
            mode: asked.mode,
            label: given(asked.label),
            cwd: None,
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

/// Models fill in what they do not mean with an empty string.
fn given(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

/// Whether a tool changes anything.
#[derive(PartialEq)]
enum Reads {
    Only,
    No,
}

fn offer<In, Out>(name: &'static str, description: &'static str, reads: Reads) -> Offer
where
    In: DeserializeOwned + JsonSchema + Into<ToolCall>,
    Out: DeserializeOwned + Serialize + JsonSchema,
{
    let mut tool = Tool::new(name, description, Arc::new(schema::<In>(Nulls::Silent)))
        .with_raw_output_schema(Arc::new(schema::<Out>(Nulls::Promised)));
    if reads == Reads::Only {
        tool = tool.with_annotations(ToolAnnotations::new().read_only(true));
    }
    Offer {
        name,
        tool,
        parse: |arguments| serde_json::from_value::<In>(arguments.into()).map(In::into),
        shape: |answer| serde_json::to_value(serde_json::from_value::<Out>(answer)?),
    }
}

/// Whether a schema says that a value may be null. Arguments are left out instead, and some models
/// stumble over two types.
#[derive(Clone, Copy, PartialEq)]
enum Nulls {
    Silent,
    Promised,
}

/// A schema without what no model needs to read.
fn schema<T: JsonSchema>(nulls: Nulls) -> JsonObject {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = schema.to_value();
    tidy(&mut schema, nulls);
    match schema {
        Value::Object(mut schema) => {
            // Some clients refuse an object that has none.
            schema.entry("properties").or_insert_with(|| json!({}));
            schema
        }
        _ => JsonObject::new(),
    }
}

fn tidy(schema: &mut Value, nulls: Nulls) {
    let Value::Object(keys) = schema else {
        return;
    };
    for noise in ["title", "format", "minimum", "default"] {
        keys.remove(noise);
    }
    if nulls == Nulls::Silent
        && let Some(Value::Array(types)) = keys.get("type")
        && let Some(first) = types.first().cloned()
    {
        keys.insert("type".into(), first);
    }
    if let Some(Value::Object(properties)) = keys.get_mut("properties") {
        properties.values_mut().for_each(|schema| tidy(schema, nulls));
    }
    if let Some(items) = keys.get_mut("items") {
        tidy(items, nulls);
    }
}
