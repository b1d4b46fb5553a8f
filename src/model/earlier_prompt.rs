//! A prompt of a conversation, named so that it is found again in what its agent CLI keeps.

use serde::{Deserialize, Serialize};

use super::{Entry, Happened};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierPrompt {
    /// As in parlour's transcript, and in that of a CLI that gives its prompts ids.
    pub id: String,
    /// What it says. It finds the prompt where the id does not.
    pub text: String,
    /// How many prompts of its conversation come before it.
    pub nth: usize,
    /// The session that it was said in, where its chat has begun another one since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

impl EarlierPrompt {
    /// Whether it is the one with this id and text, which `before` others precede.
    pub fn is(&self, id: &str, text: &str, before: usize) -> bool {
        match !self.id.is_empty() && self.id == id {
            true => true,
            false => before == self.nth && same(text, &self.text),
        }
    }

    /// The prompt of this entry; nothing if it is none. `before` has the entries of its conversation that precede it.
    pub fn of<'a>(entry: &Entry, before: impl IntoIterator<Item = &'a Entry>) -> Option<EarlierPrompt> {
        let Happened::Prompt { id, text, .. } = &entry.what else {
            return None;
        };
        let is_prompt = |entry: &&Entry| matches!(entry.what, Happened::Prompt { .. });
        Some(EarlierPrompt {
            id: id.clone(),
            text: text.clone(),
            nth: before.into_iter().filter(is_prompt).count(),
            session: None,
        })
    }
}

/// White space may change on its way through a composer.
fn same(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}
