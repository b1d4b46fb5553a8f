//! Where one person is in the Todos tab.

use crate::model::ChatId;
use crate::model::todo::Todo;

#[derive(Default)]
pub struct TodosView {
    /// The chat that the rest is about.
    pub of: Option<ChatId>,
    /// Which of its todos is selected.
    pub selected: usize,
    /// The same, and what it says: it stays selected wherever others come or go.
    pub(super) kept: Option<(usize, String)>,
    /// What was removed here and by which number it went, the newest last.
    pub(super) removed: Vec<(usize, Todo)>,
    /// Rows above the first that is shown.
    pub top: usize,
}
