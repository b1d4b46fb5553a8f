//! The one door through which state changes: `update(&mut State, Event) -> Vec<Effect>`.
//!
//! No IO, no async, no clock: recorded events replay to the same state ([`recording`]).

pub mod recording;
pub mod start;
pub mod update;

pub use update::{begin, finish, update};
