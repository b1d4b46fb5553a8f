//! Panes with real pseudo-terminals, real supervisors and real programs.

mod command;
mod ending;
mod flood;
pub mod hostile;
mod io;
mod stage;
