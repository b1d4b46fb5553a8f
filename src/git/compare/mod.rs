//! Two contents of one file, line by line: hunks, the words that changed, and colours by language.
//!
//! Everything here works on bytes that were read before. It opens no repository and runs nothing. Start at [`body`].

mod body;
mod found;
mod hunks;
mod lines;
mod pick;
mod syntax;

pub(super) use body::{BodyOptions, MOST_LINES, body, is_binary};
pub(super) use found::found;
pub(super) use hunks::{HunkOptions, RawLine, hunks};
pub(super) use pick::{ChosenLines, PickWay, kept, picked, renumbered};
pub use syntax::colour_code;
