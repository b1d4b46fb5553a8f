//! Where a search has found its words.

use super::item::ItemKey;

/// The entries that have the words, as far as the transcript is loaded.
#[derive(Default)]
pub struct FoundEntries {
    /// Each, oldest first, with how many matches are in it.
    pub(super) entries: Vec<(ItemKey, usize)>,
    /// The revision of the view at that time: while it is the same, so is all the rest.
    pub(super) revision: Option<u64>,
    /// Each item that was searched, oldest first.
    pub(super) matched: Vec<MatchedItem>,
    /// The match that was gone to last.
    pub(super) at: Option<FoundMatch>,
}

/// An item as it was searched. While it does not change, it is not searched again: megabytes may be loaded.
pub(super) struct MatchedItem {
    pub key: ItemKey,
    pub revision: u32,
    pub matches: usize,
}

/// One of the matches in an item; the first is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FoundMatch {
    pub item: ItemKey,
    pub nth: usize,
}
