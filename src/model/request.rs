//! What a shell verb or an attached terminal asks of the engine: the body of a wire request.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ChatId;
use super::tool::OpenDir;

/// A chat as a person names it: handle, id, or a unique beginning of at least four characters.
pub type ChatName = String;

/// One request; the answer's shape is given with each verb on the shell page.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "kebab-case")]
pub enum Request {
    /// Becomes a screen: frames follow until either side says bye. Its fields are `wire::Attach`.
    Attach(Value),
    Ping,
    Hook {
        chat: String,
        token: String,
        agent: String,
        event: String,
        payload: Value,
    },
    List,
    Status,
    New(NewChat),
    /// A chat with the demo agent on a sample repository; of the fields only `cwd` and `env` count.
    Demo(NewChat),
    OpenDir {
        chat: ChatName,
        #[serde(flatten)]
        open: OpenDir,
    },
    Send {
        chat: ChatName,
        text: String,
        /// Wait for the turn's end instead of steering.
        #[serde(default)]
        follow_up: bool,
        /// What an agent that has exited is started again with.
        #[serde(default)]
        env: BTreeMap<String, String>,
        /// The chat under whose agent it is sent: over the wire a claim, behind the engine's door what the kernel says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sender: Option<ChatId>,
    },
    Wait {
        chat: ChatName,
        #[serde(rename = "for")]
        until: Until,
    },
    Screen {
        chat: ChatName,
        #[serde(default)]
        ansi: bool,
        #[serde(default)]
        scrollback: usize,
    },
    Events {
        chat: ChatName,
        #[serde(default)]
        after: u64,
        #[serde(default)]
        follow: bool,
    },
    Explain {
        chat: ChatName,
    },
    Stop {
        chat: ChatName,
        #[serde(default)]
        tree: bool,
    },
    Resume {
        chat: ChatName,
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    /// Stops the agent and resumes it, with its files written anew.
    Restart {
        chat: ChatName,
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    /// What deleting would lose; with `yes`, delete.
    Rm {
        chat: ChatName,
        #[serde(default)]
        yes: bool,
    },
    UndoRm {
        chat: ChatName,
    },
    Rename {
        chat: ChatName,
        name: String,
    },
    /// A new chat of this one, with its projects and, where its CLI can, its conversation.
    Duplicate {
        chat: ChatName,
        #[serde(default)]
        name: Option<String>,
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    Log {
        chat: ChatName,
        #[serde(default)]
        lines: usize,
    },
    /// End the engine and with it every agent.
    Approvals,
    /// Allows what an agent asks, once.
    Approve {
        request: String,
    },
    Deny {
        request: String,
    },
    KillEngine,
}

impl Request {
    /// A request as it came over the wire. `attach` keeps its body for the door, which knows its shape.
    pub fn parse(body: Value) -> Result<Request, String> {
        match body.get("verb").and_then(Value::as_str) {
            Some("attach") => Ok(Request::Attach(body)),
            Some(_) => serde_json::from_value(body).map_err(|error| error.to_string()),
            None => Err("it has no verb".into()),
        }
    }

    /// What destroys or ends something: a person's to ask for, not an agent's.
    pub fn is_control(&self) -> bool {
        match self {
            Request::Rm { yes, .. } => *yes,
            Request::KillEngine
            | Request::Stop { .. }
            | Request::Restart { .. }
            | Request::Approve { .. }
            | Request::Deny { .. } => true,
            Request::Attach(_)
            | Request::Ping
            | Request::Hook { .. }
            | Request::List
            | Request::Status
            | Request::Approvals
            | Request::New(_)
            | Request::Demo(_)
            | Request::OpenDir { .. }
            | Request::Send { .. }
            | Request::Wait { .. }
            | Request::Screen { .. }
            | Request::Events { .. }
            | Request::Explain { .. }
            | Request::Resume { .. }
            | Request::UndoRm { .. }
            | Request::Rename { .. }
            | Request::Duplicate { .. }
            | Request::Log { .. } => false,
        }
    }
}

/// Requests carry environments and tokens: only the verb is printed.
impl std::fmt::Debug for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let whole = serde_json::to_value(self).unwrap_or_default();
        f.write_str(whole.get("verb").and_then(Value::as_str).unwrap_or("request"))
    }
}

/// A chat to be made. Its agent starts in the environment of whoever asked.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NewChat {
    pub name: Option<String>,
    pub prompt: Option<String>,
    pub llm: Option<String>,
    pub role: Option<String>,
    pub dirs: Vec<OpenDir>,
    pub without_mcp: Vec<String>,
    pub cwd: PathBuf,
    pub env: BTreeMap<String, String>,
}

/// The environment holds a person's credentials: it is never printed.
impl std::fmt::Debug for NewChat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewChat")
            .field("name", &self.name)
            .field("llm", &self.llm)
            .field("dirs", &self.dirs)
            .finish_non_exhaustive()
    }
}

/// What `parlour wait` waits for. `Idle` is met by idle or exited, `Done` by declared done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    Idle,
    NeedsYou,
    Done,
    Exited,
}
