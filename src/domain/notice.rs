//! What the domain tells those who look at it. What a person sees of it is decided by the screen.

use std::sync::Arc;

use serde_json::Value;

use crate::model::alert::Alert;
use crate::model::deleted::Deleted;
use crate::model::diff::FileDiff;
use crate::model::keep::KeepDraft;
use crate::model::lineage::PointList;
use crate::model::pick::{Picked, StayedFile};
use crate::model::remark::PlacedRemark;
use crate::model::review::{Changes, KeptCheckpoint, Overview, Reverted};
use crate::model::script::Proposal;
use crate::model::storage::{DiskUse, ProjectSetup};
use crate::model::{ChatId, ClientId, Losses, PaneId, Problem, ScheduleId, ServerEntry, WorkId};
use crate::permission::{QuestionNotes, RuleName};
use crate::term::{Copied, FoundText, Screen};

use super::read::work::{ShownContent, ShownRead};
use super::requester::ScreenRequest;
use crate::model::detail::Detail;

#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// What a person at a screen asked for has come to this.
    Done(ScreenRequest, Done),
    /// What a person at a screen asked for failed.
    Failed(ScreenRequest, Problem),
    /// An agent is started that this person wants to see.
    AgentStarts(ClientId),
    /// For everybody to know.
    News(String),
    /// Something failed that nobody at a screen asked for.
    Trouble(String),
    /// Something failed that concerns those who look at this chat.
    ChatTrouble(ChatId, String),
    /// A terminal shows something new; with the screen before.
    Shows(PaneId, Option<Arc<Screen>>),
    /// The screen further back that a client asked for.
    FurtherBack(PaneId, ClientId, Arc<Screen>),
    /// What a client asked to copy.
    Copied(ClientId, Copied),
    /// Where words are in a terminal's text.
    Found(PaneId, ClientId, FoundText),
    Bell(PaneId),
    /// A program in this chat may put this into a person's clipboard.
    SetsClipboard(ChatId, String),
    /// A person who looks elsewhere is called.
    Alert(Alert),
    /// The program beside an agent does not read what is typed.
    InputRefused(WorkId),
    /// A terminal beside an agent's is there that this person asked for.
    SideOpened(ScreenRequest, WorkId),
    /// A run is there, in place of what earlier runs of its project left.
    RunTakesPlace {
        number: WorkId,
        of: Vec<WorkId>,
    },
    SideClosed(WorkId, ChatId),
    /// What a person wrote for a chat in their own editor.
    PromptEdited(ClientId, ChatId, String),
    /// Other settings are in force.
    SettingsRead,
}

/// What became of a person's wish.
#[derive(Clone, Debug, PartialEq)]
pub enum Done {
    ChatMade(ChatId),
    /// In words, what came along with a duplicate.
    Duplicated(Vec<String>),
    Restored(ChatId),
    /// Nothing was deleted after what a person archived last.
    NothingDeletedSince,
    /// Its name, its todos, the prompts that wait for its agent or its draft are as somebody wanted them.
    Changed(ChatId),
    /// The chat of this name is in the trash.
    Deleted(String),
    /// A directory is open in it that was asked for at a screen.
    Opened(ChatId),
    Losses(ChatId, Losses),
    /// What deleting a chat loses, looked at again at the yes.
    Rechecked(ChatId, Losses),
    Disk(DiskNews),
    /// What a tab or a dialog wanted to read.
    Shown(ShownContent),
    /// Why it cannot be read.
    NotShown(ShownRead, Problem),
    Servers(ChatId, Vec<ServerEntry>),
    /// What changed in a chat's clones.
    Overview(ChatId, Overview),
    FileDiff(ChatId, FileDiff),
    /// What going back would change.
    Planned(ChatId, Reverted),
    Reverted(ChatId, Reverted),
    CheckpointTaken(KeptCheckpoint),
    Remarks(ChatId, RemarksNews),
    Points(ChatId, PointsNews),
    Kept(KeptNews),
    /// Why a chat's changes cannot be shown.
    NoChanges(ChatId, Problem),
    /// What somebody wants to know who reads them, or why they cannot.
    Detail(Result<(ChatId, Detail), Problem>),
    /// What there is to know of what an agent asks: rules that would allow it among that.
    Rules(QuestionNotes),
    Noted(NotedNews),
    AtomSaved,
    ScheduleKept(ScheduleId),
    /// What a run would execute is not approved yet.
    Unapproved(Box<Unapproved>),
    /// A person approved what a project runs: it can be started.
    Approved(ChatId, Option<String>),
    /// The run that was to be restarted has ended.
    CanRunAgain(ChatId, Option<String>),
}

