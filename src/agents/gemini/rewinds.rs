//! Where a person went back in the CLI by `/rewind`: a line of its transcript names the message that is gone with all
//! behind it. Messages get other ids when the CLI writes the conversation again, so it is known what they say as well.

use serde_json::Value;

use super::message::{CONTEXT, HOOK_CONTEXT, plain, text_of};
use super::nudge;
use crate::model::talk::{OwnRewind, RewindEnd};

/// The messages of the conversation that are a person's, and what was taken back of them.
#[derive(Default)]
pub(super) struct Rewinds {
    said: Vec<SaidMessage>,
    told: Vec<OwnRewind>,
}

struct SaidMessage {
    id: String,
    /// Empty where only the CLI itself speaks in it.
    text: String,
}

impl Rewinds {
    /// A line that a person may have typed.
    pub(super) fn says(&mut self, message: &Value) {
        let shown = plain(&message["displayContent"]);
        let parts = message["content"].as_array().map_or(&[][..], Vec::as_slice);
        let texts = parts.iter().filter_map(|part| part["text"].as_str());
        // Written again, its own context and the first prompt are one message.
        let is_typed =
            |text: &&str| ![CONTEXT, HOOK_CONTEXT].iter().any(|own| text.starts_with(own)) && !nudge::is_one(text);
        let text = match shown.is_empty() {
            true => texts.filter(is_typed).collect::<Vec<_>>().join("\n"),
            false => shown,
        };
        let id = text_of(&message["id"]);
        self.said.push(SaidMessage { id, text });
    }

    /// These messages stand in the place of all.
    pub(super) fn replaces(&mut self, messages: &[Value]) {
        self.said.clear();
        let typed = messages.iter().filter(|message| message["type"] == "user");
        typed.for_each(|message| self.says(message));
    }

    /// A person went back to before this message.
    pub(super) fn goes_back(&mut self, to: &str) {
        let place = self.said.iter().position(|message| message.id == to);
        let taken = place.map_or_else(Vec::new, |place| self.said.split_off(place));
        let first = taken.into_iter().find(|message| !message.text.trim().is_empty());
        let (prompt, text) = first.map_or_else(|| (to.into(), String::new()), |first| (first.id, first.text));
        self.told.push(OwnRewind::Before {
            prompt,
            text,
            goes_on: RewindEnd::Open,
        });
    }

    /// With this prompt the conversation goes on.
    pub(super) fn goes_on(&mut self, prompt: &str) {
        for rewind in &mut self.told {
            if let OwnRewind::Before { goes_on, .. } = rewind
                && *goes_on == RewindEnd::Open
            {
                *goes_on = RewindEnd::With(prompt.into());
            }
        }
    }

    pub(super) fn take(&mut self) -> Vec<OwnRewind> {
        std::mem::take(&mut self.told)
    }
}
