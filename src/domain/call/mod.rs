//! A call of a tool as a person would tell it, whatever its CLI calls the tool and its inputs.
//!
//! [`CallSummary`] is the call in one line; [`parts`] is all that it does: the command, the changes in files, the words.
//! Both are made of the tool's name and its input alone. Where paths are written as seen from the chat, and how wide a
//! line is, the screen decides (`screen/call`).

mod choice;
pub mod command;
mod edit;
mod file_edit;
mod files;
mod input;
mod parts;
mod patch;
mod summary;
mod todo;

#[cfg(test)]
mod tests;

pub use edit::{in_whole_lines, numbered, over_file, replaced_in, written_whole};
pub use file_edit::FileEdit;
pub use files::{as_diff, files};
pub use input::inputs;
pub(in crate::domain) use input::telling;
pub use parts::{CallPart, parts};
pub use summary::{CallSummary, SummaryWord, WAIT_FOR, called, called_in};
pub use todo::TodoItem;
