//! What a shell verb or an attached terminal asks of the engine: the body of a wire request.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::chat::ListMark;
use super::chat_change::ChatChange;
pub use super::id::ChatName;
use super::keep::KeepAsk;
pub use super::new_chat::{Handed, NewChat};
use super::open_dir::OpenDir;
use super::query::QueryRequest;
use super::queue::QueueAsk;
use super::review::{Point, ReviewAsk};
pub use super::schedule::ScheduleAsk;
use super::script::ScriptAsk;
use super::storage::StorageAsk;
use super::template::TemplateAsk;
use super::todo::TodoChange;
use super::usage::UsageBy;
use super::{ChatId, atom};

mod control;
mod environment;

/// One request, by noun; the answer's shape is given with each verb on the shell page. As JSON it has a `noun`, and a `verb`
/// unless the noun has an `ask`: `{"noun":"chat","verb":"stop","chat":"fix-auth"}`.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "noun", rename_all = "kebab-case")]
pub enum Request {
    /// Becomes a screen: frames follow until either side says bye. Its fields are `wire::Attach`.
    Attach(Value),
    Engine(EngineRequest),
    Chats(ChatsRequest),
    Chat(ChatRequest),
    Project(ProjectRequest),
    Server(ServerRequest),
    Trash(TrashRequest),
    /// What lies on disk beside the chats' own work.
    Storage(StorageAsk),
    Approval(ApprovalRequest),
    Query(QueryRequest),
    /// The work graph of a chat's tree; without a chat, of the sender's or of all.
    Work {
        #[serde(default)]
        chat: Option<ChatName>,
        /// As of [`ChatRequest::Send`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sender: Option<ChatId>,
        ask: atom::AtomAsk,
    },
    Schedule {
        #[serde(flatten)]
        ask: ScheduleAsk,
        /// What a run by hand starts its agent with.
        #[serde(default)]
        env: BTreeMap<String, String>,
        /// As of [`ChatRequest::Send`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sender: Option<ChatId>,
    },
    /// The changes and checkpoints of a chat.
    Review {
        chat: ChatName,
        ask: ReviewAsk,
    },
    /// Keeping what is in the clones of a chat: in one of them, or in all that have something to keep.
    Keep {
        chat: ChatName,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        project: Option<String>,
        ask: KeepAsk,
    },
    /// Which branches of one project conflict: those of this chat with others', or of all.
    Radar {
        #[serde(default)]
        chat: Option<ChatName>,
    },
    /// What agents used of their models: in this chat, or in all.
    Usage {
        #[serde(default)]
        chat: Option<ChatName>,
        #[serde(default)]
        by: UsageBy,
    },
}

/// The engine itself.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "kebab-case")]
pub enum EngineRequest {
    Ping,
    Hook {
        chat: String,
        token: String,
        agent: String,
        event: String,
        payload: Value,
    },
    Status,
    /// `config.json` was changed: take it up before the answer.
    Settings,
    /// End the engine and with it every agent.
    KillEngine,
}

