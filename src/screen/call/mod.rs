//! A call of a tool in rows: the cards, the transcript and whoever asks about a call show the same.
//!
//! [`summary`] is its one line, [`asked`] what it does, [`came_back`] what it printed. `ui/call.rs` puts rows into cells.

mod fold;
mod output;
mod places;
mod rows;
mod summary;

pub use output::{CameBack, came_back};
pub use places::{SeenPath, SeenPlaces};
pub use rows::{CallMeasure, amount, asked, folded, of_call};
pub use summary::{CallLine, line};
