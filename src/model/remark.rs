//! Remarks: what is said of files and lines that an agent changed, and what is answered.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{ChatId, Timestamp};

/// How the prompt begins that has a person's remarks.
pub const PROMPT: &str = "Remarks on your changes";

/// What a person, an agent or a reviewer says of a file or of some of its lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// The same in all clones of a chat; the first is 1.
    pub id: u64,
    pub project: String,
    #[serde(with = "super::path_text")]
    pub path: PathBuf,
    pub side: RemarkSide,
    /// The lines. None: it is about the file as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
    pub text: String,
    pub author: RemarkAuthor,
    pub at: Timestamp,
    pub state: RemarkState,
    /// It was sent to the agent.
    #[serde(default)]
    pub sent: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<RemarkAnswer>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemarkAnswer {
    pub author: RemarkAuthor,
    pub text: String,
    pub at: Timestamp,
}

/// Which side of a difference the lines or the file are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RemarkSide {
    /// They were removed.
    Before,
    After,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RemarkAuthor {
    Person,
    Agent,
    /// An agent that was asked for a second opinion.
    Reviewer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RemarkState {
    Open,
    Answered,
    Resolved,
}

/// Lines of a file with what stood around them, by which they are found again when the file has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// The lines themselves.
    pub lines: Vec<String>,
    /// Up to three lines each, in the file's order.
    pub before: Vec<String>,
    pub after: Vec<String>,
    /// Where the first of them was, from 1.
    pub line: u32,
    /// The nearest lines above and below that the file had only once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<String>,
    /// Between those two, how many such lines there were, and which of them it was, from 0.
    pub count: u32,
    pub ordinal: u32,
}

/// A remark with where its lines are now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedRemark {
    #[serde(flatten)]
    pub remark: Remark,
    /// The first line, from 1. None also for the file as a whole.
    pub line: Option<u32>,
    /// What it is about is gone, or could be one of several places.
    #[serde(default)]
    pub outdated: bool,
}

impl PlacedRemark {
    /// How it stands, in a word.
    pub fn standing(&self) -> &'static str {
        match self.remark.state {
            RemarkState::Resolved => "resolved",
            RemarkState::Open | RemarkState::Answered if self.outdated => "outdated",
            RemarkState::Answered => "answered",
            RemarkState::Open if self.remark.sent => "sent",
            RemarkState::Open => "open",
        }
    }

    /// The lines that it is about, as they were.
    pub fn quoted(&self) -> &[String] {
        self.remark.anchor.as_ref().map_or(&[], |anchor| &anchor.lines)
    }

    /// The last line, from 1.
    pub fn last_line(&self) -> Option<u32> {
        Some(self.line? + self.more_lines())
    }

    /// The first and the last line where it was made.
    pub fn first_place(&self) -> Option<(u32, u32)> {
        let anchor = self.remark.anchor.as_ref()?;
        Some((anchor.line, anchor.line + self.more_lines()))
    }

    fn more_lines(&self) -> u32 {
        u32::try_from(self.quoted().len().saturating_sub(1)).unwrap_or(0)
    }

    /// Its file with its lines, as in `grove/src/main.rs:19-21`.
    pub fn place(&self) -> String {
        let path = format!("{}/{}", self.remark.project, self.remark.path.display());
        match (self.line, self.last_line()) {
            (None, _) => path,
            (Some(line), Some(last)) if last > line => format!("{path}:{line}-{last}"),
            (Some(line), _) => format!("{path}:{line}"),
        }
    }
}

/// A remark that is to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewRemark {
    /// Empty: the only clone of the chat.
    pub project: String,
    #[serde(with = "super::path_text")]
    pub path: PathBuf,
    /// The first and the last line, from 1. None: the file as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
    pub side: RemarkSide,
    /// The saved state that they were seen in. None: as the file is now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    pub text: String,
    pub author: RemarkAuthor,
}

/// What is to become of a remark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RemarkChange {
    Answer {
        text: String,
        author: RemarkAuthor,
        resolves: bool,
    },
    State(RemarkState),
    Edit(String),
}

/// What a reviewer looks at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reviewing {
    /// The chat whose changes they are, and whose remarks its findings become.
    pub of: ChatId,
    /// The state of each clone that it sees, as git names the tree.
    pub trees: BTreeMap<String, String>,
}

/// What is asked about remarks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RemarkAsk {
    List,
    Add(NewRemark),
    Change {
        id: u64,
        change: RemarkChange,
    },
    /// In one prompt. Without numbers, all that are open and were not sent yet.
    Send {
        ids: Vec<u64>,
        /// What its agent is started with, if it does not run.
        env: BTreeMap<String, String>,
    },
}

impl RemarkAsk {
    pub fn changes(&self) -> bool {
        match self {
            RemarkAsk::List => false,
            RemarkAsk::Add(_) | RemarkAsk::Change { .. } | RemarkAsk::Send { .. } => true,
        }
    }
}
