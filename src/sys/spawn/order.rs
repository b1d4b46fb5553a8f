//! What the engine and a supervisor say to each other over the control descriptor.
//!
//! Each message is a big-endian `u32` length and that many bytes of JSON: first one [`Spec`], then [`SpawnOrder`]s one way
//! and [`SpawnReport`]s the other. The environment travels here and never in argv, which other users can read.

use std::ffi::OsString;
use std::io;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A large environment is a few hundred kilobytes.
const LONGEST: usize = 8 * 1024 * 1024;

/// What to start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    /// Absolute: it was looked up by whoever wrote this.
    pub program: OsString,
    pub args: Vec<OsString>,
    /// All of it. Nothing is inherited.
    pub env: Vec<(OsString, OsString)>,
    pub cwd: OsString,
    #[serde(default)]
    pub streams: Streams,
    pub limits: SpawnLimits,
    /// By the kernel's word; absent: it writes wherever its user may.
    pub writable: Option<Writable>,
}

/// What its standard streams are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Streams {
    /// All three are the supervisor's output, which is a terminal and becomes its own.
    #[default]
    Terminal,
    /// Nothing to read; its output and errors are the supervisor's. What it makes is for its user alone.
    Output,
    /// As `Output`, but what it makes is a person's, as open as their umask has it.
    Files,
    /// As `Output`, but it reads from the supervisor's output too, which is a socket.
    Conversation,
}

/// Where it may write, and nowhere else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Writable {
    /// All that is beneath.
    pub paths: Vec<OsString>,
    /// As `paths`, where no part of the path is a link: what others may have put one in place of.
    pub unlinked: Vec<OsString>,
    /// Beneath these it may make directories, and remove empty ones.
    pub locks: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpawnLimits {
    /// Open files, where it shall differ from the engine's own limit. Core files are always off.
    pub nofile: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpawnOrder {
    /// TERM to everything, KILL to what is left after the grace.
    Stop { grace_ms: u64 },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpawnReport {
    Started {
        pid: u32,
    },
    Failed {
        why: String,
    },
    /// The agent and all that it left behind are gone. Exactly one of the two is known.
    Exited {
        code: Option<i32>,
        signal: Option<i32>,
    },
}

/// A message as it is sent.
pub fn frame(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let body = serde_json::to_vec(message)?;
    let length = u32::try_from(body.len()).map_err(io::Error::other)?;
    Ok([&length.to_be_bytes()[..], &body].concat())
}

/// Puts messages together again from whatever pieces arrive.
#[derive(Debug, Default)]
pub struct Frames {
    buffer: Vec<u8>,
}

impl Frames {
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next message, once all of it is here.
    pub fn take<T: DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        let Some((length, rest)) = self.buffer.split_first_chunk::<4>() else {
            return Ok(None);
        };
        let length = u32::from_be_bytes(*length) as usize;
        if length > LONGEST {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "a message longer than any that is sent",
            ));
        }
        let Some(body) = rest.get(..length) else {
            return Ok(None);
        };
        let message = serde_json::from_slice(body)?;
        self.buffer.drain(..4 + length);
        Ok(Some(message))
    }
}
