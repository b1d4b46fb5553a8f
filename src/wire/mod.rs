//! Frames between the engine and its peers: attached screens, shell verbs and hooks.
//!
//! A connection opens with a [`Hello`] of fixed size that every version can read. After it both sides send
//! [`Message`]s through the [`Codec`]. All of it works over any byte stream: a Unix socket, or a pipe in tests.
//! Most bodies are JSON that this room does not read; the one it knows is [`Attach`], since both
//! ends must agree on it before anything can be drawn. Start at [`Message`].

pub mod address;
mod attach;
mod codec;
mod hello;
mod message;
mod typed;

pub use attach::{Attach, Term, TerminalColours, TerminalFile, TerminalId};
pub use codec::{Codec, Error, FRAME_LIMIT, MESSAGE_LIMIT};
pub use hello::{Hello, HelloError, PROTOCOL, exchange, exchange_as};
pub use message::{ENDING, LENT_FOR, Message, NOT_BEGUN};
pub use typed::{FromTerminal, TerminalInput};
