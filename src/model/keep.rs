//! Keeping what agents did: what is asked, and what is told.

mod words;

pub use words::of_way_home;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::ChatId;

/// Commit what is staged; if nothing is, all changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitHow {
    /// Drafted from the last prompt if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Replace the last commit. If nothing is staged, by one with another message alone.
    #[serde(default)]
    pub amend: bool,
    /// All changes, even if something is staged, or a commit is replaced.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
    /// Even if a remote has that commit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub despite_remote: bool,
}

/// What is asked about the clones of one chat. Each but `PullStatus` changes something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum KeepAsk {
    Commit(CommitHow),
    /// Send the branch to the project's remote.
    Push {
        /// Replace what the remote has, if that is still what this clone saw there last.
        #[serde(default)]
        force_with_lease: bool,
        /// Even if todos are open that come first.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        despite_todos: bool,
    },
    /// Bring the branch into the repository on this machine that the clone came from.
    Home {
        /// Check it out there too.
        #[serde(default)]
        checkout: bool,
        /// Its name there; its own where there is none.
        #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// Put the branch's commits on top of the base branch as its remote has it now.
    Rebase {
        /// On top of what the remote has of the branch itself instead.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        upstream: bool,
        /// If commits conflict, leave the rebase under way instead of calling it off.
        #[serde(default)]
        keep_conflicts: bool,
    },
    /// Go on with a rebase whose conflicts are resolved, or call off what git has begun.
    End {
        way: EndWay,
    },
    /// Push, and open a pull request.
    OpenPull(PullWish),
    PullStatus,
}

/// What a pull request is to say. What is missing comes from the transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PullWish {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    pub draft: bool,
    /// As of [`KeepAsk::Push`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub despite_todos: bool,
}

impl KeepAsk {
    /// Whether it changes a clone, a remote or a repository.
    pub fn changes(&self) -> bool {
        match self {
            KeepAsk::Commit { .. }
            | KeepAsk::Push { .. }
            | KeepAsk::Home { .. }
            | KeepAsk::Rebase { .. }
            | KeepAsk::End { .. }
            | KeepAsk::OpenPull(_) => true,
            KeepAsk::PullStatus => false,
        }
    }

    /// What it does that waits until all todos are done, where they come first; `None` if it waits for none.
    pub fn waits_for_todos(&self) -> Option<&'static str> {
        match self {
            KeepAsk::Push {
                despite_todos: false, ..
            } => Some("pushing"),
            KeepAsk::OpenPull(wish) if !wish.despite_todos => Some("opening a pull request"),
            KeepAsk::Push { .. }
            | KeepAsk::OpenPull(_)
            | KeepAsk::Commit { .. }
            | KeepAsk::Home { .. }
            | KeepAsk::Rebase { .. }
            | KeepAsk::End { .. }
            | KeepAsk::PullStatus => None,
        }
    }
}

/// A commit that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Committed {
    pub project: String,
    /// None if no branch is checked out.
    pub branch: Option<String>,
    pub commit: String,
    pub subject: String,
    /// Files that it changes.
    pub files: usize,
    pub amended: bool,
    /// Hooks of the repository that a commit by hand would have run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped_hooks: Vec<String>,
    /// Nested repositories, which no commit holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Untracked files that are too large to get in by accident; `git add` in the clone takes one in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub too_large: Vec<String>,
}

/// A branch that its remote has now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pushed {
    pub project: String,
    pub branch: String,
    pub remote: String,
    pub commit: String,
    /// The remote had it already.
    pub up_to_date: bool,
    /// Why the clone does not know that its remote has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untold: Option<String>,
    /// Files that are not committed, and so did not go along.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub uncommitted: usize,
}

/// A branch that the repository has now from which the clone came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BroughtHome {
    pub project: String,
    pub branch: String,
    #[serde(with = "super::path_text")]
    pub into: PathBuf,
    /// Where the branch was there before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    pub commit: String,
    pub checked_out: bool,
    /// Hooks of that repository that git would have run for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped_hooks: Vec<String>,
    /// What was brought there before is not in it any more, as after a rebase.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
    /// Files that are not committed, and so did not go along.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub uncommitted: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // As serde hands it over.
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A branch that was put on top of its base, or could not be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rebased {
    pub project: String,
    pub branch: String,
    pub onto: String,
    /// The base's commit.
    pub base: String,
    /// Where the branch is now.
    pub commit: String,
    /// It stood there already.
    pub up_to_date: bool,
    /// The commit that conflicts, in a rebase that was left under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<ConflictedCommit>,
}

