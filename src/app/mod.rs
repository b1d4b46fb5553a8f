//! State, what can happen to it, and what is to be done about it: `update(&mut State, Event) -> Vec<Effect>`.
//!
//! No IO, no async, no clock: recorded events replay to the same state. Start at [`update::update`], then
//! open the file of the noun you came for: [`chat`] makes and ends chats, [`agent`] their processes,
//! [`status`] judges them, [`delivery`] types prompts, [`client`] is what a person does at a screen.

pub mod agent;
pub mod ask;
pub mod card;
pub mod chat;
pub mod client;
pub mod command;
pub mod copy;
pub mod delivery;
pub mod dialog;
pub mod done;
pub mod draft;
mod duplicate;
pub mod effect;
pub mod event;
pub mod explain;
pub mod filter;
pub mod gate;
pub mod hibernate;
pub mod hook;
pub mod inspector;
pub mod key;
pub mod keymap;
mod label;
pub mod layout;
pub mod looking;
pub mod mouse;
pub mod once;
pub mod project;
pub mod question;
pub mod reading;
mod restart;
pub mod selection;
pub mod sidebar;
pub mod state;
pub mod status;
pub mod toast;
mod tree;
mod turn;
pub mod update;
pub mod view;
pub mod wait;
pub mod wrap;

pub use effect::{Effect, Job, PaneOrder};
pub use event::Event;
pub use state::State;
pub use update::update;
