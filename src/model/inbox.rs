//! Messages between chats: what waits in a chat's inbox, and what was read of it.

use serde::{Deserialize, Serialize};

use super::{ChatId, Timestamp};

/// A message. Who sent it is the engine's word, but for what somebody wrote into `inbox.json` by hand: that is
/// unverified, and `from` only what it says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InboxMessage {
    pub id: String,
    /// The sender's handle when it was sent, or `person`.
    pub from: String,
    /// The chat whose agent sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender: Option<ChatId>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unverified: bool,
    /// It is delivered as it is, as a prompt is, and not as a message from somebody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bare: bool,
    /// parlour tells of the sender: the words are not its agent's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub notice: bool,
    pub message: String,
    pub read: bool,
    pub ts: Timestamp,
    /// When it was written, as whoever wrote it by hand says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
}

impl InboxMessage {
    /// As those are told who read it.
    pub fn when(&self) -> String {
        self.written.clone().unwrap_or_else(|| self.ts.to_string())
    }
}

/// What an agent asks of its inbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Which {
    All,
    /// What came before the message of this id.
    Before(String),
    Unread,
}

/// What a chat says of itself, for others.
pub const DECLARED: [&str; 4] = ["active", "ready", "blocked", DONE];

/// What it says once its work is done.
pub const DONE: &str = "done";
