//! What the engine and its peers say to each other after the hello.

use std::time::Duration;

use crossterm::event::Event;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::attach::TerminalColours;

/// How long the engine reads a client's terminal in its place, unless the client says again that it may.
pub const LENT_FOR: Duration = Duration::from_secs(1);

/// Why a question has no answer where the engine was told to end.
pub const ENDING: &str = "the engine is ending";

/// As [`ENDING`], where what was asked was not begun.
pub const NOT_BEGUN: &str = "the engine is ending, and has begun nothing of it";

/// One message. Screens send `Input`, `Colours`, `Ack` and `LendKeyboard` and get `Frame`, what is said of the keyboard,
/// and as the `Stream` of their `attach` where they are, to be given to the next engine. Shell verbs send `Request` and get
/// any number of `Stream` and one `Reply` with the same id. `Bye` ends a connection with a word for the person.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    Input(Event),
    /// The terminal's colours, told late or changed since.
    Colours(TerminalColours),
    /// From here on the engine reads the terminal, for [`LENT_FOR`]. Said only where the answer to `attach` holds
    /// `"borrows": true`.
    LendKeyboard,
    /// The engine would like to read on. The client says the same as its yes.
    RenewKeyboard,
    /// The engine reads the terminal no more. These bytes it has read, and it leaves them to the client.
    ReturnKeyboard(Vec<u8>),
    /// Bytes for the terminal. The engine sends the next one after the `Ack` of this one.
    Frame {
        number: u32,
        bytes: Vec<u8>,
    },
    /// The terminal has taken this frame.
    Ack {
        number: u32,
    },
    /// `body` is an object with a `noun`, most with a `verb`. `{"noun":"engine","verb":"ping"}` is answered at once and with anything.
    Request {
        id: u32,
        body: Value,
    },
    /// On the wire `{"ok":…}` or `{"problem":{"doing":…,"cause":…,"hint":…}}`.
    Reply {
        id: u32,
        body: Result<Value, Value>,
    },
    Stream {
        id: u32,
        body: Value,
    },
    /// The client shows `why`, unless it is empty, and ends with `exit`.
    Bye {
        why: String,
        exit: u8,
    },
}

/// How a reply's body looks on the wire: its values, or what they are written from.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ReplyBody<V> {
    Ok(V),
    Problem(V),
}

#[derive(Serialize, Deserialize)]
struct Bye {
    why: String,
    exit: u8,
}

/// The byte before a body. 0 is the codec's own: a part of a message too long for one frame.
mod kind {
    pub const INPUT: u8 = 1;
    pub const FRAME: u8 = 2;
    pub const ACK: u8 = 3;
    pub const REQUEST: u8 = 4;
    pub const REPLY: u8 = 5;
    pub const STREAM: u8 = 6;
    pub const BYE: u8 = 7;
    pub const COLOURS: u8 = 8;
    pub const LEND_KEYBOARD: u8 = 9;
    pub const RENEW_KEYBOARD: u8 = 10;
    pub const RETURN_KEYBOARD: u8 = 11;
}

impl Message {
    /// The request that it is an answer to, or a part of one.
    pub fn answers(&self) -> Option<u32> {
        match self {
            Message::Reply { id, .. } | Message::Stream { id, .. } => Some(*id),
            Message::Input(_)
            | Message::Colours(_)
            | Message::LendKeyboard
            | Message::RenewKeyboard
            | Message::ReturnKeyboard(_)
            | Message::Frame { .. }
            | Message::Ack { .. }
            | Message::Request { .. }
            | Message::Bye { .. } => None,
        }
    }

    /// The kind and the body, as the codec frames them. Numbers are little-endian.
    pub(super) fn to_bytes(&self) -> serde_json::Result<(u8, Vec<u8>)> {
        Ok(match self {
            Message::Input(event) => (kind::INPUT, serde_json::to_vec(event)?),
            Message::Colours(colours) => (kind::COLOURS, serde_json::to_vec(colours)?),
            Message::LendKeyboard => (kind::LEND_KEYBOARD, Vec::new()),
            Message::RenewKeyboard => (kind::RENEW_KEYBOARD, Vec::new()),
            Message::ReturnKeyboard(bytes) => (kind::RETURN_KEYBOARD, bytes.clone()),
            Message::Frame { number, bytes } => (kind::FRAME, numbered(*number, bytes)),
            Message::Ack { number } => (kind::ACK, numbered(*number, &[])),
            Message::Request { id, body } => (kind::REQUEST, numbered(*id, &serde_json::to_vec(body)?)),
            Message::Reply { id, body } => {
                let answer = match body {
                    Ok(value) => ReplyBody::Ok(value),
                    Err(problem) => ReplyBody::Problem(problem),
                };
                (kind::REPLY, numbered(*id, &serde_json::to_vec(&answer)?))
            }
            Message::Stream { id, body } => (kind::STREAM, numbered(*id, &serde_json::to_vec(body)?)),
            Message::Bye { why, exit } => {
                let bye = Bye {
                    why: why.clone(),
                    exit: *exit,
                };
                (kind::BYE, serde_json::to_vec(&bye)?)
            }
        })
    }

    /// The message of this kind; the text says what is wrong with it.
    pub(super) fn parse(kind: u8, body: &[u8]) -> Result<Message, String> {
        Ok(match kind {
            kind::INPUT => Message::Input(json(body)?),
            kind::COLOURS => Message::Colours(json(body)?),
            kind::LEND_KEYBOARD => Message::LendKeyboard,
            kind::RENEW_KEYBOARD => Message::RenewKeyboard,
            kind::RETURN_KEYBOARD => Message::ReturnKeyboard(body.to_vec()),
            kind::FRAME => {
                let (number, bytes) = number(body)?;
                Message::Frame {
                    number,
                    bytes: bytes.to_vec(),
                }
            }
            kind::ACK => Message::Ack {
                number: number(body)?.0,
            },
            kind::REQUEST => {
                let (id, body) = number(body)?;
                Message::Request { id, body: json(body)? }
            }
            kind::REPLY => {
                let (id, body) = number(body)?;
                let body = match json::<ReplyBody<Value>>(body)? {
                    ReplyBody::Ok(value) => Ok(value),
                    ReplyBody::Problem(problem) => Err(problem),
                };
                Message::Reply { id, body }
            }
            kind::STREAM => {
                let (id, body) = number(body)?;
                Message::Stream { id, body: json(body)? }
            }
            kind::BYE => {
                let Bye { why, exit } = json(body)?;
                Message::Bye { why, exit }
            }
            unknown => return Err(format!("unknown kind {unknown}")),
        })
    }
}

fn numbered(number: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4 + body.len());
    bytes.extend_from_slice(&number.to_le_bytes());
    bytes.extend_from_slice(body);
    bytes
}

fn number(body: &[u8]) -> Result<(u32, &[u8]), String> {
    let (number, rest) = body.split_first_chunk().ok_or("its number is cut off")?;
    Ok((u32::from_le_bytes(*number), rest))
}

fn json<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    serde_json::from_slice(body).map_err(|error| error.to_string())
}
