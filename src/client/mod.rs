//! The thin side: raw mode, events up, bytes down; and the short questions of shell verbs and hooks.
//! While somebody types, the keyboard is lent to the engine.
//!
//! The client owns the terminal and nothing else. It knows no chat and draws nothing of its own: what the engine
//! sends goes to the screen as it is. Start at [`attach`]; [`request`] is what shell verbs use.

mod attach;
mod connect;
mod guard;
mod hook;
mod keys;
mod kill;
mod liveness;
mod queries;
mod request;
mod reset;
mod screen;
mod signals;
mod terminal;
mod writer;

pub use attach::attach;
pub use connect::StartEngine;
pub use hook::{EndSignals, HookOrigin, hook};
pub use kill::{Killed, is_gone, kill_engine};
pub use queries::{known_term, told_keys};
pub use request::{Heard, is_frozen, is_lost, is_missing, request};
pub use reset::reset;
pub use screen::ScreenOptions;
pub use terminal::{Keyboard, enter_alone, restore_on_panic};
