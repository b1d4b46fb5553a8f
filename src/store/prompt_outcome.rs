//! What became of a prompt by the word of the records, for a sender whose engine ended before it answered.

use serde::Deserialize;

use super::inbox::FILE;
use super::load::{LARGEST, read_record};
use super::{Error, Home};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptOutcome {
    /// It is sent when the agent runs again.
    Queued,
    /// It was handed to the agent, or about to be: it is sent when that runs again, unless its transcript has it.
    Begun,
    Delivered,
}

/// The fields of an inbox line that decide the fate of its messages.
#[derive(Deserialize)]
struct OutcomeLine {
    message: Option<Id>,
}

#[derive(Deserialize)]
struct Id {
    id: String,
}

impl Home {
    /// What the records say of the prompt with this key; `None` where no chat took it in.
    pub fn prompt_outcome(&self, key: &str) -> Result<Option<PromptOutcome>, Error> {
        for chat in self.ids()? {
            let Ok(dir) = self.record_dir(&chat) else {
                continue;
            };
            // A record that cannot be read holds no prompt that could be sent.
            let Ok(record) = read_record(&dir, &chat) else {
                continue;
            };
            if let Some(prompt) = record.prompts.iter().find(|prompt| prompt.key == key) {
                return Ok(Some(match prompt.begun {
                    true => PromptOutcome::Begun,
                    false => PromptOutcome::Queued,
                }));
            }
            if record.delivered.iter().any(|known| known.key == key) {
                return Ok(Some(PromptOutcome::Delivered));
            }
            let inbox = dir.read(FILE, LARGEST).ok().flatten().unwrap_or_default();
            let lines = inbox.split(|byte| *byte == b'\n');
            let mut lines = lines.filter_map(|line| serde_json::from_slice::<OutcomeLine>(line).ok());
            if lines.any(|line| line.message.is_some_and(|message| message.id == key)) {
                return Ok(Some(PromptOutcome::Queued));
            }
        }
        Ok(None)
    }
}
