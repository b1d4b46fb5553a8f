//! State, what can happen to it, and what is to be done about it: `update(&mut State, Event) -> Vec<Effect>`.
//!
//! No IO, no async, no clock: recorded events replay to the same state. Start at [`update::update`], then
//! open the file of the noun you came for: [`chat`] makes and ends chats, [`agent`] their processes,
//! [`status`] judges them, [`delivery`] types prompts, [`client`] is what a person does at a screen.

pub mod agenda;
pub mod agent;
pub mod ask;
pub mod atom;
pub mod automations;
pub mod board;
pub mod card;
pub mod chat;
pub mod client;
pub mod command;
pub mod copy;
pub mod deed;
pub mod delivery;
pub mod dialog;
pub mod dispatch;
pub mod done;
pub mod draft;
mod duplicate;
pub mod edit;
pub mod effect;
pub mod event;
pub mod explain;
pub mod family;
pub mod filter;
pub mod gate;
pub mod hibernate;
pub mod hook;
pub mod inbox;
pub mod inspector;
pub mod key;
pub mod keymap;
mod label;
pub mod layout;
mod limits;
pub mod looking;
pub mod mouse;
mod moving;
pub mod once;
pub mod project;
pub mod question;
pub mod reading;
mod restart;
pub mod roll_up;
pub mod run;
pub mod schedule;
pub mod script;
pub mod selection;
pub mod side;
pub mod sidebar;
pub mod state;
pub mod status;
pub mod stop_tree;
pub mod tab;
pub mod toast;
pub mod tool;
mod tree;
mod turn;
pub mod update;
pub mod view;
pub mod wait;
pub mod wait_for;
pub mod whereabouts;
pub mod wrap;

pub use effect::{Effect, Job, PaneOrder};
pub use event::Event;
pub use state::State;
pub use update::update;