/// A commit that cannot be put on top of the base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConflictedCommit {
    pub commit: String,
    pub subject: String,
    pub files: Vec<String>,
}

/// How what git has begun ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndWay {
    Continue,
    /// All is as before it began.
    Abort,
}

/// What git had begun in a clone, and was gone on with or called off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndedGit {
    pub project: String,
    pub what: GitUnderWay,
    /// None while no branch is checked out.
    pub branch: Option<String>,
    pub commit: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub aborted: bool,
    /// It is still under way.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// The files in which the next commit conflicts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<String>,
}

/// A pull request, as its forge tells of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullRequest {
    pub project: String,
    pub branch: String,
    pub number: u64,
    pub url: String,
    pub title: String,
    /// `open`, `draft`, `merged` or `closed`.
    pub state: String,
    pub checks: PullChecks,
}

/// The checks of a pull request, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullChecks {
    pub passed: usize,
    pub failed: usize,
    pub pending: usize,
}

/// What the checks of a pull request come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChecksVerdict {
    Failing,
    Running,
    Passing,
}

impl PullRequest {
    /// Some of its checks have yet to end.
    pub fn runs(&self) -> bool {
        self.checks.pending > 0 && matches!(self.state.as_str(), "open" | "draft")
    }

    /// None where there are no checks, and where nothing follows from them any more.
    pub fn verdict(&self) -> Option<ChecksVerdict> {
        let PullChecks {
            passed,
            failed,
            pending,
        } = self.checks;
        match (self.state.as_str(), failed, pending, passed) {
            ("merged" | "closed", ..) | (_, 0, 0, 0) => None,
            (_, 1.., ..) => Some(ChecksVerdict::Failing),
            (_, 0, 1.., _) => Some(ChecksVerdict::Running),
            (_, 0, 0, 1..) => Some(ChecksVerdict::Passing),
        }
    }
}

/// What a forge told of the branches of a chat, without being asked by a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeenPulls {
    /// The forge's program is not installed.
    NoForge,
    /// By clone; of what is left out nothing could be learned.
    Of(BTreeMap<String, Option<PullRequest>>),
}

/// Two branches of one project whose commits conflict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collision {
    pub sides: [CollisionSide; 2],
    /// Paths that conflict.
    pub files: Vec<String>,
}

/// A branch of a chat's clone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollisionSide {
    pub id: ChatId,
    /// The chat's handle.
    pub chat: String,
    pub project: String,
    pub branch: String,
}

/// What a person may want to change before it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeepDraft {
    /// Of a commit.
    pub message: String,
    /// Of a pull request.
    pub title: String,
    pub body: String,
    /// What the branch may be called where its own name is checked out at home; empty where none is.
    #[serde(default)]
    pub name: String,
    /// The message of the last commit, where there is one clone; else empty.
    #[serde(default)]
    pub last: String,
    pub clones: Vec<CloneToKeep>,
}

/// A clone of the chat, and what a commit there would hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloneToKeep {
    pub project: String,
    /// None if no branch is checked out.
    pub branch: Option<String>,
    /// Files that differ from the last commit.
    pub changed: usize,
    /// Those of them that are staged, whole or in part.
    pub staged: usize,
    /// Those of them that have the sides of a merge.
    #[serde(default)]
    pub conflicts: usize,
    /// What waits for its end there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under_way: Option<GitUnderWay>,
    /// One commit ends it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends_by_commit: bool,
    /// Untracked files that a commit leaves out, as they are large.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub too_large: Vec<String>,
    /// The repository of a person's that the clone came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
    /// Hooks of that repository that git would run for a branch that comes, and parlour does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub home_hooks: Vec<String>,
    /// A branch of its remote has the last commit.
    #[serde(default)]
    pub is_pushed: bool,
    /// Where a push goes; none where there is no branch or no remote.
    #[serde(default)]
    pub target: Option<PushTarget>,
}

/// What git has begun in a clone and not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GitUnderWay {
    Merge,
    Rebase,
    CherryPick,
    Revert,
}

/// Where the branch of a clone would go, by what the clone knows of its remote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushTarget {
    pub remote: String,
    /// The remote has no branch of this name.
    pub is_new: bool,
    /// Those that no branch of the remote has.
    pub commits: usize,
}
