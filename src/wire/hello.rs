//! The hello: 16 bytes that every version of parlour sends first and can read.
//!
//! Eight bytes `parlour\0`, then the protocol's version and flags as little-endian numbers. It never
//! changes, so that two versions which cannot talk can still say so in plain words.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The version of everything after the hello. It grows when an older peer would misread a newer one.
pub const PROTOCOL: u32 = 3;

const MAGIC: [u8; 8] = *b"parlour\0";

/// What one side says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hello {
    pub protocol: u32,
    /// None are defined yet: sent as zero, and not judged when read.
    pub flags: u32,
}

impl Hello {
    pub const OURS: Hello = Hello {
        protocol: PROTOCOL,
        flags: 0,
    };

    fn to_bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&self.protocol.to_le_bytes());
        bytes[12..].copy_from_slice(&self.flags.to_le_bytes());
        bytes
    }

    fn parse(bytes: [u8; 16]) -> Result<Hello, HelloError> {
        let [magic @ .., p0, p1, p2, p3, f0, f1, f2, f3] = bytes;
        if magic != MAGIC {
            return Err(HelloError::NotParlour);
        }
        Ok(Hello {
            protocol: u32::from_le_bytes([p0, p1, p2, p3]),
            flags: u32::from_le_bytes([f0, f1, f2, f3]),
        })
    }
}

#[derive(Debug, thiserror::Error)]
pub enum HelloError {
    #[error(
        "this parlour speaks protocol {ours}, the one that answers {theirs}: \
         run `parlour kill-engine` and start again"
    )]
    Mismatch { ours: u32, theirs: u32 },
    #[error("what answers does not speak parlour's protocol")]
    NotParlour,
    #[error("the connection ended before it began: {0}")]
    Io(#[from] io::Error),
}

/// Says hello and hears the other's. Either side may be first; after an error the stream is of no use.
pub async fn exchange<S>(stream: &mut S) -> Result<Hello, HelloError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    exchange_as(stream, Hello::OURS).await
}

/// As [`exchange`], for a peer that says something else of itself: another version, in tests of a mismatch.
pub async fn exchange_as<S>(stream: &mut S, ours: Hello) -> Result<Hello, HelloError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    stream.write_all(&ours.to_bytes()).await?;
    stream.flush().await?;
    let mut bytes = [0; 16];
    stream.read_exact(&mut bytes).await?;
    let theirs = Hello::parse(bytes)?;
    if theirs.protocol != ours.protocol {
        return Err(HelloError::Mismatch {
            ours: ours.protocol,
            theirs: theirs.protocol,
        });
    }
    Ok(theirs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn two_of_the_same_version_hear_each_other() {
        let (mut one, mut other) = tokio::io::duplex(64);
        let (heard, answered) = tokio::join!(exchange(&mut one), exchange(&mut other));
        assert_eq!(heard.unwrap(), Hello::OURS);
        assert_eq!(answered.unwrap(), Hello::OURS);
    }

    #[tokio::test]
    async fn a_mismatch_is_said_in_plain_words_on_both_sides() {
        let (mut one, mut other) = tokio::io::duplex(64);
        let newer = Hello { protocol: 3, flags: 0 };
        let older = Hello { protocol: 2, flags: 7 };
        let (new, old) = tokio::join!(exchange_as(&mut one, newer), exchange_as(&mut other, older));
        assert_eq!(
            new.unwrap_err().to_string(),
            "this parlour speaks protocol 3, the one that answers 2: run `parlour kill-engine` and start again"
        );
        assert_eq!(
            old.unwrap_err().to_string(),
            "this parlour speaks protocol 2, the one that answers 3: run `parlour kill-engine` and start again"
        );
    }

    #[tokio::test]
    async fn a_stranger_is_told_apart_from_another_version() {
        let (mut one, mut stranger) = tokio::io::duplex(64);
        stranger.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
        let error = exchange(&mut one).await.unwrap_err();
        assert!(matches!(error, HelloError::NotParlour), "{error}");
    }
}
