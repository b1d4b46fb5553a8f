//! What workers do with the changes and checkpoints of a chat.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::domain::work::NewRecord;
use crate::model::detail::{Detail, DetailWork};
use crate::model::diff::{FileAsk, FileDiff};
use crate::model::lineage::PointList;
use crate::model::pick::{LeftFile, Pick, PickAct, Picked, SavedPick, StayedFile};
use crate::model::remark::{NewRemark, PlacedRemark, Remark, RemarkChange};
use crate::model::review::{AfterTurn, Back, Cause, Changes, DiffAsk, DiffSet, KeptCheckpoint, Overview, Reverted};
use crate::model::talk::OwnRewind;
use crate::model::tool::AddRemark;
use crate::model::{Chat, ChatId, Timestamp};

/// Work on the clones of a chat, all together.
#[derive(Clone, Debug, PartialEq)]
pub enum ReviewWork {
    /// Saves them as they are. `prompt` is what the turn begins with.
    Take {
        chat: ChatId,
        cause: Cause,
        prompt: String,
    },
    /// Saves them for the turn that may begin now, before its CLI tells of the prompt.
    Prepare(ChatId),
    /// A turn ended at this moment: what the clones are then is kept in mind, to tell what comes after it apart.
    Rest {
        chat: ChatId,
        at: Timestamp,
    },
    /// A person has reviewed the clones up to this checkpoint; without one, up to now.
    MarkReviewed {
        chat: ChatId,
        up_to: Option<u64>,
    },
    /// The mark of this checkpoint was a mistake; nothing is done if another was made since.
    UnmarkReviewed(ChatId, u64),
    List(ChatId),
    /// What the Checkpoints tab shows.
    Points(ChatId),
    /// Forgets old checkpoints of these chats.
    Thin(Vec<ChatId>),
    /// What the checkpoints of these chats take on disk.
    Costs(Vec<ChatId>),
    Diff(ChatId, DiffAsk),
    /// What the Changes tab shows.
    Overview(ChatId, DiffSet),
    /// One file of it, line by line.
    File(ChatId, FileAsk),
    /// What going back would change. Its CLI's sessions are looked for in this environment.
    Plan {
        chat: ChatId,
        back: Back,
        env: BTreeMap<String, String>,
    },
    /// Whether it can be gone back at all, before its agent is ended for that.
    Check {
        chat: ChatId,
        back: Back,
        env: BTreeMap<String, String>,
    },
    /// Goes back. Its agent does not run.
    Revert {
        chat: ChatId,
        back: Back,
        env: BTreeMap<String, String>,
    },
    /// Hides what a person took back in the agent's CLI itself.
    Follow(ChatId, OwnRewind),
    /// Stages, unstages or discards lines of one file.
    Pick(ChatId, PickAct, Pick),
    /// The same with several files. One that it cannot be done with keeps none of the others from it.
    PickSeveral(ChatId, PickAct, Vec<Pick>),
    /// Brings back what was discarded or replaced.
    BringBack(ChatId, Vec<SavedPick>),
    Remark(ChatId, RemarkWork),
    /// What somebody who reads it wants to know of it.
    Detail(ChatId, DetailWork),
    /// Makes a chat in which another agent reviews what differs.
    Opinion {
        of: ChatId,
        set: DiffSet,
        new: NewRecord,
    },
    /// A reviewer has found something.
    Finding(ChatId, AddRemark),
}

/// Work on the remarks of a chat.
#[derive(Clone, Debug, PartialEq)]
pub enum RemarkWork {
    List,
    /// Puts what is not resolved into words, for an agent.
    Tell,
    Add(NewRemark),
    Change(u64, RemarkChange),
    /// Makes one prompt of those with these numbers; of all that are due, if there is none.
    Compose(Vec<u64>),
    /// They are in a prompt of their agent.
    Sent(Vec<u64>),
}

