//! What a person set at the screen, in `preferences.json`. A file that cannot be read is left as it is.

use super::home::SMALL;
use super::{Error, Home};
use crate::model::preferences::Preferences;

const FILE: &str = "preferences.json";

impl Home {
    /// What is set, or why that cannot be told.
    pub fn preferences(&self) -> Result<Preferences, Error> {
        let Some(bytes) = self.dir.read(FILE, SMALL)? else {
            return Ok(Preferences::default());
        };
        serde_json::from_slice(&bytes).map_err(|error| Error::Damaged {
            path: self.dir.path().join(FILE),
            why: error.to_string(),
        })
    }

    /// Changes them, unless what is there cannot be read.
    pub fn prefer(&self, with: impl FnOnce(&mut Preferences)) -> Result<(), Error> {
        self.writable()?;
        let _records = self.lock();
        let before = self.preferences()?;
        let mut preferences = before.clone();
        with(&mut preferences);
        if preferences == before {
            return Ok(());
        }
        let text = serde_json::to_string_pretty(&preferences).expect("preferences have only text keys");
        Ok(self.dir.write_atomic(FILE, format!("{text}\n"))?)
    }
}
