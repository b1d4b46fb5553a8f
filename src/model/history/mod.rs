//! Full text over all transcripts and outputs: what is looked for, and what is found.
//!
//! A [`HistoryQuery`] is what somebody wrote. [`HistoryQuery::resolve`] makes a [`HistoryAsk`] of it, which names chats by id and can be
//! answered from the index. What a word is says [`words`], for the index, for queries and for marks alike.

mod marks;
mod query;
mod resolve;
pub mod words;

use serde::{Deserialize, Serialize};

use super::{ChatId, Timestamp};

pub use marks::{Excerpt, excerpt};
pub use query::{FILTERS, HistoryQuery, SoughtPhrase, typed};
pub use resolve::{KnownChat, no_tool};

/// So much of a whole output is searched.
pub const SEARCHED: u64 = 64_000_000;

/// What the index is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryAsk {
    /// All of these, in any order.
    pub sought: Vec<SoughtPhrase>,
    /// In these chats alone.
    pub chats: Option<Vec<ChatId>>,
    /// Entries that are of another project than these are left out.
    pub projects: Vec<String>,
    /// Calls of these tools alone, and what came of them.
    pub tools: Vec<String>,
    pub after: Option<Timestamp>,
    pub before: Option<Timestamp>,
    /// Errors and failed calls alone.
    pub failed: bool,
    /// So many at most, the newest first.
    pub limit: usize,
    /// Those behind this place of an earlier answer.
    pub from: Option<HistoryPlace>,
}

/// A place in the order of all that is in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HistoryPlace(pub i64);

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryPage {
    /// The newest first.
    pub hits: Vec<HistoryHit>,
    /// Where to go on; `None` if this is all.
    pub more: Option<HistoryPlace>,
    /// The index is still being made: what is not in it yet is not found.
    pub pending: Option<IndexProgress>,
    /// Outputs that are longer than is searched, the newest first, each at the place from which on it was not. Only beside
    /// the first hits.
    #[serde(default)]
    pub longer: Vec<HistoryHit>,
}

/// How far making the index has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexProgress {
    /// Bytes of transcripts.
    pub done: u64,
    pub whole: u64,
    /// Chats that are in it.
    #[serde(default)]
    pub chats_done: u64,
    /// Those that have to be; none before they were counted.
    #[serde(default)]
    pub chats: u64,
}

impl IndexProgress {
    pub fn percent(self) -> u64 {
        (self.done * 100).checked_div(self.whole).unwrap_or(0).min(100)
    }
}

impl std::fmt::Display for IndexProgress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.chats {
            0 => write!(f, "{} %", self.percent()),
            chats => write!(f, "{} of {chats} chats, {} %", self.chats_done, self.percent()),
        }
    }
}

/// An entry, or a stretch of a long output, in which the words are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryHit {
    pub place: HistoryPlace,
    pub chat: ChatId,
    /// The entry's number in the chat's transcript.
    pub seq: u64,
    pub at: Timestamp,
    pub kind: HitKind,
    /// Of a call, or what came of one.
    pub tool: Option<String>,
    /// Where the call worked, if the entry says so.
    pub project: Option<String>,
    /// The number of the call's own entry, of what came of it.
    pub call: Option<u64>,
    pub failed: bool,
    /// Where in a whole output it is: the file in the record, and the stretch's first byte.
    pub output: Option<(String, u64)>,
    /// How many stretches of it have the words, the first of which is told.
    pub places: u32,
    pub excerpt: Excerpt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HitKind {
    Prompt,
    Answer,
    Thinking,
    /// Of a compaction.
    Summary,
    Call,
    Output,
    Error,
    Message,
    Note,
    SubAgent,
}

impl HitKind {
    pub fn name(self) -> &'static str {
        match self {
            HitKind::Prompt => "prompt",
            HitKind::Answer => "answer",
            HitKind::Thinking => "thinking",
            HitKind::Summary => "summary",
            HitKind::Call => "call",
            HitKind::Output => "output",
            HitKind::Error => "error",
            HitKind::Message => "message",
            HitKind::Note => "note",
            HitKind::SubAgent => "sub-agent",
        }
    }
}
