//! The list of a chat's checkpoints, and the revert that is under way.
//!
//! `records/{id}/checkpoints/list.jsonl` is append-only: a checkpoint exists once its line ends. What it saved lies
//! beside it, one store a clone (`git/checkpoint`).

use std::io::Write;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Error, Home};
use crate::fs::{self, Dir};
use crate::model::review::Checkpoint;
use crate::model::talk::TalkState;
use crate::model::{ChatId, Happened};

const FOLDER: &str = "checkpoints";
const LIST: &str = "list.jsonl";
const UNDER_WAY: &str = "revert.json";
/// A line has some hundred bytes, and what is old is thinned out.
const MAX: u64 = 64 << 20;

/// A revert, written down before it begins, so that a kill in the middle of it is not its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnderWay {
    pub v: u32,
    /// What it replaces.
    pub from: u64,
    pub to: u64,
    pub projects: Vec<String>,
    /// Where it takes a revert back: what that had restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<u64>,
    /// What becomes of the conversation, once the clones are restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk: Option<TalkUnderWay>,
}

impl UnderWay {
    /// It is no revert: what changed a clone was cut off, and is taken back.
    pub fn is_change(&self) -> bool {
        self.from == self.to
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TalkUnderWay {
    pub to: TalkState,
    /// What the transcript tells of it.
    pub told: Happened,
}

/// The checkpoints of one chat.
pub struct Checkpoints {
    dir: Dir,
}

impl Home {
    pub fn checkpoints(&self, chat: &ChatId) -> Result<Checkpoints, Error> {
        let dir = self.record_dir(chat)?.create_dir(FOLDER)?;
        Ok(Checkpoints { dir })
    }

    /// Where they lie, if there are any.
    pub fn folder_of_checkpoints(&self, chat: &ChatId) -> Option<PathBuf> {
        let folder = self.record_dir(chat).and_then(|record| Ok(record.dir(FOLDER)?));
        Some(folder.ok()?.path().to_path_buf())
    }

    /// Whether a revert of this chat was begun and not ended.
    pub fn is_reverting(&self, chat: &ChatId) -> bool {
        let record = self.record_dir(chat);
        record.is_ok_and(|record| matches!(record.metadata(format!("{FOLDER}/{UNDER_WAY}")), Ok(Some(_))))
    }
}

impl Checkpoints {
    /// Where the stores lie.
    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    /// All of them, oldest first. A line that cannot be read is passed over.
    pub fn list(&self) -> Result<Vec<Checkpoint>, Error> {
        let text = self.dir.read(LIST, MAX)?.unwrap_or_default();
        let lines = text
            .split_inclusive(|byte| *byte == b'\n')
            .filter(|line| line.ends_with(b"\n"));
        Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
    }

    /// Synced: it exists from here on.
    pub fn add(&self, checkpoint: &Checkpoint) -> Result<(), Error> {
        let mut file = self.dir.append(LIST)?;
        let doing = |source| {
            Error::Files(fs::Error::Io {
                doing: "writing",
                path: self.dir.path().join(LIST),
                source,
            })
        };
        let text = self.dir.read(LIST, MAX)?.unwrap_or_default();
        // A kill or a full disk left a part of a line: it counts as none.
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if whole < text.len() {
            file.set_len(whole as u64).map_err(doing)?;
        }
        let mut line = serde_json::to_vec(checkpoint).map_err(|error| doing(error.into()))?;
        line.push(b'\n');
        file.write_all(&line).and_then(|()| file.sync_all()).map_err(doing)?;
        Ok(self.dir.sync()?)
    }

    /// From here on these are all that there are.
    pub fn replace(&self, list: &[Checkpoint]) -> Result<(), Error> {
        let mut text = Vec::new();
        for checkpoint in list {
            text.extend(serde_json::to_vec(checkpoint).unwrap_or_default());
            text.push(b'\n');
        }
        Ok(self.dir.write_atomic(LIST, text)?)
    }

    pub fn under_way(&self) -> Result<Option<UnderWay>, Error> {
        let text = self.dir.read(UNDER_WAY, MAX)?;
        // Whatever is in it was written whole: a part of it is damage from outside, and there is nothing to go on with.
        Ok(text.and_then(|text| serde_json::from_slice(&text).ok()))
    }

    pub fn begin(&self, revert: &UnderWay) -> Result<(), Error> {
        let text = serde_json::to_vec(revert).unwrap_or_default();
        Ok(self.dir.write_atomic(UNDER_WAY, text)?)
    }

    pub fn end(&self) -> Result<(), Error> {
        self.dir.remove_file(UNDER_WAY)?;
        Ok(self.dir.sync()?)
    }
}