/// All chats, and new ones.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "kebab-case")]
pub enum ChatsRequest {
    List,
    New(NewChat),
    /// A chat with the demo agent on a sample repository; of the fields only `cwd` and `env` count.
    Demo(NewChat),
    /// As `Demo`, with an agent that makes more of its kind.
    DemoTeam(NewChat),
    /// Resumes all agents that ran when the engine ended.
    ResumeAll {
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
}

/// One chat and its agent.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "kebab-case")]
pub enum ChatRequest {
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
        /// The sender's own name for this prompt: asked again with the same one, it is the same prompt. Empty: none.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        id: String,
        /// Answer only once the agent has it.
        #[serde(default)]
        wait: bool,
    },
    /// Its CLI sums the conversation up, by its own command, with these words if it takes any.
    Compact {
        chat: ChatName,
        #[serde(default)]
        words: String,
        #[serde(default)]
        env: BTreeMap<String, String>,
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
        /// With what is hidden since somebody went back.
        #[serde(default)]
        all: bool,
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
    /// Stops the agent and resumes it, with its files written again.
    Restart {
        chat: ChatName,
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    Rename {
        chat: ChatName,
        name: String,
    },
    /// How its agent runs.
    Set {
        chat: ChatName,
        changes: Vec<ChatChange>,
    },
    /// Where it stands in lists of chats.
    Mark {
        chat: ChatName,
        mark: ListMark,
        on: bool,
    },
    /// A new chat of this one, with its projects and, where its CLI can, its conversation.
    Duplicate {
        chat: ChatName,
        #[serde(default)]
        name: Option<String>,
        /// A fork: its projects and conversation as they were then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Point>,
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    Log {
        chat: ChatName,
        #[serde(default)]
        lines: usize,
    },
    /// The prompt templates that can be used in it.
    Template {
        chat: ChatName,
        ask: TemplateAsk,
        /// The home directory of whoever asks: their own templates lie there.
        #[serde(default)]
        person: Option<PathBuf>,
    },
    /// The prompts that wait for its agent.
    Queue {
        chat: ChatName,
        ask: QueueAsk,
    },
    /// Its list of todos, after these changes.
    Todos {
        chat: ChatName,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changes: Vec<TodoChange>,
        /// Whether its work can be declared done, pushed and made a pull request of only once all are done.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first: Option<bool>,
    },
}

/// What a chat has open.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "kebab-case")]
pub enum ProjectRequest {
    OpenDir {
        chat: ChatName,
        #[serde(flatten)]
        open: OpenDir,
    },
    Script {
        chat: ChatName,
        ask: ScriptAsk,
    },
    /// Opens an editor in a terminal beside the agent's; in the first directory of the chat where none is named.
    Edit {
        chat: ChatName,
        #[serde(default)]
        dir: Option<String>,
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
}

/// The MCP servers of a chat.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "kebab-case")]
pub enum ServerRequest {
    /// With `tools`, each that is on is started or called and asked for its tools.
    #[serde(rename = "servers")]
    List {
        chat: ChatName,
        #[serde(default)]
        tools: bool,
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    /// Switches one of them, from the next start of the agent on.
    #[serde(rename = "switch-server")]
    Switch {
        chat: ChatName,
        name: String,
        #[serde(rename = "to")]
        switch: Switch,
    },
}

/// Deleted chats.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "kebab-case")]
pub enum TrashRequest {
    /// What deleting would lose; with `yes`, delete.
    Rm {
        chat: ChatName,
        #[serde(default)]
        yes: bool,
    },
    UndoRm {
        chat: ChatName,
    },
    #[serde(rename = "trash")]
    List,
    /// What removing for good would lose; with `yes`, remove.
    #[serde(rename = "purge-trash")]
    Purge {
        #[serde(default)]
        chat: Option<ChatName>,
        #[serde(default)]
        yes: bool,
    },
}

/// What agents ask before they use a tool.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "kebab-case")]
pub enum ApprovalRequest {
    #[serde(rename = "approvals")]
    List,
    /// The one question that is meant by an id, by a chat, or by nothing if it is the only one. It answers none.
    #[serde(rename = "approvals-meant")]
    Meant {
        #[serde(default)]
        request: Option<String>,
    },
    /// Allows what an agent asks, once.
    Approve { request: String },
    /// Has a rule written that allows it from now on; without one, the one that is proposed first.
    #[serde(rename = "approve-always")]
    Always {
        request: String,
        #[serde(default)]
        rule: Option<String>,
    },
    /// The rules that it could have written.
    #[serde(rename = "approve-rules")]
    Rules { request: String },
    Deny {
        request: String,
        /// Said to the agent.
        #[serde(default)]
        reason: String,
    },
}

/// On whose word a request is, as the kernel says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum By {
    Person,
    /// A process of this chat: its agent's, or what was run for it.
    Chat(ChatId),
}

impl Request {
    /// A request as it came over the wire. `attach` keeps its body for the door, which knows its shape.
    pub fn parse(body: Value) -> Result<Request, String> {
        match (body.get("verb").and_then(Value::as_str), body.get("noun")) {
            (Some("attach"), _) => Ok(Request::Attach(body)),
            (Some(_) | None, Some(_)) => serde_json::from_value(body).map_err(|error| error.to_string()),
            (Some(_) | None, None) => Err("it has no noun".into()),
        }
    }
}

/// Requests carry environments and tokens: only the verb, or else the noun, is printed.
impl std::fmt::Debug for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let whole = serde_json::to_value(self).unwrap_or_default();
        let said = whole.get("verb").or_else(|| whole.get("noun")).and_then(Value::as_str);
        f.write_str(said.unwrap_or("request"))
    }
}

/// What becomes of an MCP server of a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Switch {
    Off,
    On,
    /// Of a server that a clone brings along: as a person has read its definition, and no other.
    Agreed(String),
}

/// What `parlour wait` waits for. `Idle` is met by idle or exited, `Done` by declared done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    #[default]
    Idle,
    NeedsYou,
    Done,
    Exited,
}
