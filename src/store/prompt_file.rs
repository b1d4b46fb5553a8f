//! A prompt that a person writes in their own editor: a file in the chat's record, as long as the editor runs.

use std::path::PathBuf;

use super::{Error, Home};
use crate::model::ChatId;

const FILE: &str = "prompt.md";
/// More than is sent; the composer says so.
const LARGEST: u64 = 8 << 20;

impl Home {
    /// Where the editor finds it.
    pub fn put_prompt(&self, chat: &ChatId, text: &str) -> Result<PathBuf, Error> {
        self.writable()?;
        self.record_dir(chat)?.write_atomic(FILE, text)?;
        Ok(self.record_path(chat).join(FILE))
    }

    /// What it holds now; none where somebody has removed it.
    pub fn take_prompt(&self, chat: &ChatId) -> Result<Option<String>, Error> {
        let dir = self.record_dir(chat)?;
        let text = dir.read(FILE, LARGEST)?;
        dir.remove_file(FILE)?;
        Ok(text.map(|text| String::from_utf8_lossy(&text).into_owned()))
    }
}
