//! Panes with real pseudo-terminals, real supervisors and real programs.

mod ending;
mod flood;
mod hostile;
mod io;
mod stage;
