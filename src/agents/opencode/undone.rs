//! What a person took back in the CLI by `/undo` or from its list of messages: it can be brought back by `/redo` until the
//! next prompt, at which the CLI removes it.

use serde_json::Value;

use super::part::text_of;
use crate::model::talk::{OwnRewind, RewindEnd};

/// The first message that is taken back now.
#[derive(Default)]
pub(super) struct Undone(Option<String>);

impl Undone {
    /// What is news in what the server says of the session. Ids of messages rise with time.
    pub(super) fn changes(&mut self, session: &Value) -> Option<OwnRewind> {
        let now = session["revert"]["messageID"].as_str().map(str::to_owned);
        let was = std::mem::replace(&mut self.0, now.clone());
        match (was, now) {
            (Some(was), Some(now)) if was == now => None,
            (Some(from), until) if until.as_ref().is_none_or(|until| *until > from) => {
                Some(OwnRewind::Again { from, until })
            }
            (_, Some(prompt)) => Some(OwnRewind::Before {
                prompt,
                text: String::new(),
                goes_on: RewindEnd::Open,
            }),
            (_, None) => None,
        }
    }

    /// A message is gone for good.
    pub(super) fn loses(&mut self, removed: &Value) {
        let id = text_of(&removed["messageID"]);
        self.0.take_if(|first| *first == id);
    }
}
