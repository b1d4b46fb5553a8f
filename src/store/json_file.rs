//! A small JSON file of the home that is read whole, changed and written again. One that cannot be read is left as it is.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::home::SMALL;
use super::{Error, Home};

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
}
