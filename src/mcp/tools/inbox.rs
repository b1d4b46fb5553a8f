//! Messages between chats, and what a chat says of itself.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::offer::{Offer, Reads, offer};
use crate::model::inbox::{DECLARED, Which};
use crate::model::text::one_line;
use crate::model::{Declared, ToolCall};

/// Characters of a note.
const NOTE: usize = 500;

pub fn offers() -> Vec<Offer> {
    vec![
        offer::<ReportToParent, Sent>(
            "report_to_parent",
            "Message the chat that dispatched this one.",
            Reads::No,
        ),
        offer::<SendMessage, Sent>(
            "send_message",
            "Message another chat of your tree; it is prompted with it when idle.",
            Reads::No,
        ),
        offer::<ReadInbox, Inbox>("read_inbox", "Messages to this chat.", Reads::No),
        offer::<SetStatus, Set>("set_status", "Say how your work stands.", Reads::No),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReportToParent {
    message: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SendMessage {
    /// Id, handle, or "parent"
    to: String,
    message: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Sent {
    id: String,
    to: String,
    held_by: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadInbox {
    unread_only: Option<bool>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Inbox {
    messages: Vec<Message>,
    more: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Message {
    id: String,
    from: String,
    chat: Option<String>,
    verified: bool,
    message: String,
    read: bool,
    ts: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
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

impl From<ReportToParent> for ToolCall {
    fn from(asked: ReportToParent) -> ToolCall {
        ToolCall::ReportToParent(asked.message)
    }
}

impl From<SendMessage> for ToolCall {
    fn from(asked: SendMessage) -> ToolCall {
        ToolCall::SendMessage {
            to: asked.to,
            message: asked.message,
        }
    }
}

impl From<ReadInbox> for ToolCall {
    fn from(asked: ReadInbox) -> ToolCall {
        ToolCall::ReadInbox(match asked.unread_only {
            Some(true) => Which::Unread,
            Some(false) | None => Which::All,
        })
    }
}

impl From<SetStatus> for ToolCall {
    fn from(asked: SetStatus) -> ToolCall {
        ToolCall::SetStatus(Declared {
            status: asked.status.0,
            note: one_line(&asked.note.unwrap_or_default(), NOTE),
        })
    }
}
