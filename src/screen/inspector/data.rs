//! Where one person is among the cards.

use std::collections::BTreeSet;

/// Where one person is in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inspector {
    /// `None`: shown where there is room for it.
    pub wanted: Option<bool>,
    /// The card by its entry; `None` follows the newest.
    pub selected: Option<u64>,
    pub open: BTreeSet<u64>,
    /// Rows above the first that is shown, while a card is selected.
    pub top: usize,
    /// The card to go to once the transcript is read.
    pub sought: Option<u64>,
}
