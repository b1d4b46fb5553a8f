//! What workers do with the MCP servers of a chat.

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
