//! Where one person is in the Todos tab.

use crate::model::ChatId;

#[derive(Default)]
pub struct TodosView {
    /// The chat that the rest is about.
    pub of: Option<ChatId>,
    /// Which of its todos is selected.
    pub selected: usize,
    /// Rows above the first that is shown.
    pub top: usize,
}
