//! The list of a chat's checkpoints, and the revert that is under way.
//!
//! `records/{id}/checkpoints/list.jsonl` is append-only: a checkpoint exists once its line ends. What it saved lies
//! beside it, one store a clone (`git/checkpoint`).

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Error, Home};
use crate::fs::{self, Dir};
use crate::model::review::Checkpoint;
use crate::model::talk::TalkState;
use crate::model::{ChatId, Happened};

const FOLDER: &str = "checkpoints";
const UNDER_WAY: &str = "revert.json";
/// The same once it has failed. A rename needs no room on a full disk.
const CALLED_OFF: &str = "revert-called-off.json";
/// A line has some hundred bytes, and what is old is thinned out.
const MAX: u64 = 64 << 20;
/// A number above this is damage.
const MOST: u64 = 10_000_000_000;

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
    /// The git directories that it made where there was none, by the clone's name: device and inode. Any other is not its own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub made: BTreeMap<String, (u64, u64)>,
}

impl UnderWay {
    fn text(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// It is no revert: what changed a clone was cut off, and is taken back.
    pub fn is_change(&self) -> bool {
        self.from == self.to
    }
}

/// A change of a chat's clones that is written down as under way. It stays so until it is [`ChangeUnderWay::done`]: where
/// this is dropped before, by an error or a kill, the next job of the chat carries the change to its end or calls it off.
#[must_use]
pub struct ChangeUnderWay {
    pub what: UnderWay,
    /// It has failed: it ends by each clone being as it was.
    pub is_called_off: bool,
    dir: Dir,
}

impl ChangeUnderWay {
    /// It has failed. Whoever ends it, if the caller cannot, brings each clone back to what it was.
    pub fn call_off(&mut self) -> Result<(), Error> {
        self.dir.rename(UNDER_WAY, &self.dir, CALLED_OFF)?;
        self.is_called_off = true;
        Ok(())
    }

    /// Writes down a git directory that is about to be put into a clone.
    pub fn makes(&mut self, clone: &str, git_dir: (u64, u64)) -> Result<(), Error> {
        self.what.made.insert(clone.to_owned(), git_dir);
        let name = if self.is_called_off { CALLED_OFF } else { UNDER_WAY };
        Ok(self.dir.write_atomic(name, self.what.text())?)
    }

