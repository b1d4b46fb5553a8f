//! Clones that were saved when a prompt was entered, before the agent's CLI told of it, and what they were as a turn ended.
//!
//! Some CLIs tell of a prompt only beside their work on it, so a checkpoint that is taken then may hold what the agent
//! has done already. The clones are saved as the prompt is entered; the checkpoint of its turn is made of that.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use crate::git::checkpoint::SavedFiles;
use crate::model::review::{Amount, LeftOutOf};
use crate::model::{ChatId, Problem, Timestamp};

/// A CLI tells of a prompt within seconds. What was entered before that was something else.
const LASTS_MS: u64 = 30_000;

/// What became of saving the clones of a chat.
#[derive(Clone, Debug, Default)]
pub struct SavedClones {
    /// The clones that had changed since the checkpoint before.
    pub changed: Vec<String>,
    pub amount: Amount,
    pub left_out: Vec<LeftOutOf>,
    /// The clones that could not be saved at all, each with the reason.
    pub unsaved: Vec<(String, Problem)>,
    /// The commit in which each of the others is saved.
    pub commits: BTreeMap<String, String>,
}

struct EnteredTurn {
    number: u64,
    at: Timestamp,
    saved: SavedClones,
}

impl EnteredTurn {
    fn holds(&self, number: u64, now: Timestamp) -> bool {
        self.number == number && now.ms_since(self.at) < LASTS_MS
    }
}

/// The files of each clone, by its name.
pub type RestedClones = BTreeMap<String, SavedFiles>;

/// At most one of each a chat.
#[derive(Default)]
pub struct PreparedTurns {
    entered: Mutex<BTreeMap<ChatId, EnteredTurn>>,
    /// What the clones were when the turn ended that began with this checkpoint.
    rested: Mutex<BTreeMap<ChatId, (u64, RestedClones)>>,
}

impl PreparedTurns {
    pub fn keep(&self, chat: &ChatId, number: u64, at: Timestamp, saved: SavedClones) {
        let entered = EnteredTurn { number, at, saved };
        self.entered.lock().insert(chat.clone(), entered);
    }

    /// Whether clones of the chat were saved for checkpoint `number` not long ago.
    pub fn is_entered(&self, chat: &ChatId, number: u64, now: Timestamp) -> bool {
        let entered = self.entered.lock();
        entered.get(chat).is_some_and(|turn| turn.holds(number, now))
    }

    /// The turn that began with checkpoint `turn` has ended, and left its clones so.
    pub fn rests(&self, chat: &ChatId, turn: u64, files: RestedClones) {
        self.rested.lock().insert(chat.clone(), (turn, files));
    }

    /// How the turn that began with checkpoint `turn` left its clones, as far as this engine was told.
    pub fn rested(&self, chat: &ChatId, turn: u64) -> Option<RestedClones> {
        let rested = self.rested.lock();
        let (_, files) = rested.get(chat).filter(|(known, _)| *known == turn)?;
        Some(files.clone())
    }

    /// What was saved for checkpoint `number` not long ago. Nothing of the chat stays prepared.
    pub fn claim(&self, chat: &ChatId, number: u64, now: Timestamp) -> Option<SavedClones> {
        let prepared = self.entered.lock().remove(chat)?;
        prepared.holds(number, now).then_some(prepared.saved)
    }
}
