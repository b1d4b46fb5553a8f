//! State, what can happen to it, and what is to be done about it: `update(&mut State, Event) -> Vec<Effect>`.
//!
//! No IO, no async, no clock: recorded events replay to the same state. Start at [`update::update`], then open the room
//! of what you came for: [`agent`] is one chat's agent, its process, status and prompts; [`gate`] the questions about its
//! tool calls; [`team`] many chats together; [`schedule`] chats on a clock; [`screen`] a person's view and what they do.
//! [`chat`] makes and ends chats, and [`done`] goes on with what a worker has finished.

pub mod agent;
pub mod ask;
pub mod chat;
pub mod done;
mod duplicate;
pub mod edit;
pub mod effect;
pub mod event;
pub mod gate;
pub mod opening;
pub mod project;
pub mod schedule;
pub mod screen;
pub mod script;
pub mod side;
pub mod state;
pub mod team;
pub mod tool;
pub mod update;
mod upkeep;

pub use effect::{Effect, Job, PaneOrder};
pub use event::Event;
pub use state::State;
pub use update::update;
