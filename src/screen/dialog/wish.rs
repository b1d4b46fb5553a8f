//! What a key or click in a dialog leads to, and what a person wants by it, as plain data. `screen/wish.rs` carries it out.

use std::path::PathBuf;

use serde_json::Value;

use crate::domain::approval::question::Decision;
use crate::domain::work::{RemarkWork, ShownRead, StorageWork, TrialOf};
use crate::model::atom::AtomChange;
use crate::model::chat_change::ChatChange;
use crate::model::export::ExportAsk;
use crate::model::keep::KeepAsk;
use crate::model::open_dir::OpenDir;
use crate::model::output::{OpenedWith, OutputPlace};
use crate::model::pick::{Pick, SavedPick};
use crate::model::request::{self, Switch};
use crate::model::review::{Back, Point};
use crate::model::schedule::Wanted;
use crate::model::script::Proposal;
use crate::model::setting::SettingEdit;
use crate::model::todo::TodoChange;
use crate::model::{ChatId, RequestId, ScheduleId};

use super::super::keymap::Action;
use super::super::tab::changes::choice::DiffChoice;
use super::FoundMoment;
use super::compose_wish::ComposeWish;

/// What a key, a click, an answer or the passing of an event leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    Stay,
    /// The person leaves it, or gives the safe answer.
    Close,
    /// What it was opened for is done.
    Over,
    /// An answer to what could not be read yet.
    TooSoon,
    /// A key that what it asks has no use for.
    Unbound,
    /// An answer that only the agent's own dialog takes.
    Elsewhere,
    /// It stays, and waits for what comes of this.
    Submit(Wish),
    /// It closes, and nothing on the screen waits for this.
    Leave(Wish),
    /// It closes, and a command is run.
    Run(Action),
    /// It closes, and another page takes its place.
    Instead(OtherPage),
    /// It closes, and this chat is shown.
    Go(ChatId),
    /// It closes, and a chat's transcript is shown at an entry.
    Moment(FoundMoment),
    /// It closes, and the Changes tab goes there.
    Choose(DiffChoice),
}

/// A page that takes the place of the one that names it.
#[derive(Clone, Debug, PartialEq)]
pub enum OtherPage {
    /// Whether to delete this chat.
    Delete(ChatId),
    Trash,
    /// Whether to delete this chat of the trash for good.
    Purge(ChatId),
    Disk,
    /// For the chat that is shown.
    AddSetup,
    /// What can be set about these words.
    SettingsAbout(&'static str),
    /// The MCP servers and tools of this chat.
    Servers(ChatId),
}

/// What is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halted {
    /// The agent's turn alone.
    Turn,
    Agent,
    /// The agent, and all below it.
    Tree,
    /// The agent, to be started again.
    ForRestart,
    /// What a person has open beside the agent.
    Beside(OpenedWith),
}

/// What is to become of what lies on disk.
#[derive(Clone, Debug, PartialEq)]
pub enum DiskWish {
    /// Out of the trash: back among the chats, or gone for good.
    Restore(ChatId),
    Purge(ChatId),
    Change(StorageWork),
}

/// What is to become of a schedule.
#[derive(Clone, Debug, PartialEq)]
pub enum ScheduleWish {
    Make(Box<Wanted>),
    Edit(ScheduleId, Box<Wanted>),
    Cancel(ScheduleId),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// The dialog wants to know something.
    Know(Question),
    /// A new chat; first, with consent, trust for parlour's chats in that CLI's own settings.
    Create {
        new: request::NewChat,
        trust: Option<String>,
    },
    /// The chat that this request makes is not wanted any more.
    GiveUp(RequestId),
    Open(ChatId, OpenDir),
    /// What this request opens is not wanted any more.
    GiveUpOpening(RequestId, ChatId),
    Rename(ChatId, String),
    /// Its transcript, into a file.
    Export(ExportAsk),
    /// How its agent runs.
    Set(ChatId, Vec<ChatChange>),
    /// Its agent, or its editor, ends.
    Halt(ChatId, Halted),
    /// A chat is made of this one, as it is or as it was at a moment.
    Fork(ChatId, Option<Point>),
    /// Looks once more at what it loses first.
    Delete(ChatId),
    /// It loses nothing that was not agreed to.
    Trash(ChatId),
    Disk(DiskWish),
    Schedule(ScheduleWish),
    /// Each server that is on is asked for its tools.
    AskTools(ChatId),
    SwitchServer(ChatId, String, Switch),
    Setting(SettingWish),
    /// A command that a repository brings is agreed to, and run.
    Run(ChatId, Proposal),
    Output(OutputWish),
    Compose(ChatId, ComposeWish),
    /// The clones of a chat go back.
    Revert(ChatId, Back),
    /// A remark is made or changed.
    Remark(ChatId, RemarkWork),
    Todo(ChatId, TodoChange),
    /// What is in its clones, or in the one of this name.
    Keep(ChatId, Option<String>, KeepAsk),
    /// Of its changes.
    Discard(ChatId, Vec<Pick>),
    /// What was discarded last comes back.
    BringBack(ChatId, Vec<SavedPick>),
    /// A person changes the work graph of a chat's tree.
    Atom(ChatId, AtomChange),
    /// One after the other.
    Each(Vec<Wish>),
    /// An agent's question is answered; a no may have a reason.
    Decide(ChatId, String, Decision, String),
    /// A rule is written that allows it from now on, and it is answered.
    AllowAlways(ChatId, String, String),
}

/// What is to become of `config.json`.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingWish {
    Edit(Vec<SettingEdit>),
    /// A file of the home is to be edited: it has to be there.
    Begin(PathBuf),
    /// When the agent CLI of this file of the home asks.
    Policy(PathBuf, Option<String>),
    /// In their editor, at this line.
    OpenFile(PathBuf, u32),
    /// Starts an agent or a server of this name, as it is written.
    Start(TrialOf, String, Value),
    /// What the rules say to a call that is typed.
    Try(String),
}

/// What a person wants of a call's output.
#[derive(Clone, Debug, PartialEq)]
pub enum OutputWish {
    /// In their editor or pager.
    Open(OutputPlace),
    /// This of it, into their clipboard.
    Copy(String),
}

/// What a dialog wants to know. Nothing changes by it.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// What deleting a chat would lose.
    Losses(ChatId),
    /// What a worker reads.
    Shown(ShownRead),
    Servers(ChatId),
    /// Which rules would allow what an agent asks.
    Rules(ChatId, String),
    Trash,
    /// What lies on disk.
    Storage(StorageWork),
    /// What going back would change.
    Plan(ChatId, Back),
    /// What a person may want to change before it is kept.
    KeepDraft(ChatId),
}
