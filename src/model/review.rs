//! Looking at what agents did, and going back: what is asked, and what is told.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Timestamp;
use super::id::ChatName;
use super::in_place::Uncompared;
use super::pick::Pick;
use super::remark::RemarkAsk;
use super::talk::TalkState;

pub use super::diff::FileKind;
pub use super::reverted::{FileFate, GoneClone, LostCommit, MovedBranch, Reverted, RevertedFile, RevertedProject};
pub use super::told_patch::ToldPatch;

/// What is asked about the changes and checkpoints of one chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum ReviewAsk {
    /// Save all clones as they are now.
    Checkpoint,
    Checkpoints,
    Diff(DiffAsk),
    /// What going back would change; with `yes`, go back.
    Revert {
        to: Point,
        /// One clone alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        project: Option<String>,
        #[serde(default)]
        of: RevertOf,
        #[serde(default)]
        yes: bool,
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    /// Take the last revert back.
    UndoRevert {
        #[serde(default)]
        yes: bool,
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    Stage(Pick),
    Unstage(Pick),
    /// A checkpoint is taken first.
    Discard(Pick),
    /// As it is in another chat's clone. A checkpoint is taken first.
    Take {
        from: ChatName,
        pick: Pick,
    },
    /// Other chats that work on the same projects, and how far each has come.
    Attempts,
    Remark(RemarkAsk),
    /// Another agent reviews what differs.
    Opinion {
        set: DiffSet,
        /// The agent CLI that is asked.
        by: String,
        /// What it is started with.
        env: BTreeMap<String, String>,
    },
}

impl ReviewAsk {
    /// Whether it changes clones or what there is to go back to.
    pub fn changes(&self) -> bool {
        match self {
            ReviewAsk::Checkpoint
            | ReviewAsk::Stage(_)
            | ReviewAsk::Unstage(_)
            | ReviewAsk::Discard(_)
            | ReviewAsk::Take { .. }
            | ReviewAsk::Opinion { .. } => true,
            ReviewAsk::Revert { yes, .. } | ReviewAsk::UndoRevert { yes, .. } => *yes,
            ReviewAsk::Remark(ask) => ask.changes(),
            ReviewAsk::Checkpoints | ReviewAsk::Diff(_) | ReviewAsk::Attempts => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffAsk {
    pub set: DiffSet,
    /// One clone alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// With the changed lines.
    #[serde(default)]
    pub lines: bool,
}

/// A moment to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Point {
    Checkpoint(u64),
    /// Before the prompt with this number, the first being 1.
    Turn(u32),
    /// Before the prompt that this entry of the transcript is.
    Prompt(u64),
}

/// What is taken back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RevertOf {
    #[default]
    Both,
    Code,
    /// The conversation.
    Talk,
}

impl RevertOf {
    pub fn has_code(self) -> bool {
        self != RevertOf::Talk
    }

    pub fn has_talk(self) -> bool {
        self != RevertOf::Code
    }
}

/// Which way back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Back {
    To {
        point: Point,
        project: Option<String>,
        of: RevertOf,
    },
    /// Before the last revert.
    Undo,
}

impl Back {
    /// What a problem says parlour was doing.
    pub fn doing(&self) -> &'static str {
        match self {
            Back::To { .. } => "going back to a checkpoint",
            Back::Undo => "taking the last revert back",
        }
    }
}

/// What is compared with what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DiffSet {
    /// Now with the last prompt.
    LastPrompt,
    /// Now with a checkpoint.
    Since(u64),
    /// What one turn did.
    Turn(u32),
    /// Now with where its branch left the base branch.
    Base,
    /// One checkpoint with another.
    Between(u64, u64),
    /// Now with the last commit.
    Uncommitted,
    /// What one commit did, named as git names commits.
    Commit(String),
    /// Now with what another chat's clones of the same projects are now.
    With(ChatName),
}

/// Why a checkpoint was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A prompt: a turn begins.
    Turn,
    /// By a person; the prompt says for what, if it was not for itself.
    Asked,
    /// Something is about to be discarded.
    Discard,
    /// Something is about to be taken from another chat's clone.
    Take,
    /// How this turn left the clones, where something was changed before the next one began.
    Ended(u32),
    /// A clone was opened in the middle of a turn: what it is like before the agent works on it.
    Opened,
    /// It is what a revert to that checkpoint replaced.
    Revert(u64),
    /// It is what the undo of a revert replaced.
    Undo(u64),
    /// It is how a revert was found that a kill had cut off.
    CutOff,
    /// Its line in the list cannot be read, and what was saved is there.
    Unread,
}

/// A saved state of all clones of a chat: a line of `checkpoints/list.jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub v: u32,
    pub number: u64,
    pub at: Timestamp,
    pub cause: Cause,
    /// The turn that it is the beginning of, the first being 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// The beginning of its prompt.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prompt: String,
    /// The clones that had changed since the one before.
    pub changed: Vec<String>,
    /// How much.
    #[serde(default)]
    pub amount: Amount,
    /// What no clone's checkpoint holds, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutOf>,
    /// Of a revert or its undo: what it replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Replaced>,
    /// Of the beginning of a turn: how the one before had ended, if something changed since then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<EndedTurn>,
}

/// How much a turn had changed when it ended, and how much was changed after it by no turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndedTurn {
    pub own: Amount,
    pub after: Amount,
}

/// What was changed when a turn was over, by no turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AfterTurn {
    #[serde(flatten)]
    pub amount: Amount,
    /// It is not among the changes that are told of the turn. Of earlier turns only the amount is known.
    pub apart: bool,
}

