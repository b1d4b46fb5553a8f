//! What is measured, a file each. All take the hosts in turn, round by round, so that a busy minute of the machine
//! touches each of them.

mod crowd;
mod echo;
mod first;
mod idle;
mod list;
mod memory;
mod open;
mod stream;

pub use crowd::crowd;
pub use echo::echo;
pub use first::first;
pub use idle::idle;
pub use list::list;
pub use memory::memory;
pub use open::open;
pub use stream::stream;
