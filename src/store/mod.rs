//! The chat folders and records on disk: the truth that everything else is loaded from.
//!
//! A chat is two directories: `chats/{id}`, which belongs to its agent as much as to parlour and is read as untrusted
//! input, and `records/{id}`, which only parlour writes. The record decides: a chat exists once its record is in place
//! and is deleted once it has left. Start at [`Home`]; transcripts are written by [`Journal`] and read by [`Lines`].

mod agents_md;
mod approved;
mod atoms;
mod backward;
mod bindings;
mod birth;
mod change;
mod checkouts;
mod checkpoints;
mod declared;
mod error;
mod fate;
mod home;
mod inbox;
mod inbox_file;
mod instructions;
mod journal;
mod left_open;
mod line;
mod lines;
mod load;
mod named;
mod outputs;
mod pieces;
mod ports;
mod projects;
mod schedules;
mod settle;
mod so_far;
mod surroundings;
mod trash;
mod watch;

pub use agents_md::{Block, Wrote, holds_notes};
pub use bindings::{Bound, bound};
pub use birth::Birth;
pub use checkpoints::{Checkpoints, UnderWay};
pub use error::Error;
pub use fate::Fate;
pub use home::{Access, Home, Mended};
pub use inbox::Inbox;
pub use instructions::Arriving;
pub use journal::Journal;
pub use line::{LONGEST, Line};
pub use lines::Lines;
pub use load::Damaged;
pub use named::{Named, chats_named, deleted_named, schedules_named};
pub use pieces::Piece;
pub use settle::Settled;
pub use so_far::SoFar;
pub use surroundings::{Opened, Own, Surroundings};
pub use trash::{TRASH_DAYS, Trashed};
pub use watch::{Changed, Watcher};

#[cfg(test)]
mod tests;
