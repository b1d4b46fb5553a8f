//! What differs by operating system: who is at the other end of a socket, locks, reflinks, starting processes.
//!
//! Linux is what is tested; elsewhere each piece says less rather than wrong. Knows nothing of chats or the screen.

pub mod alarm;
pub mod detach;
pub mod flush;
mod foreground;
mod give_way;
pub mod lineage;
pub mod lock;
mod memory;
mod open_files;
pub mod peer;
pub mod reflink;
pub mod spawn;
pub mod umask;

pub use foreground::{Foreground, foreground, front_cwd};
pub use give_way::give_way;
pub use memory::{give_back, rss_bytes};
pub use open_files::raise_open_files;
