//! Chats that an agent makes, and what it sees of them.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::offer::{Offer, Reads, given, offer};
use crate::model::atom::AtomKey;
use crate::model::request::Until;
use crate::model::{Declared, ToolCall, tool};

/// Lines of a parent's output, where the caller does not say.
const LINES: usize = 50;

pub fn offers() -> Vec<Offer> {
    vec![
        offer::<Dispatch, Dispatched>(
            "dispatch",
            "Start another agent in a chat below this one, with its own clone. Your commits come along, uncommitted \
             changes do not.",
            Reads::No,
        ),
        offer::<GetStatus, Status>(
            "get_status",
            "What a chat below this one (or the parent) is doing, and its last answer.",
            Reads::Only,
        ),
        offer::<WaitFor, Waited>(
            "wait_for",
            "Wait until chats you dispatched are done, or one needs somebody. Repeat a call that answers \"still \
             running\".",
            Reads::Only,
        ),
        offer::<ListChildren, Children>("list_children", "The chats you dispatched.", Reads::Only),
        offer::<GetParentOutput, Output>(
            "get_parent_output",
            "What the chat that dispatched this one said last.",
            Reads::Only,
        ),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Dispatch {
    /// All that it is to know
    prompt: String,
    /// As open_dir takes it; default: your only one
    project: Option<String>,
    /// Made from base where new; default: yours
    branch: Option<String>,
    base: Option<String>,
    /// Agent CLI; default: yours
    llm: Option<String>,
    role: Option<String>,
    name: Option<String>,
    /// MOLECULE/ID, claimed for the new chat
    #[schemars(with = "Option<String>")]
    #[serde(default)]
    atom: Option<Atom>,
}

/// An atom by the name that it has in needs of other molecules.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Atom(Option<AtomKey>);

impl TryFrom<String> for Atom {
    type Error = String;
    fn try_from(name: String) -> Result<Atom, String> {
        match name.split_once('/') {
            Some((molecule, id)) => Ok(Atom(Some(AtomKey::new(molecule, id)))),
            None if name.trim().is_empty() => Ok(Atom(None)),
            None => Err("atom is MOLECULE/ID".into()),
        }
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Dispatched {
    chat_id: String,
    session_id: String,
    handle: String,
    branch: Option<String>,
    notes: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetStatus {
    /// Or a chat's id or handle
    session_id: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Status {
    chat_id: String,
    handle: String,
    status: String,
    detail: String,
    #[schemars(with = "Option<Map<String, Value>>")]
    declared: Option<Declared>,
    output: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WaitFor {
    /// Empty: all your children
    #[serde(default)]
    chats: Vec<String>,
    /// done: as set_status says. Default: idle
    #[serde(default, rename = "for")]
    #[schemars(schema_with = "until")]
    until: Option<Until>,
    /// Seconds
    timeout: Option<u64>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Waited {
    met: bool,
    chats: Vec<Child>,
}

fn until(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": [Until::Idle, Until::NeedsYou, Until::Exited, Until::Done]})
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListChildren {
    chat: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Children {
    children: Vec<Child>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Child {
    chat_id: String,
    handle: String,
    name: String,
    status: String,
    detail: String,
    #[schemars(with = "Option<Map<String, Value>>")]
    declared: Option<Declared>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetParentOutput {
    lines: Option<usize>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Output {
    text: String,
}

impl From<Dispatch> for ToolCall {
    fn from(asked: Dispatch) -> ToolCall {
        ToolCall::Dispatch(tool::Dispatch {
            prompt: asked.prompt,
            project: given(asked.project),
            branch: given(asked.branch),
            base: given(asked.base),
            llm: given(asked.llm),
            role: given(asked.role),
            name: given(asked.name),
            atom: asked.atom.and_then(|atom| atom.0),
        })
    }
}

impl From<GetStatus> for ToolCall {
    fn from(asked: GetStatus) -> ToolCall {
        ToolCall::GetStatus(asked.session_id)
    }
}

impl From<WaitFor> for ToolCall {
    fn from(asked: WaitFor) -> ToolCall {
        ToolCall::WaitFor(tool::WaitFor {
            chats: asked.chats,
            until: asked.until.unwrap_or(Until::Idle),
            timeout: asked.timeout,
        })
    }
}

impl From<ListChildren> for ToolCall {
    fn from(asked: ListChildren) -> ToolCall {
        ToolCall::ListChildren(given(asked.chat))
    }
}

impl From<GetParentOutput> for ToolCall {
    fn from(asked: GetParentOutput) -> ToolCall {
        ToolCall::GetParentOutput(asked.lines.unwrap_or(LINES))
    }
}
