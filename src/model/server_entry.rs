//! The MCP servers of one chat as a person sees them: whence each comes, whether it is on, which tools it has.

use std::borrow::Cow;

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::server::OURS;
use super::{ProjectServer, tool};

/// One server of a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerEntry {
    pub name: String,
    pub source: Whence,
    /// The file that names it, below the chat's directory where it lies there.
    pub from: String,
    pub on: bool,
    /// `stdio` or `http`; empty where its entry does not say.
    pub transport: Cow<'static, str>,
    /// What is started or called, without what may be secret.
    pub place: String,
    /// Why it is off, or cannot be switched.
    pub because: Option<String>,
    #[serde(flatten)]
    pub tools: Tools,
    /// What a person agrees to who switches it on, of a server that a clone brings along.
    #[serde(flatten)]
    pub offer: Option<Offer>,
}

/// Who named it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Whence {
    Parlour,
    /// It is one of parlour's own tools, and no server.
    Tool,
    /// `globalMcpServers`.
    Config,
    /// Somebody's entry in the file that the chat's agent CLI reads.
    Own,
    Clone,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "ToolsWritten")]
pub enum Tools {
    /// Nobody asked it yet.
    Unknown,
    Known(Vec<String>),
    Failed(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    pub definition: String,
    /// See [`ProjectServer::spelled_out`].
    pub runs: Vec<String>,
}

impl ServerEntry {
    /// One of parlour's own tools that is on stands behind parlour's name already.
    pub fn goes_without_saying(&self) -> bool {
        self.source == Whence::Tool && self.on
    }

    /// The first sentence of what a tool of parlour's own does.
    pub fn does(&self) -> Option<&'static str> {
        let tool = self.name.strip_prefix(OURS)?.strip_prefix('/')?;
        let does = tool::named(tool)?.does;
        Some(
            does.split_once(". ")
                .map_or(does, |(first, _)| first)
                .trim_end_matches('.'),
        )
    }

    /// What tells it from all others of the chat.
    pub fn full_name(&self) -> String {
        match self.source {
            Whence::Clone => format!("{}:{}", self.from, self.name),
            Whence::Parlour | Whence::Tool | Whence::Config | Whence::Own => self.name.clone(),
        }
    }

    /// Whether this is the server that a person means.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.full_name() == name
    }
}

/// `tools` is null where they are not known, and `tools_problem` says why.
impl Serialize for Tools {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Tools::Known(tools) => map.serialize_entry("tools", tools)?,
            Tools::Unknown => map.serialize_entry("tools", &None::<()>)?,
            Tools::Failed(why) => {
                map.serialize_entry("tools", &None::<()>)?;
                map.serialize_entry("tools_problem", why)?;
            }
        }
        map.end()
    }
}

/// [`Tools`] as it is written.
#[derive(Deserialize)]
struct ToolsWritten {
    tools: Option<Vec<String>>,
    #[serde(default)]
    tools_problem: Option<String>,
}

impl From<ToolsWritten> for Tools {
    fn from(written: ToolsWritten) -> Tools {
        match (written.tools, written.tools_problem) {
            (Some(tools), _) => Tools::Known(tools),
            (None, Some(why)) => Tools::Failed(why),
            (None, None) => Tools::Unknown,
        }
    }
}

impl Offer {
    pub fn of(brought: &ProjectServer) -> Offer {
        Offer {
            definition: brought.definition.clone(),
            runs: brought.spelled_out(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tool::{Equipped, tools};

    #[test]
    fn each_tool_of_parlours_says_in_a_sentence_what_it_does() {
        for tool in tools(Equipped::Bare) {
            let entry = ServerEntry {
                name: crate::model::server::own_tool(tool.name),
                source: Whence::Tool,
                from: OURS.into(),
                on: true,
                transport: "".into(),
                place: String::new(),
                because: None,
                tools: Tools::Known(Vec::new()),
                offer: None,
            };
            let does = entry.does().unwrap();
            assert!(tool.does.starts_with(does) && !does.ends_with('.'), "{does}");
        }
    }
}