impl ReviewWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            ReviewWork::List(_)
            | ReviewWork::Points(_)
            | ReviewWork::Costs(_)
            | ReviewWork::File(..)
            | ReviewWork::Detail(
                _,
                DetailWork::Search(_) | DetailWork::Patch(..) | DetailWork::Origin(_) | DetailWork::TurnOf(_),
            )
            | ReviewWork::Remark(_, RemarkWork::List | RemarkWork::Tell | RemarkWork::Compose(_)) => false,
            // A comparison with now stores what it read.
            ReviewWork::Take { .. }
            | ReviewWork::Prepare(_)
            | ReviewWork::Rest { .. }
            | ReviewWork::MarkReviewed { .. }
            | ReviewWork::UnmarkReviewed(..)
            | ReviewWork::Opinion { .. }
            | ReviewWork::Finding(..)
            | ReviewWork::Diff(..)
            | ReviewWork::Thin(_)
            | ReviewWork::Overview(..)
            | ReviewWork::Detail(_, DetailWork::Commits | DetailWork::Attempts(_))
            | ReviewWork::Plan { .. }
            | ReviewWork::Check { .. }
            | ReviewWork::Revert { .. }
            | ReviewWork::Follow(..)
            | ReviewWork::Pick(..)
            | ReviewWork::PickSeveral(..)
            | ReviewWork::BringBack(..)
            | ReviewWork::Remark(_, RemarkWork::Add(_) | RemarkWork::Change(..) | RemarkWork::Sent(_)) => true,
        }
    }
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ReviewDone {
    Taken(ChatId, KeptCheckpoint),
    Prepared,
    /// What this checkpoint holds was reviewed.
    MarkedReviewed(ChatId, KeptCheckpoint),
    /// The mark at this checkpoint counts again, if there was one.
    UnmarkedReviewed(ChatId, Option<u64>),
    /// Oldest first.
    Listed(PointList),
    Points(ChatId, PointList),
    /// Bytes, of chats that have any.
    Costs(Vec<(ChatId, u64)>),
    /// The chats of which some were forgotten.
    Thinned(Vec<ChatId>),
    /// Of one turn, what was changed after it too.
    Compared(Vec<Changes>, Option<AfterTurn>),
    Overview(ChatId, Overview),
    File(ChatId, FileDiff),
    Planned(Reverted),
    /// It can be gone back.
    Checked,
    /// With the chat as it is now.
    Reverted(Reverted, Box<Chat>),
    /// With the chat as it is now, if something is hidden by it that was not.
    Followed(Option<Box<Chat>>),
    /// With the files as that left them, if it can be undone.
    Picked(Picked, Vec<LeftFile>),
    /// Of several files, and those that stayed as they were.
    PickedSeveral(Vec<SavedPick>, Vec<StayedFile>),
    BroughtBack(Vec<Picked>),
    Remarks(Vec<PlacedRemark>),
    Remark(Remark),
    /// A reviewer has all that it needs.
    ReviewerMade(Box<Chat>),
    /// Remarks in words, and their numbers.
    Composed(String, Vec<u64>),
    Detail(ChatId, Detail),
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum ReviewThen {
    /// It is the answer.
    Answer,
    /// It is added to what is answered of the engine.
    AnswerStatus(Value),
    /// The Changes tab shows it of this chat.
    Show(ChatId),
    /// The list of this chat's checkpoints shows it.
    ShowPoints(ChatId),
    /// The list of checkpoints shows how this one differs from the one before.
    ShowPoint(ChatId, u64),
    /// A dialog shows what going back would change.
    ShowPlan(ChatId),
    /// The Changes tab shows a detail.
    ShowDetail,
    /// The Changes tab shows them.
    ShowRemarks(ChatId),
    /// A remark is made or changed, or lines are staged or discarded, from a screen.
    Marked(ChatId),
    /// What was discarded last in this chat is back, or cannot come back.
    BroughtBack(ChatId),
    /// A turn has begun: nobody asked.
    TurnBegan(ChatId),
    /// A turn may begin: nobody asked.
    Prepared(ChatId),
    /// A person went back in the agent's CLI itself: nobody asked parlour.
    Followed(ChatId),
    /// Old checkpoints are forgotten: nobody asked.
    Thinned,
    /// Its agent is ended, and it is gone back in this environment.
    GoBack {
        chat: ChatId,
        back: Back,
        env: BTreeMap<String, String>,
    },
    /// Its agent is started again in this environment, if it ran.
    GoOn(ChatId, Option<BTreeMap<String, String>>),
    /// A reviewer is started in this environment.
    StartReviewer(BTreeMap<String, String>),
    /// Its agent gets it as a prompt, and is started in this environment if it does not run.
    Send(ChatId, BTreeMap<String, String>),
}
