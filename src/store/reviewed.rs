//! Up to where a person has reviewed a chat's clones: `records/{id}/reviewed.json`.

use serde::{Deserialize, Serialize};

use super::{Error, Home};
use crate::model::{ChatId, Timestamp};

const FILE: &str = "reviewed.json";
const LARGEST: u64 = 4 << 10;
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct UpTo {
    v: u32,
    checkpoint: u64,
    at: Timestamp,
    /// The one before, which this took the place of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<u64>,
}

impl Home {
    /// The number of a checkpoint: what it holds was reviewed. A file that cannot be read says nothing.
    pub fn reviewed(&self, chat: &ChatId) -> Result<Option<u64>, Error> {
        Ok(self.up_to(chat)?.map(|up_to| up_to.checkpoint))
    }

    /// It is safe on disk on return.
    pub fn set_reviewed(&self, chat: &ChatId, checkpoint: u64, at: Timestamp) -> Result<(), Error> {
        let before = self
            .up_to(chat)?
            .and_then(|known| match known.checkpoint == checkpoint {
                true => known.before,
                false => Some(known.checkpoint),
            });
        self.keep_up_to(chat, (checkpoint, before), at)
    }

    /// The mark of this checkpoint is taken back, and the one before counts again, if there was one. Nothing is done if it
    /// is not the last mark any more; says whether it was.
    pub fn take_back_reviewed(&self, chat: &ChatId, checkpoint: u64, at: Timestamp) -> Result<bool, Error> {
        let Some(last) = self.up_to(chat)?.filter(|known| known.checkpoint == checkpoint) else {
            return Ok(false);
        };
        match last.before {
            Some(before) => self.keep_up_to(chat, (before, None), at)?,
            None => self.record_dir(chat)?.remove_file(FILE)?,
        }
        Ok(true)
    }

    fn up_to(&self, chat: &ChatId) -> Result<Option<UpTo>, Error> {
        self.read_of_record(chat, (FILE, LARGEST))
    }

    fn keep_up_to(&self, chat: &ChatId, (checkpoint, before): (u64, Option<u64>), at: Timestamp) -> Result<(), Error> {
        let up_to = UpTo {
            v: VERSION,
            checkpoint,
            at,
            before,
        };
        self.write_to_record(chat, FILE, &up_to)
    }
}
