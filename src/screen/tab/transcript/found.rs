//! Where a search has found its words.

use super::item::ItemKey;

/// The entries that have the words, as far as the transcript is loaded.
#[derive(Default)]
pub struct FoundEntries {
    pub(super) keys: Vec<ItemKey>,
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
