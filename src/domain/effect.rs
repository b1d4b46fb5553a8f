//! What is to be done: plain data, carried out by workers and hands.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::model::atom::{self, By, Release};
use crate::model::chat::Pending;
use crate::model::deed::Errand;
use crate::model::inbox::{Message, Which};
use crate::model::open_dir::OpenDir;
use crate::model::request::Switch;
use crate::model::schedule::Change;
use crate::model::script::Order;
use crate::model::{
    Answer, CallId, ChatId, ClientId, Declared, Handle, Mark, PaneId, Problem, Schedule, ScheduleId, Timestamp, Told,
    WorkId,
};
use crate::permission::Case;
use crate::term::Spot;

use super::agent::whereabouts::Arrival;
use super::event::{Size, Whence};

#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The answer to a hook, which its adapter puts into the words of the CLI.
    Rule(CallId, Answer),
    /// The last answer to a question.
    Reply(CallId, Result<Value, Problem>),
    /// One of several answers.
    Stream(CallId, Value),
    Pane(PaneId, PaneOrder),
    /// Slow work: ends in `Event::Done` with the same id.
    Work(WorkId, Job),
    /// Nobody waits for this call any more: whatever serves it may stop.
    Cancel(WorkId),
    /// This chat is stopped or deleted: whatever is being opened for it may stop.
    CancelFor(ChatId),
    WakeAt(Timestamp),
    /// Wake when the wall clock shows this, however it gets there: by time, sleep, or being set. It takes the place of
    /// the alarm before.
    Alarm(Option<Timestamp>),
    /// Ends a client, with words for the person.
    Bye(ClientId, String),
    /// Bytes for a client's terminal outside the drawn cells: the bell.
    Ring(ClientId),
    /// Text for the clipboard of a client's terminal. Only a person's own selection gets there.
    Clipboard(ClientId, String),
    /// How far a call has come, for whoever waits for it.
    Progress(CallId, String),
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
    /// Tell what it shows after all that was typed, whether that changed or not.
    Read,
    /// What it says from now on is neither shown nor kept: it goes on to look as it does.
    Freeze,
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
    /// As `Open`, of a project that another chat has: from its clone.
    OpenFrom {
        chat: ChatId,
        from: ChatId,
        open: OpenDir,
        call: CallId,
    },
    /// A chat's last answer; with a number, so many lines of the last ones.
    LastWords(ChatId, Option<usize>),
    SaveSetup {
        chat: ChatId,
        project: String,
        files: Vec<String>,
    },
    Tally(ChatId),
    /// The mark says how far a CLI's own transcript was read for this.
    Append(ChatId, Vec<Told>, Option<Mark>),
    /// The prompts that the agent has not got yet.
    Prompts(ChatId, Vec<Pending>),
    /// The agent CLI's session id changed: it is written down before it is used.
    Session {
        chat: ChatId,
        session: String,
    },
    Inbox(ChatId, InboxJob),
    /// What an agent says of itself is written into its directory.
    Declare(ChatId, Declared),
    Rename {
        chat: ChatId,
        name: String,
    },
    /// Makes sure that a chat can go to the trash, before anything is ended for it.
    ReadyTrash(ChatId),
    Trash(ChatId),
    /// A chat in the trash by id, handle or name; without one, what was deleted last.
    Restore(Option<String>),
    ListTrash,
    /// Removes for good what is in the trash: one chat, or all.
    PurgeTrash(Option<String>),
    /// A chat that was not made whole and whose agent never ran: nothing of it stays.
    Discard(ChatId),
    /// What removing this for good would lose, or all that is in the trash.
    TrashLosses(Option<String>),
    /// Removes what has been in the trash for long enough.
    Upkeep,
    /// Makes the directory of a chat anew after it vanished.
    Recreate(ChatId),
    Losses(ChatId),
    /// Adds a chat's MCP servers to what is told of it already.
    Servers {
        chat: ChatId,
        told: Value,
    },
    /// A chat's MCP servers; with an environment, asked for their tools in it.
    ListServers {
        chat: ChatId,
        ask: Option<BTreeMap<String, String>>,
    },
    /// What a project says to the agent that came into it.
    Instruct(ChatId, Arrival),
    /// As [`Job::Instruct`], told by the chat's `AGENTS.md`.
    InstructByFile(ChatId, Arrival),
    SwitchServer {
        chat: ChatId,
        name: String,
        switch: Switch,
    },
    Screen {
        chat: ChatId,
        ansi: bool,
        scrollback: usize,
    },
    /// Streams the transcript to `call`; with `follow`, up to the last number that state knows of.
    /// The newest entries of a transcript, for its cards.
    Tail(ChatId),
    /// A piece of a call's whole output.
    Output {
        chat: ChatId,
        file: String,
        whence: Whence,
        /// The next of these words from there on, or the last before there.
        seeks: Option<String>,
    },
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
    /// Loads the root of a tree again, with its work graph.
    ReadAtoms(ChatId),
    /// Changes the work graph of a tree.
    Atoms {
        root: ChatId,
        change: atom::Change,
        by: Box<By>,
    },
    /// Frees what a chat whose agent has ended had in progress.
    FreeAtoms(ChatId, Release),
    MakeSchedule(Box<Schedule>),
    Schedule(ScheduleId, Change),
    CancelSchedule(ScheduleId),
    /// Loads a chat whose run is over, and runs its check where its project lies.
    Check {
        chat: ChatId,
        command: Option<String>,
        env: BTreeMap<String, String>,
        seconds: u64,
    },
    /// The scripts of a chat's projects.
    Scripts(ChatId),
    ApproveScript {
        chat: ChatId,
        order: Order,
        definition: String,
    },
    /// A person does not want the setup of this project to run.
    DenySetup {
        chat: ChatId,
        project: String,
    },
    /// Runs it to its end, under this number.
    RunScript {
        number: WorkId,
        chat: ChatId,
        order: Order,
        env: BTreeMap<String, String>,
        size: Size,
    },
    /// Judges what an agent is about to do.
    Judge(Box<Case>),
    /// Does for an agent what it has no tools for, under this number.
    Deed {
        number: WorkId,
        chat: ChatId,
        errand: Errand,
        env: BTreeMap<String, String>,
    },
    /// Ends a script, an editor or a command of an agent.
    StopScript(WorkId),
    /// Runs a person's editor to its end, under this number.
    Edit {
        number: WorkId,
        chat: ChatId,
        dir: Option<String>,
        env: BTreeMap<String, String>,
        size: Size,
    },
    /// Writes consent into `config.json` and trust into the CLI's own state.
    Trust {
        llm: String,
        env: BTreeMap<String, String>,
    },
}

