//! Where one person is in a transcript, and what is loaded of it.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::found::FoundEntries;
use super::item::{AtWork, ItemKey, ItemKind, TranscriptItem};
use super::items::Items;
use super::row::TranscriptRow;
use super::wants::TranscriptWants;
use super::window::Window;
use crate::model::transcript::ColouredCode;
use crate::model::{ChatId, Entry, Problem, Timestamp};
use crate::screen::call::SeenPlaces;
use crate::screen::tab::search_line::SearchLine;
use crate::term::PastScreen;

#[derive(Default)]
pub struct TranscriptView {
    /// The chat that the rest is about.
    pub of: Option<ChatId>,
    pub(super) window: Window,
    pub items: Items,
    /// The first row in sight; `None` follows the newest.
    pub top: Option<RowSpot>,
    /// The last entry that was there when the person left the end: what comes behind it is new.
    pub since: u64,
    /// The item that is copied, opened and gone on from.
    pub selected: Option<ItemKey>,
    /// Items that are opened.
    pub open: BTreeSet<ItemKey>,
    pub look: TranscriptLook,
    pub search: SearchLine<FoundEntries>,
    /// Where the chat's directories lie.
    pub(super) places: SeenPlaces,
    /// The block of code that was copied last.
    pub(super) copied: Option<(ItemKey, usize)>,
    /// The wide block that is scrolled sideways.
    pub panned: Option<PannedBlock>,
    /// The rows in sight, from top to bottom.
    pub sight: Vec<RowSpot>,
    /// What was laid out, by item.
    pub(super) laid: HashMap<ItemKey, LaidItem>,
    /// What the rows in sight were found for.
    pub(super) seen: Option<SightFor>,
    /// Rises with whatever changes what is in sight.
    pub(super) revision: u64,
    pub problem: Option<Problem>,
    /// The colours of the code of an item, block by block.
    pub(super) colours: HashMap<ItemKey, Vec<ColouredCode>>,
    pub(super) wants: TranscriptWants,
    /// What the terminal showed, in place of the transcript.
    pub moment: Option<ShownMoment>,
}

/// A row of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowSpot {
    pub item: ItemKey,
    pub row: usize,
}

/// A block of wide rows, and how many columns of it are scrolled away at the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PannedBlock {
    pub item: ItemKey,
    /// The block of code; none where the item's wide rows are no code.
    pub code: Option<usize>,
    pub left: usize,
}

/// An item in rows.
pub(super) struct LaidItem {
    pub width: usize,
    pub revision: u32,
    pub rows: Vec<TranscriptRow>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SightFor {
    pub revision: u64,
    pub width: usize,
    pub height: usize,
}

/// A moment of the terminal.
pub struct ShownMoment {
    pub at: Timestamp,
    /// The turn that it is of; 0 before the first.
    pub turn: u32,
    /// None until a worker has told, and none within where the record does not go back so far.
    pub screen: Option<Option<PastScreen>>,
}

/// How a person wants it shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TranscriptLook {
    pub thoughts: Thoughts,
    pub times: bool,
    /// Beside the terminal, where there is room for both.
    pub beside: bool,
}

/// What is shown of what an agent thinks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Thoughts {
    /// The first line.
    #[default]
    Folded,
    Shown,
    Hidden,
}

impl TranscriptView {
    pub fn looked_at(chat: Option<ChatId>, look: TranscriptLook) -> TranscriptView {
        TranscriptView {
            of: chat,
            look,
            ..TranscriptView::default()
        }
    }

    /// The selected item, while a person sees it: keys act on no other.
    pub fn held(&self) -> Option<ItemKey> {
        let is_seen = |key: &ItemKey| self.sight.iter().any(|spot| spot.item == *key);
        self.selected.filter(is_seen)
    }

    /// Entries that were written behind all others.
    pub(super) fn append(&mut self, entries: &[Arc<Entry>]) {
        if self.window.at_end {
            entries.iter().for_each(|entry| self.items.take_entry(entry));
            self.changed();
        }
        self.window.append(entries);
    }

    /// What its agent does that is no entry yet, where the end is loaded.
    pub(super) fn show_at_work(&mut self, now: Option<AtWork>) {
        if self.items.show_at_work(now.filter(|_| self.window.at_end)) {
            self.laid.remove(&ItemKey::AT_WORK);
            self.changed();
        }
    }

    /// The row as it is laid out.
    pub fn row(&self, spot: RowSpot) -> Option<&TranscriptRow> {
        self.laid.get(&spot.item)?.rows.get(spot.row)
    }

    /// Columns of a row that are scrolled away.
    pub fn left_of(&self, spot: RowSpot, code: Option<usize>) -> usize {
        let panned = self
            .panned
            .filter(|panned| (panned.item, panned.code) == (spot.item, code));
        panned.map_or(0, |panned| panned.left)
    }

    /// What is read reaches back to the first entry.
    pub fn begins_at_start(&self) -> bool {
        self.window.at_start()
    }

    /// All of it is loaded.
    pub(super) fn is_whole(&self) -> bool {
        self.window.at_start() && self.window.at_end
    }

    /// How many entries came since the person left the end, in what a person reads.
    pub fn fresh(&self) -> usize {
        match self.top {
            Some(_) => {
                let list = self.items.list();
                let entries = list.partition_point(|item| item.key < ItemKey::AT_WORK);
                entries - list.partition_point(|item| item.key.seq <= self.since)
            }
            None => 0,
        }
    }

    /// What is gone to is looked for where it was not loaded.
    pub fn is_seeking(&self) -> bool {
        self.wants.seeking.is_some() || self.wants.spot.is_some()
    }

    pub fn is_here(&self) -> bool {
        !self.window.is_empty() || self.window.at_end
    }

    /// The entry of this number is loaded.
    pub(super) fn holds(&self, seq: u64) -> bool {
        let first = self.items.first;
        first.is_some_and(|first| (first..=self.items.last).contains(&seq))
    }

    /// The newest is shown from now on.
    pub fn follow(&mut self) {
        self.top = None;
        if !self.window.at_end {
            self.window = Window::default();
        }
        self.changed();
    }

    /// Something of it is seen: a thought may be hidden.
    pub(super) fn has_rows(&self, item: &TranscriptItem) -> bool {
        !(matches!(item.what, ItemKind::Thought(_)) && self.look.thoughts == Thoughts::Hidden)
    }

    /// What is in sight has to be found again.
    pub(super) fn changed(&mut self) {
        self.revision += 1;
    }

    /// All of it is laid out again.
    pub(super) fn lay_again(&mut self) {
        self.laid.clear();
        self.changed();
    }
}