/// What is written down for good, outside of any chat.
#[derive(Clone, Debug, PartialEq)]
pub enum NotedNews {
    /// What an agent asked is allowed from now on by this rule.
    AllowedAlways(String),
    /// Claude Code trusts parlour's folder of chats, by the person's word.
    Trusted,
    /// The directory that the person started in goes on with this chat.
    Bound(ChatId),
    /// A browser was started with this URL, or why none was.
    Browsed(String, Option<Problem>),
}

/// What lies on disk, or became of a wish to have less or more of it there.
#[derive(Clone, Debug, PartialEq)]
pub enum DiskNews {
    /// Deleted chats.
    Trash(Vec<Deleted>),
    /// One of them is gone for good.
    Purged,
    Used(DiskUse),
    Setups(Vec<ProjectSetup>),
}

/// What a list of a chat's checkpoints shows.
#[derive(Clone, Debug, PartialEq)]
pub enum PointsNews {
    Listed(PointList),
    /// How a checkpoint differs from the one before.
    Differs(u64, Vec<Changes>),
    Failed(Problem),
}

/// What became of remarks on a chat's changes, of lines that were chosen there, or of a review.
#[derive(Clone, Debug, PartialEq)]
pub enum RemarksNews {
    Listed(Vec<PlacedRemark>),
    /// One is made or is another now.
    Changed,
    /// The agent has them, or gets them with its next prompt.
    Sent,
    Picked(Picked),
    /// Of several files, and those that stayed as they were.
    PickedSeveral(Vec<Picked>, Vec<StayedFile>),
    /// This was discarded or replaced, and is back.
    BroughtBack(Vec<Picked>),
    /// A person has reviewed up to this checkpoint.
    Reviewed(u64),
    /// The last such mark is taken back: this one counts again, if there was one.
    Unreviewed(Option<u64>),
    /// Another agent starts to review them, in this chat.
    ReviewerMade(ChatId),
}

/// What became of a wish to keep what was done.
#[derive(Clone, Debug, PartialEq)]
pub enum KeptNews {
    /// What a person may want to change before.
    Draft(KeepDraft),
    /// In words, of each clone.
    Done(Vec<String>),
}

/// A script of a repository that a person wanted to run and has not read yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Unapproved {
    pub chat: ChatId,
    pub proposal: Proposal,
    /// What is said where they have gone elsewhere since.
    pub problem: Problem,
}

/// What a lower floor of the domain tells those above it.
#[derive(Clone, Debug, PartialEq)]
pub enum Upward {
    /// A person's rule allows what the agent of this chat asks by this id.
    AllowedByRule(ChatId, String, RuleName),
    /// A rule denies it, for this reason.
    DeniedByRule(ChatId, String, RuleName, String),
    /// The agent of this chat does something else.
    StatusChanged(ChatId),
    /// Something was learned of this chat, for which somebody may wait.
    Learned(ChatId),
    /// A person stopped this chat: its run is not checked any more.
    Stopped(ChatId),
    /// The agent of this chat is over, for this reason: what it had in progress is free.
    Over(ChatId, String),
    /// Of the agent of this chat nothing runs, and nothing is on its way.
    Gone(ChatId),
    /// The chat of the launch of this number is made.
    Made(WorkId),
    /// How the launch of this number went.
    Launched(WorkId, Result<Value, Problem>),
}
