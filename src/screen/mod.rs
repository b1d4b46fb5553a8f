//! What a person at a screen sees of the state, and what their keys, clicks and pastes do. Start at [`client`]; what is
//! seen is a [`view`], and what can be wanted an action of [`command`].

pub mod automations;
pub mod board;
pub mod changes;
pub mod checkpoints;
pub mod client;
pub mod command;
pub mod copy;
pub mod day;
pub mod dialog;
pub mod dialogs;
pub mod dragging;
pub mod filter;
pub mod foot;
mod forest;
mod going;
pub mod guard;
pub mod hint;
mod input;
pub mod inspector;
mod installed;
pub mod kept;
pub mod keymap;
pub mod layout;
pub mod mouse;
pub mod moving;
pub mod notice;
pub mod reading;
mod resuming;
pub mod roll_up;
pub mod selection;
pub mod settle;
pub mod side;
pub mod sidebar;
pub mod sidebar_row;
pub mod state;
pub mod surface;
pub mod tab;
pub mod tally;
pub mod toast;
pub mod transcript;
pub mod typing;
pub mod view;
mod wish;
pub mod wrap;

pub use state::State;
