//! Messages between chats, and what a chat says of itself.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::entry::{ToolOf, changes};
use crate::model::Declared;
use crate::model::inbox::{DECLARED, Which};
use crate::model::text::one_line;

/// Characters of a note.
const NOTE: usize = 500;

pub(super) fn tools() -> [ToolOf<InboxCall>; 4] {
    [
        ToolOf {
            name: "report_to_parent",
            does: "Message the chat that dispatched this one.",
            when: Some("tell the chat that dispatched you what came of your work, or what you need"),
            ..changes::<ReportToParent, Sent, _>()
        },
        ToolOf {
            name: "send_message",
            does: "Message another chat of your tree; it gets it when idle.",
            when: Some("write to another chat of your tree"),
            ..changes::<SendMessage, Sent, _>()
        },
        ToolOf {
            name: "read_inbox",
            does: "Messages to this chat.",
            when: Some("what was written to you; what is new comes to you by itself"),
            ..changes::<ReadInbox, InboxAnswer, _>()
        },
        ToolOf {
            name: "set_status",
            does: "Say how your work stands.",
            when: Some("how your work stands: active, ready, blocked, done"),
            ..changes::<SetStatus, Set, _>()
        },
    ]
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InboxCall {
    ReportToParent(String),
    Send(SendMessage),
    Read(Which),
    SetStatus(Declared),
}

#[derive(Deserialize, JsonSchema)]
struct ReportToParent {
    message: String,
}

/// A message to another chat of the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SendMessage {
    /// Id, handle, or "parent"
    pub to: String,
    pub message: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Sent {
    id: String,
    to: String,
    held_by: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct ReadInbox {
    unread_only: Option<bool>,
    /// Id: only older ones
    before: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct InboxAnswer {
    messages: Vec<InboxAnswerMessage>,
    /// Older ones: use before
    more: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct InboxAnswerMessage {
    id: String,
    from: String,
    chat: Option<String>,
    verified: bool,
    message: String,
    read: bool,
    ts: String,
}

#[derive(Deserialize, JsonSchema)]
struct SetStatus {
    #[schemars(schema_with = "declared")]
    status: Word,
    #[serde(default)]
    note: Option<String>,
}

/// One of the words that others understand.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Word(String);

impl TryFrom<String> for Word {
    type Error = String;
    fn try_from(word: String) -> Result<Word, String> {
        match DECLARED.contains(&word.as_str()) {
            true => Ok(Word(word)),
            false => Err(format!("status is one of {}", DECLARED.join(", "))),
        }
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Set {
    status: String,
    note: String,
}

fn declared(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": DECLARED})
}

impl From<ReportToParent> for InboxCall {
    fn from(asked: ReportToParent) -> InboxCall {
        InboxCall::ReportToParent(asked.message)
    }
}

impl From<SendMessage> for InboxCall {
    fn from(asked: SendMessage) -> InboxCall {
        InboxCall::Send(asked)
    }
}

impl From<ReadInbox> for InboxCall {
    fn from(asked: ReadInbox) -> InboxCall {
        InboxCall::Read(match (asked.unread_only, asked.before) {
            (Some(true), _) => Which::Unread,
            (Some(false) | None, Some(id)) => Which::Before(id),
            (Some(false) | None, None) => Which::All,
        })
    }
}

impl From<SetStatus> for InboxCall {
    fn from(asked: SetStatus) -> InboxCall {
        InboxCall::SetStatus(Declared {
            status: asked.status.0,
            note: one_line(&asked.note.unwrap_or_default(), NOTE),
        })
    }
}
