//! Where a search has found its words.

use super::item::ItemKey;

/// The entries that have the words, as far as the transcript is loaded.
#[derive(Default)]
pub struct FoundEntries {
    pub(super) keys: Vec<ItemKey>,
    /// They were looked for in this.
    pub(super) of: Option<SearchedItems>,
}

/// What was searched, as far as that tells whether it has changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct SearchedItems {
    pub first: Option<u64>,
    pub count: usize,
    pub revisions: u64,
    pub has_thoughts: bool,
}
