//! Panes: programs in terminals of their own.
//!
//! A [`Pane`] is a pseudo-terminal, the supervisor that starts and ends the program in it, and a thread that reads,
//! parses and writes; while somebody types, the loop does so for an echo. The loop never waits for it: it says what it wants, is told once that something changed, and
//! takes an immutable screen. Start at [`Pane`], then `pane_thread` and `running`.
//!
//! `portable-pty` opens the pair; the program is started by `sys::spawn` instead, since portable-pty has no place for
//! what has to happen between fork and exec and gives the child none of our descriptors.

mod alive;
mod command;
mod echo_reader;
mod launch;
mod open;
mod pane;
mod pane_thread;
mod pane_wait;
mod record;
mod record_file;
mod record_writer;
mod requests;
mod running;
mod signal_throttle;
mod write_queue;

pub use command::{CommandEnd, CommandHalt, CommandRun, Course, Sound, run_watched, watched_size};
pub use launch::{Notify, PaneLaunch, PaneTap};
pub use pane::{Pane, Stopper};
pub use record::{PaneRecorder, replay, screen_at};
pub use requests::InputFull;
