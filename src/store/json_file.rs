//! Small JSON files that are read whole. One of the home is changed and written again, and left as it is if it cannot be read.
//! One of a chat's record is beside the point then: it says nothing, and the next takes its place.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::home::SMALL;
use super::{Error, Home};
use crate::model::ChatId;

/// What such a file holds; its default is what holds where there is none.
pub(super) trait JsonFile: Clone + Default + PartialEq + Serialize + DeserializeOwned {
    const FILE: &'static str;
}

impl Home {
    /// What it holds, or why that cannot be told.
    pub(super) fn read_json<F: JsonFile>(&self) -> Result<F, Error> {
        let Some(bytes) = self.dir.read(F::FILE, SMALL)? else {
            return Ok(F::default());
        };
        serde_json::from_slice(&bytes).map_err(|error| Error::Damaged {
            path: self.dir.path().join(F::FILE),
            why: error.to_string(),
        })
    }

    /// Changes it. What stays as it was is not written again.
    pub(super) fn change_json<F: JsonFile>(&self, with: impl FnOnce(&mut F)) -> Result<(), Error> {
        self.writable()?;
        let _records = self.lock();
        let before: F = self.read_json()?;
        let mut changed = before.clone();
        with(&mut changed);
        if changed == before {
            return Ok(());
        }
        let text = serde_json::to_string_pretty(&changed).expect("it has only text keys");
        Ok(self.dir.write_atomic(F::FILE, format!("{text}\n"))?)
    }

    /// What a file of a chat's record holds; none where there is none, or it cannot be read.
    pub(super) fn read_of_record<T: DeserializeOwned>(
        &self,
        chat: &ChatId,
        (file, largest): (&str, u64),
    ) -> Result<Option<T>, Error> {
        let text = self.record_dir(chat)?.read(file, largest)?;
        Ok(text.and_then(|text| serde_json::from_slice(&text).ok()))
    }

    /// It is safe on disk on return.
    pub(super) fn write_to_record(&self, chat: &ChatId, file: &str, what: &impl Serialize) -> Result<(), Error> {
        let text = serde_json::to_string(what).expect("it has only text keys");
        Ok(self.record_dir(chat)?.write_atomic(file, format!("{text}\n"))?)
    }
}
