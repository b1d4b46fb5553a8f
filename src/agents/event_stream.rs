//! An agent CLI that has a server of its own: where it is, and who understands it.

use std::net::SocketAddr;

use serde_json::Value;

use crate::model::{Mark, Streamed};

/// Where a CLI tells what it does, as server-sent events over HTTP.
pub struct EventStream {
    pub address: SocketAddr,
    pub path: &'static str,
    /// The whole header. It is the password of a server that runs commands.
    pub authorization: String,
    pub reader: Box<dyn ReadStream>,
}

/// Makes events of what such a server says.
pub trait ReadStream: Send + Sync {
    /// How far the session was read before this start: [`Mark::to`].
    fn begin(&mut self, read: u64);

    /// What to ask the server whenever its stream has begun, for what was said before: the path of the first question,
    /// or of the one after that.
    fn asks(&self, after: Option<&str>) -> Option<String>;

    fn answer(&mut self, path: &str, body: &Value) -> Vec<Passage>;

    /// The data of one event.
    fn event(&mut self, text: &str) -> Passage;
}

/// What was said in one go.
#[derive(Debug, Default, PartialEq)]
pub struct Passage {
    pub said: Vec<Streamed>,
    /// All that the session said up to here has been told.
    pub read: Option<Mark>,
}
