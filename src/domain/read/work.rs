//! What workers only read.

use crate::domain::team::state::Telling;
use crate::model::template::{PromptTemplate, TemplateAsk, TemplatePrompt};
use crate::model::tool::Tallied;
use crate::model::{Entry, RoleEntry};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

use serde_json::Value;

use crate::model::transcript::{CodeBlock, ColouredCode, PageAt, TranscriptPage};
use crate::model::{CallId, ChatId, ClientId, Timestamp};
use crate::term::PastScreen;

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
    /// A stretch of a transcript, to be read by a person.
    Page(ChatId, PageAt),
    /// The colours of the code in an answer.
    Colours(Vec<CodeBlock>),
    /// What a chat's terminal showed at this moment.
    Moment(ChatId, Timestamp),
    /// A piece of a call's whole output.
    Output {
        chat: ChatId,
        file: String,
        whence: PieceOrigin,
        /// The next of these words from there on, or the last before there.
        seeks: Option<String>,
    },
    /// Streams the transcript behind this number to `call`.
    Entries {
        chat: ChatId,
        after: u64,
        all: EntriesShown,
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
    /// The prompt templates of a chat, or a prompt that is made of one. `date` is today's where the person is.
    Template {
        chat: ChatId,
        ask: TemplateAsk,
        /// The home directory of whoever asks.
        person: Option<PathBuf>,
        date: String,
    },
    /// Adds a chat's MCP servers to what is told of it already.
    Servers {
        chat: ChatId,
        told: Value,
    },
}

/// Whether what a revert has hidden is read too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntriesShown {
    All,
    NotHidden,
}

/// What was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ReadDone {
    /// What git says of each project of a chat.
    Projects(Vec<Tallied>),
    /// Last words, or what a terminal shows.
    Text(String),
    /// The newest entries of a transcript.
    Tail(ChatId, Vec<Entry>),
    /// A stretch of a transcript.
    Page(ChatId, TranscriptPage),
    /// Of each block of code.
    Colours(Vec<ColouredCode>),
    /// None where the record of the terminal does not go back so far.
    Moment(Option<PastScreen>),
    /// Of a call's whole output.
    Piece(ChatId, OutputPiece),
    /// Whoever asked got the transcript up to this entry; `None` where it listens no more.
    Streamed(Option<u64>),
    /// Lines of the log.
    Lines(Vec<String>),
    /// Completions for a typed path or project name, and the roles that a chat there may have.
    Places {
        hints: Vec<PlaceHint>,
        roles: Vec<RoleEntry>,
    },
    Templates(Vec<PromptTemplate>),
    /// A prompt made of a template.
    Filled(TemplatePrompt),
    /// An answer as it is told.
    Reported(Value),
}

/// What follows when it was read.
#[derive(Clone, Debug, PartialEq)]
pub enum ReadThen {
    /// It is the answer.
    Answer,
    /// It is kept for the cards of the chat.
    Shelve,
    /// The plan of its agent is looked for in it.
    Plan,
    /// Last words, of which an answer is made.
    Words(Telling),
    /// The screen, in place of last words.
    Screen(Telling),
    /// The transcript so far was streamed, at best up to the entry that was known to be there: go on with what comes.
    Follow(ChatId, u64),
    /// A stretch of a chat's transcript for a person at this client.
    ShowPage(ClientId, ChatId),
    /// The colours of the code in the answer of this number.
    ShowColours(ClientId, ChatId, u64),
    /// What the terminal showed at this moment.
    ShowMoment(ClientId, ChatId, Timestamp),
    /// A piece of an output for the dialog of a person.
    ShowPiece,
    /// Hints for the field that a person types in.
    ShowPlaces,
}

/// A piece of a file that may be too large to be held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputPiece {
    pub file: String,
    /// Where it was asked for.
    pub whence: PieceOrigin,
    /// Its first byte, the one behind its last, and how many there are in all.
    pub from: u64,
    pub to: u64,
    pub whole: u64,
    pub text: String,
    /// Where the words are that were looked for; `None` where there are none, or nobody looked.
    pub found: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PieceOrigin {
    After(u64),
    Before(u64),
}

/// A repository or directory that could be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceHint {
    /// What is put into the field when it is chosen.
    pub text: String,
    /// What it is: "cached", "recent", "git", "directory".
    pub what: String,
}
