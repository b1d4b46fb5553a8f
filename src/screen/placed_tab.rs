//! The name of a tab, as it is written in a row of tabs.

use ratatui::layout::Rect;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedTab<T> {
    pub tab: T,
    pub words: String,
    /// Empty where there is no room for it.
    pub area: Rect,
}
