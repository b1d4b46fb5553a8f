//! Where one person is in the Work pane.

use crate::model::atom::{AtomKey, AtomStatus};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    pub face: Face,
    pub selected: Option<AtomKey>,
    /// Rows above the first that is shown, of each column; where they stand in one, of the first.
    pub tops: [usize; 3],
    /// What of the graph is left of and above what is shown.
    pub corner: (usize, usize),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Face {
    #[default]
    Board,
    Graph,
}

impl Board {
    /// The columns of the board, from left to right.
    pub const COLUMNS: [AtomStatus; 3] = AtomStatus::ALL;
}
