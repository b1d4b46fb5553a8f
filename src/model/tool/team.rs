//! Chats that an agent makes, and what it sees of them.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::entry::{ToolOf, changes, reads};
use crate::model::Declared;
use crate::model::atom::AtomKey;
use crate::model::request::Until;

/// Lines of a parent's output, where the caller does not say.
const LINES: usize = 50;

pub(super) fn tools() -> [ToolOf<TeamCall>; 5] {
    [
        ToolOf {
            name: "dispatch",
            does: "Start another agent in a chat below this one, with its own clone. Your commits come along, other \
                   changes do not.",
            when: Some("start another agent on a part of the work. Its prompt is all it knows of it"),
            ..changes::<Dispatch, Dispatched, _>()
        },
        ToolOf {
            name: "get_status",
            does: "What a chat below this one (or the parent) does, and its last answer.",
            when: Some("what such an agent does, and its last answer"),
            ..reads::<GetStatus, StatusAnswer, _>()
        },
        ToolOf {
            name: "wait_for",
            does: "Wait until chats you dispatched are done, or one needs somebody. Repeat a call that answers \"still \
                   running\".",
            when: Some("wait for them instead of asking again and again"),
            ..reads::<WaitFor, Waited, _>()
        },
        ToolOf {
            name: "list_children",
            does: "The chats you dispatched.",
            when: Some("all you dispatched"),
            ..reads::<ListChildren, Children, _>()
        },
        ToolOf {
            name: "get_parent_output",
            does: "What the chat that dispatched this one said last.",
            when: Some("what the chat that dispatched you said last"),
            ..reads::<GetParentOutput, OutputAnswer, _>()
        },
    ]
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TeamCall {
    Dispatch(Dispatch),
    /// A chat by id, handle or session.
    GetStatus(String),
    WaitFor(WaitFor),
    /// Of the caller, where none is named.
    ListChildren(Option<String>),
    /// The parent's last words, so many lines of them.
    GetParentOutput(usize),
}

/// Make a chat below the caller's, and start its agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dispatch {
    /// Everything that the new agent needs to know
    pub prompt: String,
    /// As in open_dir; default: your only one
    pub project: Option<String>,
    /// Made from base where new; default: yours
    pub branch: Option<String>,
    pub base: Option<String>,
    /// Agent CLI; default: yours
    pub llm: Option<String>,
    pub role: Option<String>,
    pub name: Option<String>,
    /// MOLECULE/ID, claimed for the new chat
    #[schemars(with = "Option<String>")]
    #[serde(
        default,
        deserialize_with = "atom",
        serialize_with = "named",
        skip_serializing_if = "Option::is_none"
    )]
    pub atom: Option<AtomKey>,
}

/// An atom by the name that it has in needs of other molecules.
fn atom<'de, D: Deserializer<'de>>(from: D) -> Result<Option<AtomKey>, D::Error> {
    let name = String::deserialize(from)?;
    let (molecule, id) = name
        .split_once('/')
        .ok_or_else(|| serde::de::Error::custom("atom is MOLECULE/ID"))?;
    Ok(Some(AtomKey::new(molecule, id)))
}

fn named<S: Serializer>(atom: &Option<AtomKey>, to: S) -> Result<S::Ok, S::Error> {
    atom.as_ref().map(AtomKey::to_string).serialize(to)
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
struct GetStatus {
    /// Or a chat's id or handle
    session_id: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct StatusAnswer {
    chat_id: String,
    handle: String,
    status: String,
    detail: String,
    #[schemars(with = "Option<Map<String, Value>>")]
    declared: Option<Declared>,
    output: String,
}

/// Wait until the chats named have come to something, or all children where none is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WaitFor {
    /// Empty: all your children
    #[serde(default)]
    pub chats: Vec<String>,
    /// done: as set_status says. Default: idle
    #[serde(default, rename = "for")]
    pub until: Until,
    /// Seconds
    pub timeout: Option<u64>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Waited {
    met: bool,
    chats: Vec<Child>,
}

#[derive(Deserialize, JsonSchema)]
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
struct GetParentOutput {
    lines: Option<usize>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct OutputAnswer {
    text: String,
}

impl From<Dispatch> for TeamCall {
    fn from(asked: Dispatch) -> TeamCall {
        TeamCall::Dispatch(asked)
    }
}

impl From<GetStatus> for TeamCall {
    fn from(asked: GetStatus) -> TeamCall {
        TeamCall::GetStatus(asked.session_id)
    }
}

impl From<WaitFor> for TeamCall {
    fn from(asked: WaitFor) -> TeamCall {
        TeamCall::WaitFor(asked)
    }
}

impl From<ListChildren> for TeamCall {
    fn from(asked: ListChildren) -> TeamCall {
        TeamCall::ListChildren(asked.chat)
    }
}

impl From<GetParentOutput> for TeamCall {
    fn from(asked: GetParentOutput) -> TeamCall {
        TeamCall::GetParentOutput(asked.lines.unwrap_or(LINES))
    }
}
