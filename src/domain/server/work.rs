//! What workers do with the MCP servers of a chat.

use crate::model::{Chat, ServerEntry};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::model::ChatId;
use crate::model::request::Switch;

/// Work on the MCP servers of a chat.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerWork {
    /// A chat's MCP servers; with an environment, asked for their tools in it.
    List {
        chat: ChatId,
        ask: Option<BTreeMap<String, String>>,
    },
    Switch {
        chat: ChatId,
        name: String,
        switch: Switch,
    },
}

impl ServerWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            ServerWork::Switch { .. } => true,
            ServerWork::List { .. } => false,
        }
    }
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ServerDone {
    /// A chat's MCP servers, and the chat itself where one was switched.
    Listed {
        chat: ChatId,
        changed: Option<Box<Chat>>,
        servers: Vec<ServerEntry>,
    },
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerThen {
    /// They are the answer.
    Answer,
}
