//! Where a person went back in the CLI. It writes nothing of that, but its lines name the line that they follow: the next
//! prompt follows an earlier one than the last.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::raw::{self, Raw};

/// Prompts that follow something else than what was said last, as lines come.
#[derive(Default)]
pub(super) struct Branches {
    /// The newest prompt and what follows it, as hashes: a turn may have thousands of lines.
    turn: HashSet<u64>,
    /// The ids of lines with a prompt that do not follow that.
    elsewhere: Vec<String>,
}

impl Branches {
    /// A line with an id, and the one that it follows.
    pub(super) fn line(&mut self, id: Raw, follows: Raw, what: LineRole) {
        let Some(id) = raw::text(id) else {
            return;
        };
        if what != LineRole::Other {
            let follows_turn = raw::text(follows).is_some_and(|line| self.turn.contains(&hash(&line)));
            if what == LineRole::Prompt && !follows_turn {
                self.elsewhere.push(id.clone());
            }
            self.turn.clear();
        }
        self.turn.insert(hash(&id));
    }

    /// What is news of them.
    pub(super) fn take_elsewhere(&mut self) -> Vec<String> {
        std::mem::take(&mut self.elsewhere)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineRole {
    Prompt,
    /// A prompt that was taken into the turn that ran.
    Queued,
    Other,
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}
