//! What differs by operating system: who is at the other end of a socket, locks, starting the engine on its own.
//! Linux is what is tested; elsewhere each piece says less rather than wrong.

pub mod detach;
pub mod lineage;
pub mod lock;
mod memory;
pub mod peer;

pub use memory::rss_bytes;
//! What differs by operating system, behind one face. Knows nothing of chats, files of ours or the screen.

pub mod reflink;
