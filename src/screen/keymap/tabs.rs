//! The tabs that parlour itself draws in place of a terminal: the key that shows each, and the keys that it has then.

use strum::{IntoStaticStr, VariantArray};

use super::changes::{self, ChangesAction};
use super::checkpoints::{self, CheckpointsAction};
use super::composer::{self, WriteAction};
use super::diff::{self, DiffAction};
use super::line::{KeyLine, bind};
use super::remarks::{self, RemarksAction};
use super::todos::{self, TodosAction};
use super::transcript::{self, CallAction, TranscriptAction};
use super::work::{self, WorkAction};

/// A tab that is no terminal. `screen/tab.rs` says of each when it is there and what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum PaneSheet {
    Transcript,
    Changes,
    Checkpoints,
    Work,
    Todos,
}

/// What is done in one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetAction {
    Transcript(TranscriptAction),
    /// With the call that is selected in the transcript.
    Call(CallAction),
    /// From the transcript to its composer.
    Write(WriteAction),
    Changes(ChangesAction),
    /// In the Changes tab too.
    Remarks(RemarksAction),
    Checkpoints(CheckpointsAction),
    /// Reading in the Changes tab.
    Diff(DiffAction),
    Work(WorkAction),
    Todos(TodosAction),
}

/// The keys that show them, from anywhere.
pub const SHEETS: [KeyLine<PaneSheet>; PaneSheet::VARIANTS.len()] = [
    bind(
        PaneSheet::Transcript,
        &["t"],
        "What was asked, said and done, in order",
        "transcript",
    ),
    bind(
        PaneSheet::Changes,
        &["d"],
        "What changed in its clones, turn by turn",
        "changes",
    ),
    bind(
        PaneSheet::Checkpoints,
        &["h"],
        "Saved states of its clones, to go back to",
        "checkpoints",
    ),
    bind(
        PaneSheet::Work,
        &["W"],
        "Plan of this tree's work, or the terminal",
        "work",
    ),
    bind(PaneSheet::Todos, &["l"], "Todos of this chat", "todos"),
];

impl PaneSheet {
    /// In the last row, while it has the keys.
    pub fn badge(self) -> &'static str {
        match self {
            PaneSheet::Transcript => " TRANSCRIPT ",
            PaneSheet::Changes => " CHANGES ",
            PaneSheet::Checkpoints => " CHECKPOINTS ",
            PaneSheet::Work => " WORK ",
            PaneSheet::Todos => " TODOS ",
        }
    }

    /// A heading of the key help.
    pub fn heading(self) -> &'static str {
        match self {
            PaneSheet::Transcript => "In the transcript",
            PaneSheet::Changes => "Among the changes",
            PaneSheet::Checkpoints => "Among the checkpoints",
            PaneSheet::Work => "In the work pane",
            PaneSheet::Todos => "Among the todos",
        }
    }

    /// Where keys go that were meant for it after it has closed.
    pub fn closed(self) -> &'static str {
        match self {
            PaneSheet::Transcript => "the transcript has",
            PaneSheet::Changes => "the changes have",
            PaneSheet::Checkpoints => "the checkpoints have",
            PaneSheet::Work => "the plan has",
            PaneSheet::Todos => "the todos have",
        }
    }

    pub fn table(self) -> Vec<KeyLine<SheetAction>> {
        match self {
            PaneSheet::Transcript => [
                composer::WRITE.map(|line| line.map(SheetAction::Write)).to_vec(),
                transcript::TABLE.map(|line| line.map(SheetAction::Transcript)).to_vec(),
                transcript::CALLS.map(|line| line.map(SheetAction::Call)).to_vec(),
            ]
            .concat(),
            PaneSheet::Changes => [
                changes::TABLE.map(|line| line.map(SheetAction::Changes)).to_vec(),
                diff::TABLE.map(|line| line.map(SheetAction::Diff)).to_vec(),
                remarks::TABLE.map(|line| line.map(SheetAction::Remarks)).to_vec(),
            ]
            .concat(),
            PaneSheet::Checkpoints => checkpoints::TABLE
                .map(|line| line.map(SheetAction::Checkpoints))
                .to_vec(),
            PaneSheet::Work => work::TABLE.map(|line| line.map(SheetAction::Work)).to_vec(),
            PaneSheet::Todos => todos::TABLE.map(|line| line.map(SheetAction::Todos)).to_vec(),
        }
    }
}

impl SheetAction {
    pub fn sheet(self) -> PaneSheet {
        match self {
            SheetAction::Transcript(_) | SheetAction::Call(_) | SheetAction::Write(_) => PaneSheet::Transcript,
            SheetAction::Checkpoints(_) => PaneSheet::Checkpoints,
            SheetAction::Changes(_) | SheetAction::Diff(_) | SheetAction::Remarks(_) => PaneSheet::Changes,
            SheetAction::Work(_) => PaneSheet::Work,
            SheetAction::Todos(_) => PaneSheet::Todos,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            SheetAction::Transcript(action) => action.into(),
            SheetAction::Call(action) => action.into(),
            SheetAction::Write(action) => action.into(),
            SheetAction::Changes(action) => action.into(),
            SheetAction::Remarks(action) => action.into(),
            SheetAction::Checkpoints(action) => action.into(),
            SheetAction::Diff(action) => action.into(),
            SheetAction::Work(action) => action.into(),
            SheetAction::Todos(action) => action.into(),
        }
    }
}
