//! What deleting a chat loses, in words for a person.

use serde::{Deserialize, Serialize};

/// One line for each thing. Every place that asks whether to delete a chat shows these and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Losses {
    /// What exists nowhere else.
    pub lost: Vec<String>,
    /// What no remote has but something on this machine, and what else changes with the deletion.
    pub notes: Vec<String>,
    /// How many clones were looked into. Without any, nothing is committed or pushed.
    pub clones: usize,
}

impl Losses {
    /// Where nobody could find it out.
    pub fn unknown() -> Losses {
        Losses {
            lost: vec!["unknown: it could not be found out, the log says why".into()],
            ..Losses::default()
        }
    }

    /// What is said above the lines, or in place of them.
    pub fn headline(&self, lost: &'static str) -> &'static str {
        match (self.lost.is_empty(), self.notes.is_empty(), self.clones) {
            (false, _, _) => lost,
            (true, true, 1..) => "All work in its projects is committed and pushed.",
            (true, _, _) => "Nothing would be lost.",
        }
    }

    /// Whether this names what the other does not.
    pub fn is_more_than(&self, shown: &Losses) -> bool {
        let is_new = |one: &String| !shown.lost.contains(one) && !shown.notes.contains(one);
        self.lost.iter().any(|one| !shown.lost.contains(one)) || self.notes.iter().any(is_new)
    }

    /// All of it in one sentence, as the shell says it.
    pub fn sentence(&self, without_losses: &str) -> String {
        let mut said = match self.lost.is_empty() {
            true => without_losses.to_string(),
            false => format!("it would lose {}", self.lost.join("; ")),
        };
        for note in &self.notes {
            said.push_str("; ");
            said.push_str(note);
        }
        said
    }
}
