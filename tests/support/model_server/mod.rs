//! A model server that plays a script, so that a real agent CLI can be run offline and every tool call is known before.
//!
//! Start at [`Scenario`], what is played; [`ModelServer`] plays it. A vendor's HTTP is a [`dialect::Dialect`]; which
//! step answers which request is decided in `cursor`, the same for all of them.

mod anthropic;
mod chat_completions;
mod cursor;
mod dialect;
mod gates;
mod gemini;
mod responses;
mod scenario;
mod server;

pub use scenario::{Block, Fault, Scenario, Step, Turn, gate, text, thinking, tool, turn};
pub use server::{Asked, ModelServer};
