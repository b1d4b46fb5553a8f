//! What workers find out for somebody who reads a comparison.

use serde::{Deserialize, Serialize};

use super::diff::FileAsk;
use super::keep::PullRequest;
use super::origin::{LineAsk, ToldOrigin};
use super::pick::PickedPart;
use super::review::{Amount, DiffSet};
use super::search::{FoundLines, SearchAsk};
use super::{ChatId, Timestamp};

#[derive(Clone, Debug, PartialEq)]
pub enum DetailWork {
    Search(SearchAsk),
    /// A patch of what was chosen of a file; of all of it, if nothing was.
    Patch(FileAsk, Vec<PickedPart>),
    /// The last commits of each clone.
    Commits,
    /// How far each of these chats has come, the one that is looked at among them.
    Attempts(Vec<ChatId>),
    /// Where a line comes from.
    Origin(LineAsk),
    /// The turn in which this entry of the transcript was told.
    TurnOf(u64),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Detail {
    Found(FoundLines),
    Patch(String),
    Commits(Vec<CommitLine>),
    Attempts(Vec<Attempt>),
    Origin(ToldOrigin),
    /// With what shows what that turn did. None: no checkpoint tells how it began.
    TurnOf {
        card: u64,
        turn: Option<(u32, DiffSet)>,
    },
}

/// How far a chat has come with its clones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    pub chat: ChatId,
    pub turns: usize,
    /// Against the base branch, all clones together.
    pub amount: Amount,
}

/// As a shell is told of them: the chat that was asked about comes first, then the newest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedAttempts {
    pub attempts: Vec<ListedAttempt>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedAttempt {
    pub id: ChatId,
    pub handle: String,
    pub name: String,
    pub llm: String,
    pub status: String,
    pub turns: usize,
    pub amount: Amount,
    /// With their checks, as the forge told last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pulls: Vec<PullRequest>,
}

/// A commit of a clone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitLine {
    pub project: String,
    /// As git names it, in full.
    pub id: String,
    pub subject: String,
    pub at: Timestamp,
}