impl Checkpoint {
    /// The beginning of its prompt. Nobody tells it where a person typed it into a CLI that keeps no transcript.
    pub fn words(&self) -> &str {
        match self.prompt.as_str() {
            "" => "(typed in its terminal)",
            prompt => prompt,
        }
    }

    /// What differs from here on is none of the turn before: another begins, or the clones were restored.
    pub fn ends_turn(&self) -> bool {
        self.turn.is_some() || self.restores_clones()
    }

    /// It is of a revert or its undo, and not of the conversation alone.
    pub fn restores_clones(&self) -> bool {
        let of = self.replaced.as_ref().map_or(RevertOf::Code, |replaced| replaced.of);
        matches!(self.cause, Cause::Revert(_) | Cause::Undo(_)) && of.has_code()
    }

    /// The clones that could not be saved at all, each with the reason.
    pub fn unsaved(&self) -> impl Iterator<Item = &LeftOutOf> {
        self.left_out
            .iter()
            .filter(|out| out.path == Path::new(LeftOutOf::WHOLE))
    }

    /// Its prompt, or why else it was taken.
    pub fn about(&self) -> String {
        match self.cause {
            Cause::Turn => self.words().into(),
            Cause::Asked if self.prompt.is_empty() => "taken by hand".into(),
            Cause::Asked => format!("before {}", self.prompt),
            Cause::Discard => "before something was discarded".into(),
            Cause::Take => "before something was taken from another chat".into(),
            Cause::Ended(turn) => format!("as turn {turn} ended"),
            Cause::Opened => "a project was opened".into(),
            Cause::Revert(to) => format!("before the revert to {to}"),
            Cause::Undo(revert) => format!("before the revert that saved {revert} was taken back"),
            Cause::CutOff => "found after a revert that was cut off".into(),
            Cause::Unread => "its line in the list cannot be read".into(),
        }
    }
}

/// What a revert replaced. Where a line says nothing of it, that was the code alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    pub of: RevertOf,
    /// The conversation as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk: Option<TalkState>,
}

impl LeftOutOf {
    /// The path of a clone that could not be saved at all.
    pub const WHOLE: &str = ".";
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutOf {
    pub project: String,
    #[serde(with = "super::path_text")]
    pub path: PathBuf,
    pub why: String,
}

/// A checkpoint that was asked for; none is new where nothing changed since the last one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptCheckpoint {
    pub checkpoint: Checkpoint,
    pub new: bool,
    /// The clones that were looked at, and the commit in which each is saved.
    #[serde(default)]
    pub commits: BTreeMap<String, String>,
}

/// What the Changes tab shows: the moments there are, and what differs between two of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overview {
    pub set: DiffSet,
    /// Oldest first.
    pub checkpoints: Vec<Checkpoint>,
    /// The checkpoint up to which a person has reviewed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewed: Option<u64>,
    /// Of each clone, without lines.
    pub changes: Vec<Changes>,
    /// How much differs now from the beginning of the last turn, if that was looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_last: Option<Amount>,
    /// How the last turn ended, if something changed since then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<EndedTurn>,
    /// Files that are not committed; counted only where nothing differs.
    #[serde(default)]
    pub uncommitted: usize,
}

/// How much differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amount {
    pub files: usize,
    /// Lines.
    pub added: usize,
    pub removed: usize,
}

impl Amount {
    pub fn of(files: &[FileChange]) -> Amount {
        Amount {
            files: files.len(),
            added: files.iter().map(|file| file.added).sum(),
            removed: files.iter().map(|file| file.removed).sum(),
        }
    }
}

impl std::ops::Add for Amount {
    type Output = Amount;

    fn add(self, other: Amount) -> Amount {
        Amount {
            files: self.files + other.files,
            added: self.added + other.added,
            removed: self.removed + other.removed,
        }
    }
}

/// A file that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    #[serde(with = "super::path_text")]
    pub path: PathBuf,
    #[serde(with = "super::path_text::option", default, skip_serializing_if = "Option::is_none")]
    pub from: Option<PathBuf>,
    pub kind: FileKind,
    pub binary: bool,
    /// Lines.
    pub added: usize,
    pub removed: usize,
    /// The content after, or before if it is deleted, as git names it.
    #[serde(default)]
    pub id: String,
    /// What of it is staged. Told where now is compared with the last commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<InIndex>,
}

impl FileChange {
    pub fn is_in_conflict(&self) -> bool {
        let index = self.index.as_ref();
        index.is_some_and(|index| index.staged == StageState::Conflict)
    }

    /// One that differs from the last commit in the index alone.
    pub fn staged_alone(path: PathBuf) -> FileChange {
        FileChange {
            path,
            from: None,
            kind: FileKind::Staged,
            binary: false,
            added: 0,
            removed: 0,
            id: String::new(),
            index: None,
        }
    }
}

/// What the index has of a file that differs from the last commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InIndex {
    /// Its content, as git names it; empty if the index has no such file.
    pub content: String,
    pub staged: StageState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StageState {
    No,
    Partly,
    /// The file is as the next commit would have it.
    Yes,
    /// The index has the sides of a merge: nothing can be committed before a person has chosen.
    Conflict,
}

/// The changes of one clone, or of a directory that a person opened in place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    pub project: String,
    /// The trees that are compared, as git names them; before the first files there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    pub after: String,
    pub files: Vec<FileChange>,
    /// If lines were asked for.
    #[serde(flatten)]
    pub patch: ToldPatch,
    /// It is a person's own directory: now is compared with its last commit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_place: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<Uncompared>,
}
