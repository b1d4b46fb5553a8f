//! What workers only read.

use std::path::PathBuf;

use serde_json::Value;

use crate::domain::event::Whence;
use crate::model::{CallId, ChatId};

/// What is only read, for an answer or for a screen.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    Tally(ChatId),
    /// A chat's last answer; with a number, so many lines of the last ones.
    LastWords(ChatId, Option<usize>),
    Screen {
        chat: ChatId,
        ansi: bool,
        scrollback: usize,
    },
    /// The newest entries of a transcript, for its cards.
    Tail(ChatId),
    /// A piece of a call's whole output.
    Output {
        chat: ChatId,
        file: String,
        whence: Whence,
        /// The next of these words from there on, or the last before there.
        seeks: Option<String>,
    },
    /// Streams the transcript behind this number to `call`.
    Entries {
        chat: ChatId,
        after: u64,
        call: CallId,
    },
    Log {
        chat: ChatId,
        lines: usize,
    },
    Places {
        text: String,
        cwd: PathBuf,
    },
    /// The scripts of a chat's projects.
    Scripts(ChatId),
    /// Adds a chat's MCP servers to what is told of it already.
    Servers {
        chat: ChatId,
        told: Value,
    },
}
