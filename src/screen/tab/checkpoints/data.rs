//! Where one person is in the Checkpoints tab, and what is loaded for it.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::lineage::{self, PointList};
use crate::model::review::{Changes, Checkpoint};
use crate::model::{ChatId, Problem, Timestamp};

#[derive(Default)]
pub struct CheckpointsView {
    /// The chat that the rest is about.
    pub of: Option<ChatId>,
    pub list: Option<PointList>,
    /// What the clones were saved as last, or restored to.
    pub base: Option<u64>,
    /// Turns that were gone back before.
    pub gone_back: BTreeSet<u64>,
    pub problem: Option<Problem>,
    /// By number, so that a new checkpoint moves nothing.
    pub selected: Option<u64>,
    pub forks: ForksOfChat,
    /// The checkpoint that another is to be compared with.
    pub marked: Option<u64>,
    /// Rows above the first that is shown.
    pub top: usize,
    pub part: DetailPart,
    /// Rows of what is told of the selected one above the first that is shown.
    pub detail_top: usize,
    /// How a checkpoint differs from the one before.
    pub changes: Option<(u64, Vec<Changes>)>,
    pub(super) asked: AskedPoints,
}

/// The handles of the chats that were forked from each checkpoint, by its number.
#[derive(Default)]
pub struct ForksOfChat {
    /// The chats of which they were made.
    pub(super) revision: u64,
    pub at: BTreeMap<u64, Vec<String>>,
}

/// What is told of the selected checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DetailPart {
    /// The files that differ from the one before.
    #[default]
    Files,
    /// What it does not hold.
    LeftOut,
}

/// What is on its way.
#[derive(Default)]
pub(super) struct AskedPoints {
    pub list: bool,
    /// Somebody wants to see what there is now.
    pub stale: bool,
    /// The checkpoint whose files are on their way.
    pub changes: Option<u64>,
    /// What had happened when the list was asked for.
    pub revision: u64,
    pub at: Timestamp,
}

impl CheckpointsView {
    /// Newest first.
    pub fn newest_first(&self) -> impl ExactSizeIterator<Item = &Checkpoint> {
        let all = self.list.as_ref().map(|list| list.checkpoints.as_slice());
        all.unwrap_or_default().iter().rev()
    }

    /// The selected one, and its row.
    pub fn selected(&self) -> Option<(usize, &Checkpoint)> {
        let number = self.selected?;
        let mut rows = self.newest_first().enumerate();
        rows.find(|(_, checkpoint)| checkpoint.number == number)
    }

    /// The one before the selected one.
    pub fn before(&self) -> Option<&Checkpoint> {
        let (row, _) = self.selected()?;
        self.newest_first().nth(row + 1)
    }

    /// The files by which the selected one differs, once they are known.
    pub fn differs_by(&self) -> Option<&[Changes]> {
        let (number, changes) = self.changes.as_ref()?;
        (Some(*number) == self.selected).then_some(changes.as_slice())
    }

    /// Somebody wants to see what is there now.
    pub fn refresh(&mut self) {
        self.asked.stale = true;
        self.problem = None;
    }

    pub(super) fn keep(&mut self, list: PointList) {
        self.base = lineage::base(&list.checkpoints);
        self.gone_back = lineage::gone_back(&list.checkpoints);
        self.list = Some(list);
    }

    pub(super) fn select(&mut self, number: u64) {
        if self.selected != Some(number) {
            self.selected = Some(number);
            self.detail_top = 0;
        }
    }
}
