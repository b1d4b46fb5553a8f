//! The Work pane: the atoms of a chat's tree, as a board by status or as a graph with its edges.
//!
//! What stands where is made here, for drawing and for keys and the mouse alike. Start at [`Board`]; the graph is laid
//! out in [`graph`].

pub mod cards;
mod data;
pub mod graph;
mod press;
mod scroll;
mod state;

pub use data::{Board, Face};
pub use press::{hints, is_possible, mouse, page, run};
pub use scroll::{bars, column_bar, scroll_to, select, settle};
pub use state::{area, problem, shown};
