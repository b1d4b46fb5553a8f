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

    /// The last mark is taken back: the one before counts again, if there was one.
    pub fn take_back_reviewed(&self, chat: &ChatId, at: Timestamp) -> Result<Option<u64>, Error> {
        let before = self.up_to(chat)?.and_then(|known| known.before);
        match before {
            Some(before) => self.keep_up_to(chat, (before, None), at)?,
            None => self.record_dir(chat)?.remove_file(FILE)?,
        }
        Ok(before)
    }

    fn up_to(&self, chat: &ChatId) -> Result<Option<UpTo>, Error> {
        let text = self.record_dir(chat)?.read(FILE, LARGEST)?;
        Ok(text.and_then(|text| serde_json::from_slice(&text).ok()))
    }

    fn keep_up_to(&self, chat: &ChatId, (checkpoint, before): (u64, Option<u64>), at: Timestamp) -> Result<(), Error> {
        let up_to = UpTo {
            v: VERSION,
            checkpoint,
            at,
            before,
        };
        let text = serde_json::to_string(&up_to).expect("it has only text keys");
        Ok(self.record_dir(chat)?.write_atomic(FILE, format!("{text}\n"))?)
    }
}
