//! What the tests stand on: a scripted model, the real Claude Code, and a terminal to run it in.

pub mod claude;
pub mod model_server;
pub mod terminal;
