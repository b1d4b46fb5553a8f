//! Everything that can happen to parlour, by where it came from.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::preferences::ScreenPlace;
use crate::model::request::{By, Request};
use crate::model::script::Proposal;
use crate::model::talk::OwnRewind;
use crate::model::tool::ToolCall;
use crate::model::{
    CallId, Chat, ChatId, ClientId, Glance, Happened, HookEvent, LiveText, Mark, PaneEvent, PaneId, Problem, Reported,
    Settings, Signal, Streamed, Timestamp, WorkId,
};
use crate::term::{Copied, FoundText, Screen};

use super::schedule::work::Schedules;
use super::work::{
    AgentDone, ApprovalDone, ChatDone, JournalDone, KeepDone, ProjectDone, ReadDone, ReviewDone, ScheduleDone,
    ScriptDone, ServerDone, SettingDone, StorageDone, TeamDone, TrashDone, UsageDone,
};

pub use super::read::work::PlaceHint;
pub use super::size::Size;

/// The root of what may happen. Detail nests in the variants.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Event {
    Clock(Timestamp),
    Client(ClientId, ClientEvent),
    Pty(PaneId, PtyEvent),
    Hook(CallId, ChatId, Vec<HookEvent>),
    Tool(CallId, ChatId, ToolCall),
    Ask(CallId, By, Request),
    Caller(CallId, Caller),
    Observed(ChatId, Observed),
    Disk(DiskEvent),
    Done(WorkId, Outcome),
}

/// What became of who waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Caller {
    /// It was told that it takes longer, and is to call again.
    CallsAgain,
    Gone,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ClientEvent {
    Attached(Attached),
    Input(crossterm::event::Event),
    /// Its terminal told its colours late, or has others now.
    Coloured(Colours),
    /// The text that was marked on its screen.
    Read(Copied),
    Gone,
}

/// What a terminal says of itself when it attaches.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attached {
    pub size: Size,
    /// Background and foreground as the terminal answered; `None` where it did not.
    pub colours: Option<Colours>,
    pub no_color: bool,
    /// Lines for a screen reader are wanted.
    #[serde(default)]
    pub reader: bool,
    #[serde(default)]
    pub depth: ColourDepth,
    /// A chat to open at once, by handle or id.
    pub chat: Option<String>,
    /// The chat of the directory that the screen is started in.
    #[serde(default)]
    pub bound: Option<ChatId>,
    /// Where the screen was under the last engine.
    #[serde(default)]
    pub place: Option<ScreenPlace>,
    /// Its editor is shown, where one is open.
    pub edits: bool,
    pub cwd: PathBuf,
    /// The person's environment: agents that this client starts run in it.
    pub env: BTreeMap<String, String>,
}

/// The environment holds credentials.
impl std::fmt::Debug for Attached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Attached")
            .field("size", &self.size)
            .field("chat", &self.chat)
            .finish_non_exhaustive()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Colours {
    pub foreground: (u8, u8, u8),
    pub background: (u8, u8, u8),
}

/// How many colours a terminal has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ColourDepth {
    /// 24 bits.
    #[default]
    True,
    /// The 256 of xterm.
    Indexed,
    Sixteen,
}

impl ColourDepth {
    pub fn of(truecolor: bool, indexed: bool) -> ColourDepth {
        match (truecolor, indexed) {
            (true, _) => ColourDepth::True,
            (false, true) => ColourDepth::Indexed,
            (false, false) => ColourDepth::Sixteen,
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum PtyEvent {
    /// The newest screen.
    Screen(Arc<Screen>),
    /// The screen that a client asked for, further back.
    View(ClientId, Arc<Screen>),
    /// What a client asked to copy.
    Copied(ClientId, Copied),
    /// Where the words are that a client looks for.
    Found(ClientId, FoundText),
    Said(PaneEvent),
    /// The program that has the terminal of a person's shell beside an agent; `None` where the shell itself has it.
    Front(Option<String>),
    /// The terminal is no more: nothing runs in it, and nobody looks at it.
    LetGo,
}

/// What is learned of an agent beside its hooks: from its files, its title, its connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Observed {
    Signals(Vec<Signal>),
    Transcript(Vec<Reported>, Mark),
    /// From its own server, with how far that brings us in its session.
    Stream(Vec<Streamed>, Option<Mark>),
    /// What it is writing now; an empty text where that is nothing any more.
    Writes(LiveText),
    /// Its screen says that a request is made again.
    Retry(Happened),
    /// At the place of its own server another program answers.
    Stranger,
    /// Its prompt is drawn: it can be typed to, though no hook has told of a session.
    Ready,
    /// All that its transcript held when its process was started has been heard.
    ReadUp,
    /// Its transcript goes on where it was: a resumed session is taken up.
    TakenUp,
    /// Its model answered with nothing, at which its CLI goes on by itself.
    AnsweredNothing,
    /// The keys of prompts that were told of before its transcript was listened to.
    Known(Vec<String>),
    /// A person went back in it, now or before this was heard.
    WentBack(OwnRewind),
    /// It has listed parlour's tools: a first prompt would find them.
    McpConnected,
    /// What its composer shows.
    Composer(Glance),
    /// Its call of one of parlour's tools is answered by an error, in these words.
    CallFailed {
        tool: String,
        why: String,
    },
    /// A call was refused at the door, in words.
    Refused(String),
    Script(ScriptReport),
}

/// What is heard of the scripts of a chat's projects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScriptReport {
    /// A clone was made whose setup is to run.
    Wanted {
        project: String,
    },
    /// A setup that nobody approved was left waiting, by an earlier engine or by the deletion of its chat.
    Waits(Box<Proposal>),
    Started {
        number: WorkId,
        pid: u32,
        project: String,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum DiskEvent {
    /// Every chat is loaded and agents are served. With the engine's own environment.
    Began(BTreeMap<String, String>),
    Chat(Box<Chat>),
    ChatGone(ChatId),
    /// The ends of what a killed engine left open in a chat's transcript.
    LeftOpen(ChatId, Vec<Happened>),
    Schedules(Schedules),
    Settings(Box<Result<Settings, Problem>>),
    /// A line for the log screen.
    Log(LogLine),
    /// The file below the home whose writing does not end; `None` once it has.
    Stalled(Option<String>),
    /// Chats of which something cannot be written, and why; `None` once all of it is.
    Unwritten(Option<(Vec<ChatId>, String)>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    pub at: Timestamp,
    pub level: Level,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Level {
    Error,
    Warn,
    Info,
}

/// What became of a piece of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    Failed(Problem),
    Chat(ChatDone),
    Trash(TrashDone),
    Storage(StorageDone),
    Journal(JournalDone),
    Agent(AgentDone),
    Project(ProjectDone),
    Team(TeamDone),
    Schedule(ScheduleDone),
    Script(ScriptDone),
    Approval(ApprovalDone),
    Server(ServerDone),
    Setting(SettingDone),
    Review(ReviewDone),
    Keep(KeepDone),
    Usage(UsageDone),
    Read(ReadDone),
}

#[cfg(test)]
mod tests;
