//! Words that are still arriving, piece by piece.

use serde_json::Value;

use super::part;
use crate::model::LiveText;

/// The newest part of the chat's own session that has begun and not ended.
#[derive(Default)]
pub(super) struct LiveWords {
    part: String,
    text: LiveText,
    /// Something of it is news.
    changed: bool,
}

impl LiveWords {
    /// A part has begun, or is told of again with what it says so far.
    pub(super) fn begins(&mut self, part: &Value) {
        let id = part::text_of(&part["id"]);
        let said = part["text"].as_str().unwrap_or_default();
        if self.part != id {
            self.part = id;
            self.text = LiveText::of(part::key_of_words(part), part["type"] == "reasoning");
            self.text.grow(said);
            self.changed = true;
        }
    }

    pub(super) fn grows(&mut self, piece: &Value) {
        let is_it = !self.part.is_empty() && piece["partID"] == *self.part && piece["field"] == "text";
        if let Some(words) = piece["delta"].as_str().filter(|_| is_it) {
            self.text.grow(words);
            self.changed = true;
        }
    }

    pub(super) fn ends(&mut self, part: &str) {
        if self.part == part {
            self.forget();
        }
    }

    pub(super) fn forget(&mut self) {
        if !std::mem::take(&mut self.part).is_empty() {
            self.text = LiveText::default();
            self.changed = true;
        }
    }

    /// What there is of it now, if that is news.
    pub(super) fn news(&mut self) -> Option<LiveText> {
        std::mem::take(&mut self.changed).then(|| self.text.clone())
    }
}
