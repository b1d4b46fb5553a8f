//! Where a line of a comparison comes from: the turn that wrote it or removed it, and the call of a tool in that turn.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::diff::FileAsk;

/// A line as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineAsk {
    pub file: FileAsk,
    pub line: AskedLine,
    /// What it says.
    pub text: String,
    pub shown: ShownUpTo,
}

impl LineAsk {
    /// Its file's path on the side that has it, and the other one if it was renamed.
    pub fn paths(&self) -> Vec<PathBuf> {
        let mut paths = vec![self.file.path.clone()];
        paths.extend(self.file.from.clone());
        if let AskedLine::Removed(_) = self.line {
            paths.reverse();
        }
        paths
    }
}

/// A line by its number, from 1, on the side that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AskedLine {
    /// It is there after: who wrote it?
    There(u32),
    /// It is there before alone: who removed it?
    Removed(u32),
}

/// How far what is shown goes: what came later has no part in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShownUpTo {
    /// This checkpoint is the last one before its end, or its end.
    Checkpoint(u64),
    /// It is what this commit did.
    Commit(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToldOrigin {
    pub asked: LineAsk,
    /// The checkpoint behind which it came or went; none: that was before the first one.
    pub since: Option<u64>,
    /// The turn in which that was. None where clones were gone back: what then differs was done by no prompt.
    pub turn: Option<u32>,
    pub author: LineAuthor,
    pub card: Option<OriginCard>,
}

/// Whose doing a line is, of a turn and who comes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineAuthor {
    /// The turn's.
    Turn,
    /// That of somebody, or of something left running, when the turn was over.
    Later,
    /// One of the two: something was changed when the turn was over, and what is not known any more.
    Either,
}

/// A card of the transcript, by its entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginCard {
    pub seq: u64,
    /// The tool that was called; none where no call can be told, and the card is the turn's prompt.
    pub tool: Option<String>,
}
