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
    /// The newest checkpoint as it ended; none in files of older versions.
    #[serde(default)]
    newest: Option<u64>,
    /// The tree of each clone in its checkpoints, by the clone's name.
    trees: BTreeMap<String, String>,
}

impl Home {
    /// The trees of the clones, by their names, as the turn ended that began with checkpoint `turn`; `None` where the last
    /// that ended is another one. A file that cannot be read says nothing.
    pub fn rested(&self, chat: &ChatId, turn: u64) -> Result<Option<BTreeMap<String, String>>, Error> {
        Ok(self.how_it_rested(chat, turn)?.map(|rested| rested.trees))
    }

    /// The newest checkpoint as that turn ended: later ones are of what was there after it.
    pub fn newest_as_it_rested(&self, chat: &ChatId, turn: u64) -> Result<Option<u64>, Error> {
        Ok(self.how_it_rested(chat, turn)?.and_then(|rested| rested.newest))
    }

    fn how_it_rested(&self, chat: &ChatId, turn: u64) -> Result<Option<Rested>, Error> {
        let rested: Option<Rested> = self.read_of_record(chat, (FILE, LARGEST))?;
        Ok(rested.filter(|rested| rested.turn == turn))
    }

    /// Keeps how a turn ended, with the number of the newest checkpoint by then.
    pub fn set_rested(
        &self,
        chat: &ChatId,
        (turn, newest): (u64, Option<u64>),
        trees: BTreeMap<String, String>,
    ) -> Result<(), Error> {
        let rested = Rested {
            v: VERSION,
            turn,
            newest,
            trees,
        };
        self.write_to_record(chat, FILE, &rested)
    }
}
