//! The Checkpoints tab: the saved states of a chat's clones, newest first, and how the selected one differs from the one
//! before.
//!
//! What stands where is made here, for drawing, keys and the mouse alike. Start at [`CheckpointsView`]; [`settle`] asks
//! workers for what the screen lacks.

pub mod data;
pub mod detail;
mod load;
pub mod place;
mod press;
pub mod words;

pub use data::{CheckpointsView, DetailPart};
pub use load::{settle, told};
pub use place::bars;
pub use press::{hints, is_possible, mouse, run, scroll_page, scroll_to};
