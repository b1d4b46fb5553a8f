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
}

impl Home {
    /// The number of a checkpoint: what it holds was reviewed. A file that cannot be read says nothing.
    pub fn reviewed(&self, chat: &ChatId) -> Result<Option<u64>, Error> {
        let text = self.record_dir(chat)?.read(FILE, LARGEST)?;
        let up_to: Option<UpTo> = text.and_then(|text| serde_json::from_slice(&text).ok());
        Ok(up_to.map(|up_to| up_to.checkpoint))
    }

    /// It is safe on disk on return.
    pub fn set_reviewed(&self, chat: &ChatId, checkpoint: u64, at: Timestamp) -> Result<(), Error> {
        let up_to = UpTo {
            v: VERSION,
            checkpoint,
            at,
        };
        let text = serde_json::to_string(&up_to).expect("it has only text keys");
        Ok(self.record_dir(chat)?.write_atomic(FILE, format!("{text}\n"))?)
    }
}
