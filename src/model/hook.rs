//! An agent CLI calling us, in words that are the same for every CLI.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Trouble;

/// A hook as it came in: not yet believed, not yet understood.
#[derive(Clone, Debug, PartialEq)]
pub struct HookCall {
    /// The adapter's name, `claude`.
    pub agent: String,
    /// The CLI's own name of the event, `PreToolUse`.
    pub event: String,
    pub payload: Value,
}

/// What an adapter makes of it. A hook's word is a claim, and is checked where it can be.
///
/// Some CLIs give prompts and tools no ids in their hooks, only in their transcript. Then the id is empty here: the hook
/// says what happens now, and the transcript what is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum HookEvent {
    SessionStarted {
        session: String,
        /// `startup`, `resume`, `resuming` (which takes a while yet), `clear`, `compact`.
        source: String,
        model: Option<String>,
        cwd: String,
    },
    SessionEnded {
        reason: String,
    },
    Prompt {
        id: String,
        text: String,
    },
    /// Words of the agent, from a CLI that has no transcript for them.
    Said {
        id: String,
        text: String,
    },
    ToolStarted {
        id: String,
        name: String,
        input: Value,
        parent: Option<String>,
        /// Where the agent is, where its CLI says so.
        cwd: Option<PathBuf>,
    },
    ToolEnded {
        id: String,
        name: String,
        output: String,
        failed: bool,
        interrupted: bool,
        ms: Option<u64>,
        /// Where the agent is now, where its CLI says so.
        cwd: Option<PathBuf>,
    },
    /// A permission dialog is open. The CLI may give no id: match by tool and input. A tool without a name is the newest.
    PermissionAsked {
        tool: String,
        input: Value,
        /// It asks only whether the call may reach these directories, and about the call itself afterwards.
        #[serde(default)]
        reach: Vec<String>,
    },
    /// Its CLI refuses this call because another one was refused.
    RefusedAlong {
        tool: String,
    },
    /// It is at work again: a person let it use this tool, or answered whatever it asked where none is named.
    WorksOn {
        tool: String,
    },
    /// The CLI says that it waits for somebody.
    Waiting {
        text: String,
    },
    /// The turn is over. `background` counts what works on behind it and brings a turn of its own.
    TurnEnded {
        background: u32,
    },
    /// The same, from a CLI that counts nothing: sub-agents of whose end nothing was heard work on.
    OwnTurnEnded,
    /// So many commands run on behind calls that have ended: they may never end.
    Background {
        running: u32,
    },
    TurnFailed {
        error: String,
        message: String,
        trouble: Trouble,
    },
    /// A person broke the turn off, as its CLI says.
    Interrupted,
    SubagentStarted {
        id: String,
        name: String,
    },
    SubagentEnded {
        id: String,
        name: String,
    },
    Compacting {
        trigger: String,
    },
    CwdChanged {
        cwd: PathBuf,
    },
    /// Known to exist, of no use to us.
    Ignored,
    /// Could not be read: kept as `unknown`.
    Odd {
        why: String,
    },
}

/// The answer to what a CLI asks through its server about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAnswer {
    /// The call, as the CLI names it.
    pub about: String,
    /// It answers whether the call may reach beyond the agent's directory, and not yet the call itself.
    pub is_of_reach: bool,
    pub answer: HookAnswer,
}

/// What parlour answers to a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookAnswer {
    /// The CLI goes on as if there were no hook.
    NoOpinion,
    Allow,
    /// Refused, with the reason for the agent.
    Deny(String),
    /// A person is asked, with the reason.
    Ask(String),
    /// Text put before the agent.
    Context(String),
}