/// What is to be done with the messages of a chat.
#[derive(Clone, Debug, PartialEq)]
pub enum InboxJob {
    /// A message came.
    Take(Message),
    /// These were read.
    Read(Vec<String>),
    /// The agent reads its inbox, but for these, which it gets as prompts.
    Tell(Which, Vec<String>),
    /// `inbox.json` may have been changed by others, or a new agent is to get what is unread.
    Look,
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
            | Job::OpenFrom { .. }
            | Job::SaveSetup { .. }
            | Job::Append(..)
            | Job::Prompts(..)
            | Job::Session { .. }
            | Job::Inbox(..)
            | Job::Declare(..)
            | Job::Rename { .. }
            | Job::SwitchServer { .. }
            | Job::ReadyTrash(_)
            | Job::Trash(_)
            | Job::Discard(_)
            | Job::Restore(_)
            | Job::PurgeTrash(_)
            | Job::Upkeep
            | Job::Recreate(_)
            | Job::InstructByFile(..)
            | Job::Atoms { .. }
            | Job::FreeAtoms(..)
            | Job::MakeSchedule(_)
            | Job::Schedule(..)
            | Job::CancelSchedule(_)
            | Job::Check { .. }
            | Job::ApproveScript { .. }
            | Job::DenySetup { .. }
            | Job::RunScript { .. }
            | Job::Edit { .. }
            | Job::Deed { .. }
            | Job::Trust { .. } => true,
            Job::Tally(_)
            | Job::Judge(_)
            | Job::Instruct(..)
            | Job::ReadAtoms(_)
            | Job::Tail(_)
            | Job::LastWords(..)
            | Job::Output { .. }
            | Job::Losses(_)
            | Job::TrashLosses(_)
            | Job::ListTrash
            | Job::Servers { .. }
            | Job::ListServers { .. }
            | Job::Screen { .. }
            | Job::Entries { .. }
            | Job::Log { .. }
            | Job::Detect { .. }
            | Job::Scripts(_)
            | Job::StopScript(_)
            | Job::Places { .. } => false,
        }
    }

    /// The chat that this reaches out for: to a remote, or to programs of others, which may never answer.
    pub fn opens_for(&self) -> Option<&ChatId> {
        match self {
            Job::Open { chat, .. } | Job::OpenFrom { chat, .. } | Job::ListServers { chat, .. } => Some(chat),
            Job::Duplicate { new, .. } => Some(&new.id),
            Job::Create(_)
            | Job::Sample
            | Job::Start { .. }
            | Job::SaveSetup { .. }
            | Job::Tally(_)
            | Job::Tail(_)
            | Job::LastWords(..)
            | Job::Output { .. }
            | Job::Append(..)
            | Job::Prompts(..)
            | Job::Session { .. }
            | Job::Inbox(..)
            | Job::Declare(..)
            | Job::Rename { .. }
            | Job::ReadyTrash(_)
            | Job::Trash(_)
            | Job::Discard(_)
            | Job::DenySetup { .. }
            | Job::ListTrash
            | Job::PurgeTrash(_)
            | Job::Upkeep
            | Job::Restore(_)
            | Job::Recreate(_)
            | Job::Instruct(..)
            | Job::InstructByFile(..)
            | Job::Losses(_)
            | Job::TrashLosses(_)
            | Job::Servers { .. }
            | Job::SwitchServer { .. }
            | Job::Screen { .. }
            | Job::Entries { .. }
            | Job::Log { .. }
            | Job::Detect { .. }
            | Job::Places { .. }
            | Job::ReadAtoms(_)
            | Job::Atoms { .. }
            | Job::FreeAtoms(..)
            | Job::MakeSchedule(_)
            | Job::Schedule(..)
            | Job::CancelSchedule(_)
            | Job::Check { .. }
            | Job::Scripts(_)
            | Job::ApproveScript { .. }
            | Job::RunScript { .. }
            | Job::Edit { .. }
            | Job::Deed { .. }
            | Job::Judge(_)
            | Job::StopScript(_)
            | Job::Trust { .. } => None,
        }
    }

    /// The call that hears of progress, or takes an answer in parts.
    pub fn call(&self) -> Option<CallId> {
        match self {
            Job::Open { call, .. } => *call,
            Job::OpenFrom { call, .. } => Some(*call),
            Job::Entries { call, .. } => Some(*call),
            Job::Create(_)
            | Job::Duplicate { .. }
            | Job::Sample
            | Job::Start { .. }
            | Job::SaveSetup { .. }
            | Job::Tally(_)
            | Job::Tail(_)
            | Job::LastWords(..)
            | Job::Output { .. }
            | Job::Append(..)
            | Job::Prompts(..)
            | Job::Session { .. }
            | Job::Inbox(..)
            | Job::Declare(..)
            | Job::Rename { .. }
            | Job::ReadyTrash(_)
            | Job::Trash(_)
            | Job::Discard(_)
            | Job::Restore(_)
            | Job::PurgeTrash(_)
            | Job::Recreate(_)
            | Job::Instruct(..)
            | Job::InstructByFile(..)
            | Job::Losses(_)
            | Job::TrashLosses(_)
            | Job::ListTrash
            | Job::Upkeep
            | Job::Servers { .. }
            | Job::ListServers { .. }
            | Job::SwitchServer { .. }
            | Job::Screen { .. }
            | Job::Log { .. }
            | Job::Detect { .. }
            | Job::Places { .. }
            | Job::ReadAtoms(_)
            | Job::Atoms { .. }
            | Job::FreeAtoms(..)
            | Job::MakeSchedule(_)
            | Job::Schedule(..)
            | Job::CancelSchedule(_)
            | Job::Check { .. }
            | Job::Scripts(_)
            | Job::ApproveScript { .. }
            | Job::DenySetup { .. }
            | Job::RunScript { .. }
            | Job::Edit { .. }
            | Job::Deed { .. }
            | Job::Judge(_)
            | Job::StopScript(_)
            | Job::Trust { .. } => None,
        }
    }
}

/// Which agent CLI a new chat runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    Named(String),
    /// That of its role, else this one.
    Usual(String),
    /// That of its role, else the first that is installed, else the demo.
    Installed,
}

/// What a new chat is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRecord {
    pub id: ChatId,
    pub name: String,
    pub handle: Handle,
    pub llm: Choice,
    pub role: Option<String>,
    /// The PATH of whoever makes it: a chat whose agent CLI is not there is not made. Not looked at where it is not known.
    pub search_path: Option<String>,
    /// Where it is to work: roles that a repository has of its own are looked for there.
    pub around: Vec<PathBuf>,
    pub parent: Option<ChatId>,
    /// How many directories are opened in it before its agent starts.
    pub to_open: usize,
    /// The directory that it is bound to.
    pub bind: Option<PathBuf>,
    /// Whose run it is.
    pub schedule: Option<ScheduleId>,
    pub disabled_servers: Vec<String>,
    /// What its agent is to get first.
    pub prompt: Option<String>,
}
