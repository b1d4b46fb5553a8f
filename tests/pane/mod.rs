//! Panes with real pseudo-terminals, real supervisors and real programs.

mod command;
mod echo;
mod ending;
mod flood;
pub mod hostile;
mod io;
mod stage;
