//! Messages as frames: a little-endian u32 length, a kind byte, a body.
//!
//! The length counts kind and body. No frame is longer than 1 MiB, so neither side ever reserves more on a stranger's
//! word. A longer message, such as a hook's payload or a whole export, goes as parts (kind 0) followed by
//! the frame that ends it, and is itself bounded. Whatever breaks these rules ends this connection and no other.

use std::io;

use tokio_util::bytes::{Buf, BufMut, BytesMut};
use tokio_util::codec::{Decoder, Encoder};

use super::Message;

/// The longest frame, kind included.
pub const FRAME_LIMIT: usize = 1 << 20;
/// The longest message over all its parts: four times the largest hook payload that is taken.
pub const MESSAGE_LIMIT: usize = 16 << 20;

const PART: u8 = 0;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("a frame of {bytes} bytes was announced; a frame has 1 to {FRAME_LIMIT}")]
    FrameLength { bytes: usize },
    #[error("a message of {bytes} bytes is longer than {MESSAGE_LIMIT}")]
    MessageLength { bytes: usize },
    #[error("a message makes no sense: {said}")]
    Malformed { said: String },
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Both directions of one connection.
#[derive(Debug, Default)]
pub struct Codec {
    /// What came of a long message so far.
    parts: BytesMut,
}

impl Decoder for Codec {
    type Item = Message;
    type Error = Error;

    fn decode(&mut self, src: &mut BytesMut) -> Result<Option<Message>, Error> {
        while let Some(length) = src.first_chunk() {
            let bytes = u32::from_le_bytes(*length) as usize;
            if bytes == 0 || bytes > FRAME_LIMIT {
                return Err(Error::FrameLength { bytes });
            }
            if src.len() < 4 + bytes {
                src.reserve(4 + bytes - src.len());
                return Ok(None);
            }
            src.advance(4);
            let mut body = src.split_to(bytes);
            let kind = body.get_u8();
            let bytes = self.parts.len() + body.len();
            if bytes > MESSAGE_LIMIT {
                return Err(Error::MessageLength { bytes });
            }
            if kind == PART {
                self.parts.extend_from_slice(&body);
                continue;
            }
            let body = if self.parts.is_empty() {
                body
            } else {
                let mut whole = std::mem::take(&mut self.parts);
                whole.extend_from_slice(&body);
                whole
            };
            return Message::parse(kind, &body)
                .map(Some)
                .map_err(|said| Error::Malformed { said });
        }
        Ok(None)
    }
}

impl Encoder<Message> for Codec {
    type Error = Error;

    fn encode(&mut self, message: Message, dst: &mut BytesMut) -> Result<(), Error> {
        let (kind, body) = message.to_bytes().map_err(|error| Error::Malformed {
            said: error.to_string(),
        })?;
        if body.len() > MESSAGE_LIMIT {
            return Err(Error::MessageLength { bytes: body.len() });
        }
        let mut rest = body.as_slice();
        while rest.len() > FRAME_LIMIT - 1 {
            let (part, after) = rest.split_at(FRAME_LIMIT - 1);
            put_frame(dst, PART, part);
            rest = after;
        }
        put_frame(dst, kind, rest);
        Ok(())
    }
}

fn put_frame(dst: &mut BytesMut, kind: u8, body: &[u8]) {
    let length = u32::try_from(body.len() + 1).expect("no frame is longer than 1 MiB");
    dst.reserve(5 + body.len());
    dst.put_u32_le(length);
    dst.put_u8(kind);
    dst.put_slice(body);
}

#[cfg(test)]
mod tests;
