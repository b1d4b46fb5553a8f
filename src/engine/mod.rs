//! The engine: the loop, its workers, attached screens, lock and shutdown.
//!
//! [`daemon::run`] is the process; [`core::Core`] the loop that owns state; [`work`] the threads that call the hands;
//! [`door`] the socket; [`picture`] what each client is sent. Start at [`core::Core::run`].

mod alarm;
mod author;
mod chats;
mod clock;
mod core;
mod daemon;
mod door;
mod ears;
mod following;
mod hands;
mod held;
mod inbound;
mod inboxes;
mod journals;
mod listening;
mod locks;
mod log;
mod panes;
mod peer;
mod pen;
mod picture;
mod place;
mod recorder;
pub mod replay;
mod scripts;
mod session_file;
mod settings;
mod sub_agents;
mod switchboard;
mod tail;
mod whole;
mod work;

pub use daemon::run;
