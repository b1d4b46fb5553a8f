//! The lists of the Changes tab, and what is chosen from one.

use crate::model::review::DiffSet;

use super::file_key::FileKey;
use crate::screen::keymap::KeepWay;

/// Which list it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffList {
    /// Those that differ.
    Files,
    Reviewers,
    Attempts,
    Remarks,
    /// What to compare.
    Sets,
    Turns,
    Checkpoints,
    Commits,
    /// The ways to keep what an agent did.
    Keep,
}

impl DiffList {
    pub fn title(self) -> &'static str {
        match self {
            DiffList::Files => "Files that differ",
            DiffList::Reviewers => "Who reviews this?",
            DiffList::Attempts => "Attempts",
            DiffList::Remarks => "Remarks",
            DiffList::Sets => "Compare",
            DiffList::Turns => "One turn",
            DiffList::Checkpoints => "Since a checkpoint",
            DiffList::Commits => "One commit",
            DiffList::Keep => "Keep",
        }
    }

    /// What is said where nothing is called what was typed.
    pub fn nothing(self) -> &'static str {
        match self {
            DiffList::Files => "no file is called that",
            DiffList::Reviewers => "looking for agent CLIs…",
            DiffList::Attempts => "no chat on these projects has that",
            DiffList::Remarks => "no remark says that",
            DiffList::Turns => "no prompt has that",
            DiffList::Checkpoints => "no checkpoint has that",
            DiffList::Commits => "there is no such commit",
            DiffList::Sets | DiffList::Keep => "",
        }
    }

    /// A letter chooses one of it; of the others letters narrow the list.
    pub fn is_menu(self) -> bool {
        match self {
            DiffList::Sets | DiffList::Keep => true,
            DiffList::Files
            | DiffList::Reviewers
            | DiffList::Attempts
            | DiffList::Remarks
            | DiffList::Turns
            | DiffList::Checkpoints
            | DiffList::Commits => false,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum DiffChoice {
    File(FileKey),
    /// The remark with this number.
    Remark(u64),
    SendRemarks,
    Keep(KeepChoice),
    /// This agent CLI is to review what is shown.
    Reviewer(String),
    /// Compares this.
    Set(DiffSet),
    /// Compares what this turn did.
    Turn(u32),
    Turns,
    Checkpoints,
    Commits,
    Attempts,
}

/// Of the menu of what can be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepChoice {
    Way(KeepWay),
    PullStatus,
    Radar,
}
