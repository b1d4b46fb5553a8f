//! The chat folders and records on disk: the truth that everything else is loaded from.
//!
//! A chat is two directories: `chats/{id}`, which belongs to its agent as much as to parlour and is read as untrusted
//! input, and `records/{id}`, which only parlour writes. The record decides: a chat exists once its record is in place
//! and is deleted once it has left. Start at [`Home`]; transcripts are written by [`Journal`] and read by [`Lines`].

mod agents_md;
mod answered_places;
mod approved;
mod atoms;
mod bindings;
mod brought;
mod change;
mod checkouts;
mod checkpoints;
mod clone_places;
mod completion_names;
mod create;
mod declared;
mod error;
mod figures;
mod hand_down;
mod home;
mod inbox;
mod inbox_file;
mod instructions;
mod journal;
mod json_file;
mod kept_output;
mod line;
mod lines;
mod load;
mod messages;
mod outputs;
mod pages;
mod ports;
mod preferences;
mod projects;
mod prompt_file;
mod prompt_outcome;
mod read_offset;
mod recovery;
mod remarks;
mod rested;
mod reviewed;
mod saved_secrets;
mod schedules;
mod so_far;
mod surroundings;
mod tail_reader;
mod todos;
mod trash;
mod unfinished;
mod upkeep;
mod usage;
mod watch;

pub use agents_md::{Block, Wrote, holds_notes};
pub use answered_places::AnsweredPlaces;
pub use bindings::{BoundChat, BoundRecord, DirBinding, binding, bound_chat, bound_main, count_messages, last_query};
pub use brought::BroughtBranch;
pub use checkpoints::{ChangeUnderWay, CheckpointList, Checkpoints, TalkUnderWay, UnderWay};
pub use clone_places::{OriginOfClone, clone_place};
pub use completion_names::{CompletionNames, chats_named, deleted_named, schedules_named};
pub use create::ChatCreation;
pub use error::Error;
pub use figures::bytes_at;
pub use home::{Access, FOLDERS, Home, Repaired, elsewhere};
pub use inbox::Inbox;
pub use instructions::Arriving;
pub use journal::Journal;
pub use kept_output::{KeptOutput, LineIndex};
pub use line::{EVENTS, LONGEST, Line};
pub use lines::Lines;
pub use load::Damaged;
pub use prompt_outcome::PromptOutcome;
pub use read_offset::{ReadOffset, ReadOffsets};
pub use recovery::Recovered;
pub use remarks::{RemarkLine, Remarks};
pub use surroundings::{Opened, Own, Surroundings};
pub use trash::{TRASH_DAYS, Trashed};
pub use watch::{Changed, Watcher};

#[cfg(test)]
mod tests;