    /// Each clone is as it was, or as it was to become.
    pub fn done(self) -> Result<(), Error> {
        for name in [UNDER_WAY, CALLED_OFF] {
            self.dir.remove_file(name)?;
        }
        Ok(self.dir.sync()?)
    }
}

/// What the list says.
#[derive(Debug, Default, PartialEq)]
pub struct CheckpointList {
    pub known: Vec<Checkpoint>,
    /// Numbers that belong to lines which cannot be read, or may: what was saved under them stays.
    pub unread: Vec<RangeInclusive<u64>>,
}

/// A line of the list: where it cannot be read, as that of a newer parlour, at most its number.
struct ListLine {
    text: Vec<u8>,
    checkpoint: Result<Checkpoint, Option<u64>>,
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
    pub fn is_reverting(&self, chat: &ChatId) -> Result<bool, Error> {
        let record = self.record_dir(chat)?;
        for name in [UNDER_WAY, CALLED_OFF] {
            if record.metadata(format!("{FOLDER}/{name}"))?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Checkpoints {
    /// The list, beside the stores.
    pub const LIST: &str = "list.jsonl";

    /// Those that lie in this directory.
    pub fn at(dir: Dir) -> Checkpoints {
        Checkpoints { dir }
    }

    /// The numbers of the lines that cannot be read, the first being 1.
    pub fn damaged(&self) -> Result<Vec<u64>, Error> {
        let lines = self.lines()?.into_iter().zip(1..);
        Ok(lines
            .filter_map(|(line, at)| line.checkpoint.is_err().then_some(at))
            .collect())
    }

    /// Where the stores lie.
    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    /// All of them, oldest first. A line that cannot be read is passed over.
    pub fn list(&self) -> Result<Vec<Checkpoint>, Error> {
        let lines = self.lines()?.into_iter();
        Ok(lines.filter_map(|line| line.checkpoint.ok()).collect())
    }

    /// All of them, and what may have been saved besides, up to the highest number of which anything was saved.
    pub fn read(&self, saved: u64) -> Result<CheckpointList, Error> {
        let mut list = CheckpointList::default();
        // Of the last line, and how many since then have no number that can be read.
        let (mut last, mut nameless) = (0, 0);
        for line in self.lines()? {
            let number = match line.checkpoint {
                Ok(checkpoint) => {
                    let number = checkpoint.number;
                    list.known.push(checkpoint);
                    number
                }
                Err(Some(number)) => {
                    list.unread.push(number..=number);
                    number
                }
                Err(None) => {
                    nameless += 1;
                    continue;
                }
            };
            if nameless > 0 {
                list.unread.push(last + 1..=number.saturating_sub(1));
            }
            (last, nameless) = (last.max(number), 0);
        }
        // What is under way has the next number. More than that has lost its lines.
        let most = last + 1;
        if nameless > 0 || saved > most {
            list.unread.push(most..=saved.max(last + nameless));
        }
        Ok(list)
    }

    fn lines(&self) -> Result<Vec<ListLine>, Error> {
        let text = self.dir.read(Self::LIST, MAX)?.unwrap_or_default();
        let lines = text
            .split_inclusive(|byte| *byte == b'\n')
            .filter(|line| line.ends_with(b"\n"));
        let read = |line: &[u8]| ListLine {
            checkpoint: serde_json::from_slice(line).map_err(|_| {
                let fields: Option<serde_json::Value> = serde_json::from_slice(line).ok();
                fields.and_then(|fields| fields.get("number")?.as_u64().filter(|number| *number < MOST))
            }),
            text: line.to_vec(),
        };
        Ok(lines.map(read).collect())
    }

    /// Synced: it exists from here on.
    pub fn add(&self, checkpoint: &Checkpoint) -> Result<(), Error> {
        let mut file = self.dir.append(Self::LIST)?;
        let doing = |source| self.unwritten(source);
        let text = self.dir.read(Self::LIST, MAX)?.unwrap_or_default();
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

    /// Takes the line of a checkpoint away again: its revert has failed. As the last line it goes without any room on the
    /// disk.
    pub fn take_back(&self, number: u64) -> Result<(), Error> {
        let mut lines = self.lines()?;
        let is_it = |line: &ListLine| line.checkpoint.as_ref().is_ok_and(|known| known.number == number);
        match lines.pop() {
            Some(last) if is_it(&last) => {
                let end: usize = lines.iter().map(|line| line.text.len()).sum();
                let file = self.dir.append(Self::LIST)?;
                let cut = file.set_len(end as u64).and_then(|()| file.sync_all());
                cut.map_err(|source| self.unwritten(source))
            }
            Some(_) if lines.iter().any(is_it) => {
                let mut known = self.list()?;
                known.retain(|known| known.number != number);
                self.replace(&known)
            }
            Some(_) | None => Ok(()),
        }
    }

    fn unwritten(&self, source: std::io::Error) -> Error {
        Error::Files(fs::Error::Io {
            doing: "writing",
            path: self.dir.path().join(Self::LIST),
            source,
        })
    }

    /// From here on these are all that there are, beside lines that cannot be read.
    pub fn replace(&self, list: &[Checkpoint]) -> Result<(), Error> {
        let mut text = Vec::new();
        for line in self.lines()? {
            match line.checkpoint {
                Err(_) => text.extend(line.text),
                Ok(known) => {
                    if let Some(kept) = list.iter().find(|kept| kept.number == known.number) {
                        text.extend(serde_json::to_vec(kept).unwrap_or_default());
                        text.push(b'\n');
                    }
                }
            }
        }
        Ok(self.dir.write_atomic(Self::LIST, text)?)
    }

    pub fn under_way(&self) -> Result<Option<ChangeUnderWay>, Error> {
        for name in [UNDER_WAY, CALLED_OFF] {
            let text = self.dir.read(name, MAX)?;
            // Whatever is in it was written whole: a part of it is damage from outside, and there is nothing to go on with.
            if let Some(what) = text.and_then(|text| serde_json::from_slice(&text).ok()) {
                let mut change = self.change(what)?;
                change.is_called_off = name == CALLED_OFF;
                return Ok(Some(change));
            }
        }
        Ok(None)
    }

    pub fn begin(&self, what: UnderWay) -> Result<ChangeUnderWay, Error> {
        let text = what.text();
        let change = self.change(what)?;
        self.dir.write_atomic(UNDER_WAY, text)?;
        Ok(change)
    }

    fn change(&self, what: UnderWay) -> Result<ChangeUnderWay, Error> {
        Ok(ChangeUnderWay {
            what,
            is_called_off: false,
            dir: self.dir.try_clone()?,
        })
    }
}
