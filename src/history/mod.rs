//! Full text over all transcripts and outputs: an index in `cache/`, made of what `store` keeps.
//!
//! The transcripts are the truth. The index may be deleted at any time: it is made again. It holds no text, only where which
//! words are, so that what is found is read from the transcripts ([`History::find`]). How far each is in it stands in it
//! too, and [`History::catch_up`] adds what lies behind. Start at [`History`].

mod catch_up;
mod database;
mod entries;
mod error;
mod find;
mod read;
mod shards;
mod spots;
mod tools;
mod write;

pub use catch_up::{CaughtUp, History};
pub use error::Error;

#[cfg(test)]
mod tests;
