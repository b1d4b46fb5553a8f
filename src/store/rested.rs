//! What the clones of a chat were as its last turn ended: `records/{id}/rested.json`. What is changed later was not that turn.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Error, Home};
use crate::model::ChatId;

const FILE: &str = "rested.json";
const LARGEST: u64 = 1 << 20;
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Rested {
    v: u32,
    /// The checkpoint with which the turn began.
    turn: u64,
    /// The tree of each clone in its checkpoints, by the clone's name.
    trees: BTreeMap<String, String>,
}

impl Home {
    /// The trees of the clones, by their names, as the turn ended that began with checkpoint `turn`; `None` where the last
    /// that ended is another one. A file that cannot be read says nothing.
    pub fn rested(&self, chat: &ChatId, turn: u64) -> Result<Option<BTreeMap<String, String>>, Error> {
        let rested: Option<Rested> = self.read_of_record(chat, (FILE, LARGEST))?;
        Ok(rested.filter(|rested| rested.turn == turn).map(|rested| rested.trees))
    }

    pub fn set_rested(&self, chat: &ChatId, turn: u64, trees: BTreeMap<String, String>) -> Result<(), Error> {
        let rested = Rested {
            v: VERSION,
            turn,
            trees,
        };
        self.write_to_record(chat, FILE, &rested)
    }
}
