//! What is to be done: plain data, carried out by workers and hands.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::model::chat::Pending;
use crate::model::tool::OpenDir;
use crate::model::{Answer, CallId, ChatId, ClientId, Handle, Happened, Mark, Problem, Timestamp, WorkId};
use crate::term::Spot;

use super::event::Size;

#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The last answer to a question.
    /// The answer to a hook, which its adapter puts into the words of the CLI.
    Rule(CallId, Answer),
    Reply(CallId, Result<Value, Problem>),
    /// One of several answers.
    Stream(CallId, Value),
    Pane(ChatId, PaneOrder),
    /// Slow work: ends in `Event::Done` with the same id.
    Work(WorkId, Job),
    /// Nobody waits for this call any more: whatever serves it may stop.
    Cancel(WorkId),
    WakeAt(Timestamp),
    /// Ends a client, with words for the person.
    Bye(ClientId, String),
    /// Bytes for a client's terminal outside the drawn cells: the bell.
    Ring(ClientId),
    /// Text for the clipboard of a client's terminal. Only a person's own selection gets there.
    Clipboard(ClientId, String),
    Shutdown,
}

/// What a terminal is told to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PaneOrder {
    Input(Vec<u8>),
    Resize(Size),
    /// Show a client the screen from this line on.
    View {
        client: ClientId,
        line: u64,
    },
    /// Read out what a client selected.
    Copy {
        client: ClientId,
        from: Spot,
        to: Spot,
    },
    /// Publish a screen once although nobody watches: a judgement needs it.
    Look,
    Stop {
        grace_ms: u64,
    },
    /// Forget the terminal of an agent that has ended.
    Drop,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Job {
    Create(NewRecord),
    /// Makes a chat of another one, with its projects and, where its CLI can, its conversation.
    Duplicate {
        from: ChatId,
        new: NewRecord,
        env: BTreeMap<String, String>,
    },
    /// Makes the demo's sample repository, where it is not there yet.
    Sample,
    /// Prepare the agent's files and start it.
    Start {
        chat: ChatId,
        env: BTreeMap<String, String>,
        size: Size,
    },
    Open {
        chat: ChatId,
        open: OpenDir,
        /// Where a bare name is looked for before the caches: the parent.
        parent: Option<ChatId>,
        /// Who waits: it hears of progress.
        call: Option<CallId>,
    },
    SaveSetup {
        chat: ChatId,
        project: String,
        files: Vec<String>,
    },
    Tally(ChatId),
    /// The mark says how far a CLI's own transcript was read for this.
    Append(ChatId, Vec<Happened>, Option<Mark>),
    /// The prompts that the agent has not got yet.
    Prompts(ChatId, Vec<Pending>),
    /// The agent CLI's session id changed: it is written down before it is used.
    Session {
        chat: ChatId,
        session: String,
    },
    Rename {
        chat: ChatId,
        name: String,
    },
    /// Makes sure that a chat can go to the trash, before anything is ended for it.
    ReadyTrash(ChatId),
    Trash(ChatId),
    Restore(String),
    /// Makes the directory of a chat anew after it vanished.
    Recreate(ChatId),
    Losses(ChatId),
    /// Adds a chat's MCP servers to what is told of it already.
    Servers {
        chat: ChatId,
        told: Value,
    },
    Screen {
        chat: ChatId,
        ansi: bool,
        scrollback: usize,
    },
    /// Streams the transcript to `call`; with `follow`, up to the last number that state knows of.
    /// The newest entries of a transcript, for its cards.
    Tail(ChatId),
    Entries {
        chat: ChatId,
        after: u64,
        call: CallId,
    },
    Log {
        chat: ChatId,
        lines: usize,
    },
    Detect {
        path: String,
        env: BTreeMap<String, String>,
    },
    Places {
        text: String,
        cwd: PathBuf,
    },
    /// Writes consent into `config.json` and trust into the CLI's own state.
    Trust {
        llm: String,
        env: BTreeMap<String, String>,
    },
}

impl Job {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            Job::Create(_)
            | Job::Duplicate { .. }
            | Job::Sample
            | Job::Start { .. }
            | Job::Open { .. }
            | Job::SaveSetup { .. }
            | Job::Append(..)
            | Job::Prompts(..)
            | Job::Session { .. }
            | Job::Rename { .. }
            | Job::ReadyTrash(_)
            | Job::Trash(_)
            | Job::Restore(_)
            | Job::Recreate(_)
            | Job::Trust { .. } => true,
            Job::Tally(_)
            | Job::Tail(_)
            | Job::Losses(_)
            | Job::Servers { .. }
            | Job::Screen { .. }
            | Job::Entries { .. }
            | Job::Log { .. }
            | Job::Detect { .. }
            | Job::Places { .. } => false,
        }
    }

    /// The call that hears of progress, or takes an answer in parts.
    pub fn call(&self) -> Option<CallId> {
        match self {
            Job::Open { call, .. } => *call,
            Job::Entries { call, .. } => Some(*call),
            Job::Create(_)
            | Job::Duplicate { .. }
            | Job::Sample
            | Job::Start { .. }
            | Job::SaveSetup { .. }
            | Job::Tally(_)
            | Job::Tail(_)
            | Job::Append(..)
            | Job::Prompts(..)
            | Job::Session { .. }
            | Job::Rename { .. }
            | Job::ReadyTrash(_)
            | Job::Trash(_)
            | Job::Restore(_)
            | Job::Recreate(_)
            | Job::Losses(_)
            | Job::Servers { .. }
            | Job::Screen { .. }
            | Job::Log { .. }
            | Job::Detect { .. }
            | Job::Places { .. }
            | Job::Trust { .. } => None,
        }
    }
}

/// What a new chat is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRecord {
    pub id: ChatId,
    pub name: String,
    pub handle: Handle,
    pub llm: String,
    pub role: Option<String>,
    pub parent: Option<ChatId>,
    pub disabled_servers: Vec<String>,
    /// What its agent is to get first.
    pub prompt: Option<String>,
}
