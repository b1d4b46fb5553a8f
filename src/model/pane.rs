//! The terminals that the engine holds, and what they report besides their screens.

use serde::{Deserialize, Serialize};

use super::{ChatId, WorkId};

/// Which terminal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PaneId {
    /// That of a chat's agent.
    Agent(ChatId),
    /// One beside it, by the number of the work that is done in it.
    Side(WorkId),
}

impl From<ChatId> for PaneId {
    fn from(chat: ChatId) -> PaneId {
        PaneId::Agent(chat)
    }
}

/// Plain data from a terminal's thread. Coalesced there: a hostile program can't flood the loop with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PaneEvent {
    /// A new screen is there to be taken.
    Changed,
    Started {
        pid: u32,
    },
    FailedToStart {
        why: String,
    },
    Exited {
        code: Option<i32>,
        signal: Option<i32>,
    },
    Title(String),
    Bell,
    Notify {
        title: String,
        body: String,
    },
    /// The emulator failed on this terminal's output and was rebuilt.
    ParserFailed,
    /// The program does not read: its input queue is full and what was sent last is not in it.
    InputRefused,
    Cwd(String),
    /// OSC 52: the program wants this in the clipboard.
    Clipboard(String),
    /// OSC 9;4: 0 to 100, `None` when it ends.
    Progress(Option<u8>),
    /// OSC 133;C: a shell begins to run a command line.
    CommandBegan {
        is_ours: bool,
    },
    /// OSC 133;D: a shell's command line has ended, with this exit code. `is_ours`: of the very shell that parlour started.
    CommandEnded {
        code: i32,
        is_ours: bool,
    },
}

impl PaneEvent {
    /// Its program is gone, or never was.
    pub fn is_end(&self) -> bool {
        match self {
            PaneEvent::FailedToStart { .. } | PaneEvent::Exited { .. } => true,
            PaneEvent::Changed
            | PaneEvent::Started { .. }
            | PaneEvent::Title(_)
            | PaneEvent::Bell
            | PaneEvent::Notify { .. }
            | PaneEvent::ParserFailed
            | PaneEvent::InputRefused
            | PaneEvent::Cwd(_)
            | PaneEvent::Clipboard(_)
            | PaneEvent::Progress(_)
            | PaneEvent::CommandBegan { .. }
            | PaneEvent::CommandEnded { .. } => false,
        }
    }
}
