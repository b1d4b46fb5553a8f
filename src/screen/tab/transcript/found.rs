//! Where a search has found its words.

use super::item::ItemKey;

/// The entries that have the words, as far as the transcript is loaded.
#[derive(Default)]
pub struct FoundEntries {
    pub(super) keys: Vec<ItemKey>,
    /// They were looked for in this.
    pub(super) of: Option<SearchedItems>,
    /// The revision of the view at that time: while it is the same, so is all the rest.
    pub(super) revision: Option<u64>,
    /// Each item that was searched, oldest first.
    pub(super) matched: Vec<MatchedItem>,
}

/// An item as it was searched. While it does not change, it is not searched again: megabytes may be loaded.
pub(super) struct MatchedItem {
    pub key: ItemKey,
    pub revision: u32,
    pub has_words: bool,
}

/// What was searched, as far as that tells whether it has changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct SearchedItems {
    pub first: Option<u64>,
    /// An entry may come in place of what was at work: then the count is the same.
    pub last: u64,
    pub count: usize,
    pub revisions: u64,
    pub has_thoughts: bool,
}
