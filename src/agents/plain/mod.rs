//! Cursor, Cline and Windsurf: CLIs that parlour configures and starts, and of which it reads nothing.
//!
//! Written from their documentation; none of them was run. Nothing is typed into them by parlour, since nothing tells
//! when they wait for a prompt. Start at `start`, which they share.

mod cline;
mod cursor;
mod rules;
mod start;
mod windsurf;

pub use cline::Cline;
pub use cursor::CursorAdapter;
pub use windsurf::Windsurf;

#[cfg(test)]
mod tests;
