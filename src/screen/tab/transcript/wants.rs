//! Where a person wants to be in a transcript though it may not be loaded, and what is on its way from workers.

use crate::model::transcript::PageAt;

use super::item::ItemKey;

#[derive(Default)]
pub struct TranscriptWants {
    /// What a person goes to from item to item, until it is loaded.
    pub(super) seeking: Option<Seeking>,
    /// Where a person wants to be, once it is loaded.
    pub(super) spot: Option<SoughtSpot>,
    /// There, the row with most of the words that are sought.
    pub(super) words: bool,
    /// What the terminal showed there, once it is loaded.
    pub(super) moment: bool,
    /// The page that is on its way.
    pub(super) page: Option<PageAt>,
    /// The item whose colours are on their way.
    pub(super) colours: Option<ItemKey>,
}

/// A place that may not be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SoughtSpot {
    Start,
    Entry(u64),
}

/// An item of a kind, from another one on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seeking {
    pub kind: JumpKind,
    pub way: JumpWay,
    pub from: ItemKey,
    /// That one may be it.
    pub with_from: bool,
    pub turn: SeekTurn,
}

/// What follows where there is none this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeekTurn {
    Never,
    /// The other way is gone.
    AtEnd,
    /// It is gone by now.
    Turned,
    /// It goes on from the other end.
    Around,
    /// It goes on from there by now.
    FromOtherEnd,
}

/// What is gone to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpKind {
    Any,
    Prompt,
    Error,
    Tool,
    /// A call that reads or changes a file.
    File,
    /// What has the words of the search.
    Match,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpWay {
    /// To what is newer.
    On,
    Back,
}

impl JumpWay {
    pub(super) fn turned(self) -> JumpWay {
        match self {
            JumpWay::On => JumpWay::Back,
            JumpWay::Back => JumpWay::On,
        }
    }
}
