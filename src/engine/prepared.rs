//! Clones that were saved when a prompt was entered, before the agent's CLI told of it.
//!
//! Some CLIs tell of a prompt only beside their work on it, so a checkpoint that is taken then may hold what the agent
//! has done already. The clones are saved as the prompt is entered; the checkpoint of its turn is made of that.

use std::collections::BTreeMap;

use parking_lot::Mutex;

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
}

struct EnteredTurn {
    number: u64,
    at: Timestamp,
    saved: SavedClones,
}

/// At most one a chat.
#[derive(Default)]
pub struct PreparedTurns(Mutex<BTreeMap<ChatId, EnteredTurn>>);

impl PreparedTurns {
    pub fn keep(&self, chat: &ChatId, number: u64, at: Timestamp, saved: SavedClones) {
        self.0.lock().insert(chat.clone(), EnteredTurn { number, at, saved });
    }

    /// What was saved for checkpoint `number` not long ago. Nothing of the chat stays prepared.
    pub fn claim(&self, chat: &ChatId, number: u64, now: Timestamp) -> Option<SavedClones> {
        let prepared = self.0.lock().remove(chat)?;
        let holds = prepared.number == number && now.ms_since(prepared.at) < LASTS_MS;
        holds.then_some(prepared.saved)
    }
}
