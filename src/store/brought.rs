//! What was brought home of a chat's clones last: `records/{id}/home.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Error, Home};
use crate::model::ChatId;

const FILE: &str = "home.json";
const LARGEST: u64 = 64 << 10;
const VERSION: u32 = 1;

/// A branch as parlour left it in the person's own repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BroughtBranch {
    /// Its name there.
    pub branch: String,
    /// The clone's branch of which it is.
    pub own: String,
    pub commit: String,
    /// parlour made it there. One that was there before may have commits of a person's own.
    pub made: bool,
}

#[derive(Default, Serialize, Deserialize)]
struct BroughtBranches {
    v: u32,
    /// By the name of the clone.
    clones: BTreeMap<String, BroughtBranch>,
}

impl Home {
    /// Of this clone. A file that cannot be read says nothing.
    pub fn brought(&self, chat: &ChatId, project: &str) -> Result<Option<BroughtBranch>, Error> {
        Ok(self.brought_branches(chat)?.clones.remove(project))
    }

    /// Whoever calls it has the chat's clones alone.
    pub fn keep_brought(&self, chat: &ChatId, project: &str, last: BroughtBranch) -> Result<(), Error> {
        self.writable()?;
        let mut all = self.brought_branches(chat)?;
        if all.clones.get(project) == Some(&last) {
            return Ok(());
        }
        all.v = VERSION;
        all.clones.insert(project.to_owned(), last);
        let text = serde_json::to_string(&all).expect("it has only text keys");
        Ok(self.record_dir(chat)?.write_atomic(FILE, format!("{text}\n"))?)
    }

    fn brought_branches(&self, chat: &ChatId) -> Result<BroughtBranches, Error> {
        let text = self.record_dir(chat)?.read(FILE, LARGEST)?;
        Ok(text
            .and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default())
    }
}
