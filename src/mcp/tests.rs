//! The server over real connections, with an engine that does what the test says.

mod calling;
mod doors;
mod flood;
mod names;
mod protocol;
mod support;
