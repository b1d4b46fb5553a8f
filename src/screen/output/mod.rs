//! The whole output of a call on the screen: which of its lines are held, and which rows of them are seen.

mod marked;
mod window;

pub use marked::{MarkedLines, OutputSearch};
pub use window::{OutputRow, OutputWindow, RowShape};
