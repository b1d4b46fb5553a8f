//! An agent CLI that has a server of its own: where it is, and who understands it.

use std::net::SocketAddr;

use serde_json::Value;

use super::kept_outputs::KeptOutputs;
use crate::model::{LiveText, Mark, ServerAnswer, Streamed};

/// Where a CLI tells what it does, as server-sent events over HTTP.
pub struct EventStream {
    pub address: SocketAddr,
    pub path: &'static str,
    /// The whole header. It is the password of a server that runs commands.
    pub authorization: String,
    pub reader: Box<dyn ReadStream>,
    pub tools: Option<OurTools>,
    /// Where the CLI keeps whole outputs that it cut.
    pub kept: Option<KeptOutputs>,
}

/// How such a server says whether it is connected to parlour's tools, and is told to try again: a CLI may lose its
/// connection where it reads its configuration twice at its start, and says nothing of it.
#[derive(Clone, Copy)]
pub struct OurTools {
    pub status: &'static str,
    pub is_connected: fn(&Value) -> bool,
    pub connect: &'static str,
}

/// Makes events of what such a server says.
pub trait ReadStream: Send + Sync {
    /// How far the session was read before this start: [`Mark::to`].
    fn begin(&mut self, read: u64);

    /// What to ask the server whenever its stream has begun, for what was said before: the path of the first question,
    /// or of the one after that; the same again where its answer was not whole yet.
    fn asks(&self, after: Option<&str>) -> Option<String>;

    /// No list where the same is to be asked again and there was no answer: nothing else would be heard meanwhile.
    fn answer(&mut self, path: &str, body: &Value) -> Vec<Passage>;

    /// The data of one event.
    fn event(&mut self, text: &str) -> Passage;

    /// How the server is told the answer to what it asks about this call: path and body of a request.
    fn reply(&self, _answer: &ServerAnswer) -> Option<(String, Value)> {
        None
    }
}

/// What was said in one go.
#[derive(Debug, Default, PartialEq)]
pub struct Passage {
    pub said: Vec<Streamed>,
    /// What is still being said, where that has changed; it belongs behind the rest.
    pub writes: Option<LiveText>,
    /// All that the session said up to here has been told.
    pub read: Option<Mark>,
    /// Something was left out: the stream is to begin again, and what was said to be asked for.
    pub torn: bool,
}
