//! What a person set at the screen, in `preferences.json`. A file that cannot be read is left as it is.

use super::json_file::JsonFile;
use super::{Error, Home};
use crate::model::preferences::Preferences;

impl JsonFile for Preferences {
    const FILE: &'static str = "preferences.json";
}

impl Home {
    /// What is set, or why that cannot be told.
    pub fn preferences(&self) -> Result<Preferences, Error> {
        self.read_json()
    }

    /// Changes them, unless what is there cannot be read.
    pub fn prefer(&self, with: impl FnOnce(&mut Preferences)) -> Result<(), Error> {
        self.change_json(with)
    }
}
